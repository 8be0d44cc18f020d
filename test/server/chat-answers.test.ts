/** Answers of conversations: they outlive those who listen, can be followed again, and stop when told to. */
import { describe, expect, it } from "vitest";
import type { App } from "../../src/app/contract.ts";
import { AppError } from "../../src/model/errors.ts";
import { defineStream, type Emit } from "../../src/operations/operation.ts";
import { createChatAnswers } from "../../src/server/chat-answers.ts";
import { createEventHub } from "../../src/server/event-hub.ts";

type Said = { readonly kind: string; readonly id?: string; readonly text?: string };

/** A program that says what the test lets it say. */
function scripted() {
  let emit: Emit<Said> = () => undefined;
  const end = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  let wasAborted = false;
  const operation = defineStream({
    name: "chat-send",
    kind: "stream",
    summary: "Say it",
    input: (z) => z.strictObject({}),
    output: (z) => z.unknown(),
    async run(_, __, take: Emit<Said>, call) {
      emit = take;
      started.resolve();
      call?.signal?.addEventListener("abort", () => {
        wasAborted = true;
        end.resolve();
      });
      await end.promise;
    },
    toJson: (said) => said,
  });
  const answers = createChatAnswers({ demo: undefined } as App, operation as never, createEventHub("run"));
  return {
    answers,
    async open(signal = new AbortController().signal) {
      const stream = answers.send({}, signal);
      await started.promise;
      await emit({ kind: "opened", id: "chat" });
      return stream;
    },
    say: (text: string) => emit({ kind: "text", text }),
    finish: () => end.resolve(),
    fail: (error: Error) => end.reject(error),
    wasAborted: () => wasAborted,
  };
}

const textOf = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
  let text = "";
  for await (const piece of stream) text += new TextDecoder().decode(piece);
  return text;
};

describe("an answer", () => {
  it("goes on when nobody listens, and is told from its beginning to who comes back", async () => {
    const { answers, open, say, finish, wasAborted } = scripted();
    const first = new AbortController();
    const stream = await open(first.signal);
    await say("one");
    first.abort();
    expect(await textOf(stream)).toContain('"text":"one"');
    await say("two");
    const again = answers.follow("chat", new AbortController().signal);
    await say("three");
    finish();
    const told = await textOf(again as ReadableStream<Uint8Array>);
    expect(told.match(/"text":"\w+"/g)).toEqual(['"text":"one"', '"text":"two"', '"text":"three"']);
    expect(wasAborted()).toBe(false);
    expect(answers.follow("chat", new AbortController().signal)).toBeUndefined();
  });

  it("stops when it is cancelled, and when the server stops", async () => {
    const one = scripted();
    const stream = await one.open();
    expect(one.answers.cancel("another")).toBe(false);
    expect(one.answers.cancel("chat")).toBe(true);
    await textOf(stream);
    expect(one.wasAborted()).toBe(true);
    const two = scripted();
    await two.open();
    await two.answers.close();
    expect(two.wasAborted()).toBe(true);
  });

  it("tells of a failure in its stream, once it has begun", async () => {
    const { open, fail } = scripted();
    const stream = await open();
    fail(new AppError("logged-out", "Nobody is logged in", "Log in"));
    expect(await textOf(stream)).toMatch(/event: error\ndata: \{"error":\{"code":"logged-out"/);
  });

  it("is an error of its own before that", async () => {
    const { answers, fail } = scripted();
    const sent = answers.send({}, new AbortController().signal);
    fail(new AppError("program-missing", "There is no program", "Install it"));
    await expect(sent).rejects.toMatchObject({ code: "program-missing" });
  });
});
