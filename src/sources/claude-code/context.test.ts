import { expect, it } from "vitest";
import { NEWER_MODEL, OLDER_MODEL } from "../../../test/real/claude-models.ts";
import { type Transcript, writeTranscript } from "../../../test/real/claude-rows.ts";
import { createMemoryFs } from "../../platform/fs/memory.ts";
import { context } from "./context.ts";
import { takesSystemMessages } from "./request/messages.ts";

const PATH = "/c/projects/shop/6f1c2b7e-8a34-4d0b-9c55-0d2f6a1be901.jsonl";
const artifact = {
  source: "claude-code",
  id: "6f1c2b7e-8a34-4d0b-9c55-0d2f6a1be901",
  root: "/c",
  path: PATH,
  fingerprint: { size: 0, mtimeMs: 0, ino: 0 },
};

async function sent(write: (t: Transcript) => void, model = OLDER_MODEL) {
  const transcript = writeTranscript(model);
  write(transcript);
  const messages = await context(createMemoryFs({ [PATH]: transcript.text() }), artifact);
  return messages.map(({ origin: _origin, ...message }) => message);
}

it("gives prompts, answers, thoughts, calls and results, each with its place", async () => {
  const transcript = writeTranscript();
  transcript.prompt("Look.");
  transcript.answer([{ type: "thinking", thinking: "Hm.", signature: "s" }], { reply: "r" });
  transcript.answer("Looking.", { reply: "r" });
  transcript.call("a", { reply: "r" });
  transcript.result("a");
  transcript.answer("Seen.");
  const messages = await context(createMemoryFs({ [PATH]: transcript.text() }), artifact);
  expect(messages.map(({ origin, ...message }) => [origin?.line, message])).toEqual([
    [1, { role: "user", text: "Look." }],
    [
      2,
      {
        role: "assistant",
        text: "Looking.",
        thinking: "Hm.",
        toolCalls: [{ id: "a", name: "Bash", arguments: { command: "a" } }],
      },
    ],
    [5, { role: "tool", text: "output of a", toolCallId: "a" }],
    [6, { role: "assistant", text: "Seen." }],
  ]);
});

it("answers a call that was cut off, and closes the conversation", async () => {
  const messages = await sent((t) => {
    t.prompt("Run.");
    t.call("a");
  });
  expect(messages.slice(2)).toEqual([
    {
      role: "tool",
      toolCallId: "a",
      isError: true,
      madeUp: true,
      text: expect.stringContaining("[Tool call interrupted"),
    },
    { role: "assistant", text: "No response requested.", madeUp: true },
  ]);
});

it("keeps an unanswered call of a turn that ends with results, but of no other turn", async () => {
  const turn = (t: Transcript): void => {
    t.prompt("Run.");
    t.call("lost");
    t.call("a");
    t.result("a");
  };
  const answersOf = async (write: (t: Transcript) => void) =>
    (await sent(write)).flatMap(({ toolCallId, text }) => (toolCallId ? [[toolCallId, text]] : []));
  expect(await answersOf(turn)).toEqual([
    ["lost", "[Tool result missing due to internal error]"],
    ["a", "output of a"],
  ]);
  const answered = await answersOf((t) => {
    turn(t);
    t.answer("Done.");
  });
  const continued = await answersOf((t) => {
    turn(t);
    t.prompt("And now?");
  });
  expect([answered, continued]).toEqual([[["a", "output of a"]], [["a", "output of a"]]]);
});

it("answers before what a command printed, and takes that for no prompt", async () => {
  const print = { type: "system", subtype: "local_command", content: "12 $" };
  const roles = async (write: (t: Transcript) => void) =>
    (await sent(write)).map(({ role, text }) => `${role}: ${text.slice(0, 12)}`);
  expect(
    await roles((t) => {
      t.prompt("Hello?");
      t.row(print);
    }),
  ).toEqual(["user: Hello?", "assistant: No response ", "user: 12 $"]);
  expect(
    await roles((t) => {
      t.prompt("Run.");
      t.call("a");
      t.row(print);
    }),
  ).toEqual(["user: Run.", "assistant: ", "tool: [Tool call i", "user: 12 $", "assistant: No response "]);
});

it("leaves the order inside one row alone, and puts results first where rows are joined", async () => {
  const result = { type: "tool_result", tool_use_id: "a", content: "out" };
  const texts = async (...more: string[]) =>
    (
      await sent((t) => {
        t.call("a");
        t.prompt([{ type: "text", text: "words" }, result]);
        for (const words of more) t.prompt(words);
        t.answer("Done.");
      })
    ).map(({ text }) => text);
  expect(await texts()).toEqual(["", "words", "out", "Done."]);
  expect(await texts("more")).toEqual(["", "out", "words", "more", "Done."]);
});

it("closes an unanswered prompt, but neither a command's record nor a failed request", async () => {
  const last = async (write: (t: Transcript) => void) => (await sent(write)).at(-1)?.text;
  expect(await last((t) => t.prompt("Hello?"))).toBe("No response requested.");
  const echo = "<local-command-stdout>12 $</local-command-stdout>";
  expect(await last((t) => t.prompt(echo))).toBe("No response requested.");
  expect(
    await last((t) => {
      t.prompt("<local-command-caveat>Caveat: …</local-command-caveat>", { isMeta: true });
      t.prompt("<command-name>/cost</command-name>");
      t.prompt(echo);
      t.row({ type: "system", subtype: "local_command", content: "13 $" });
    }),
  ).toBe("13 $");
  expect(
    await last((t) => {
      t.prompt("Hello?");
      t.answer("API Error: 529", { isApiErrorMessage: true, model: "<synthetic>" });
    }),
  ).toBe("Hello?");
});

it("leaves a summary open where the program has announced something behind it", async () => {
  const compacted = (t: Transcript): void => {
    t.prompt("one");
    t.answer("Answer.");
    t.compact();
  };
  expect((await sent(compacted)).map(({ role }) => role)).toEqual(["user", "assistant"]);
  const announced = await sent((t) => {
    compacted(t);
    t.reminder("The date.");
  });
  expect(announced.map(({ role }) => role)).toEqual(["user", "user"]);
});

it("sends a failed result as words only", async () => {
  const picture = { type: "image", source: { type: "base64", media_type: "image/png", data: "" } };
  const text = (said: string) => ({ type: "text", text: said });
  const messages = await sent((t) => {
    t.prompt("Look.");
    for (const [id, content] of [
      ["a", [text("one"), picture, text("two")]],
      ["b", [picture]],
      ["c", [text("one"), text("two")]],
    ] as const) {
      t.call(id);
      t.prompt([{ type: "tool_result", tool_use_id: id, content, is_error: true }]);
    }
    t.call("d");
    t.prompt([{ type: "tool_result", tool_use_id: "d", content: [text("one"), picture] }]);
    t.answer("Seen.");
  });
  expect(messages.flatMap(({ role, text: said }) => (role === "tool" ? [said] : []))).toEqual([
    ...["one\n\ntwo", "", "one\ntwo", "one\n[image]"],
  ]);
});

it("puts reminders before the prompt, or behind it as a system message, as the model takes them", async () => {
  const write = (t: Transcript): void => {
    t.prompt("Hi.");
    t.reminder("One.");
    t.reminder("Two.");
    t.answer("Hello.");
  };
  expect((await sent(write)).map(({ text, madeUp }) => [text, madeUp])).toEqual([
    ["<system-reminder>\nOne.\n</system-reminder>", true],
    ["<system-reminder>\nTwo.\n</system-reminder>\n", true],
    ["Hi.", undefined],
    ["Hello.", undefined],
  ]);
  expect((await sent(write, NEWER_MODEL)).map(({ text, madeUp }) => [text, madeUp])).toEqual([
    ["Hi.", undefined],
    ["<system-reminder>\nOne.\n\nTwo.\n</system-reminder>", true],
    ["Hello.", undefined],
  ]);
});

it("knows which models take system messages", () => {
  const older = [
    "claude-3-7-sonnet-20250219",
    "claude-haiku-4-5",
    "claude-sonnet-4-5-20250929",
    "claude-opus-4-7",
  ];
  const newer = ["claude-opus-4-8", "claude-sonnet-5", "claude-opus-5-5", "claude-haiku-5-5", "another"];
  expect(older.map(takesSystemMessages)).toEqual(older.map(() => false));
  expect(newer.map(takesSystemMessages)).toEqual(newer.map(() => true));
});

it("drops the thoughts of another model than the one that answered last", async () => {
  const messages = await sent((t) => {
    t.prompt("One.");
    t.answer([{ type: "thinking", thinking: "Mine." }], { reply: "a", model: "claude-opus-4-1" });
    t.answer("Yes.", { reply: "a", model: "claude-opus-4-1" });
    t.prompt("Two.");
    t.answer("No.");
  });
  expect(messages[1]).toEqual({ role: "assistant", text: "Yes." });
});

it("starts again at a compaction", async () => {
  const messages = await sent((t) => {
    t.prompt("One.");
    const kept = t.answer("Kept.");
    t.compact([kept]);
    t.prompt("Two.");
    t.answer("Done.");
  });
  expect(messages).toEqual([
    { role: "user", text: "Summary: all of it.", madeUp: true },
    { role: "assistant", text: "Kept." },
    { role: "user", text: "Two." },
    { role: "assistant", text: "Done." },
  ]);
});

it("tells the model that the news of a background task are not the user's words", async () => {
  const [, , news] = await sent((t) => {
    t.prompt("Start.");
    t.answer("Started.");
    t.prompt("<task-notification>done</task-notification>", { origin: { kind: "task-notification" } });
    t.answer("It is done.");
  });
  expect(news?.madeUp).toBe(true);
  expect(news?.text).toMatch(/^<system-reminder>\n\[SYSTEM NOTIFICATION[\s\S]+<task-notification>done/);
});

it("has what was attached without the words for it, as older releases and pictures have it", async () => {
  const [result, words, picture, ...more] = await sent((t) => {
    const attach = (attachment: object) => t.row({ type: "attachment", attachment });
    t.prompt("Look.");
    t.call("a");
    t.result("a");
    attach({ type: "queued_command", prompt: "Mind the tests.", commandMode: "prompt" });
    const content = { type: "text", file: { content: "const a;", startLine: 7 } };
    attach({ type: "file", filename: "/srv/shop/a.ts", content });
    attach({ type: "prompt_snapshot", systemPrompt: ["Never told here."] });
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBO" } };
    attach({
      type: "queued_command",
      prompt: [{ type: "text", text: "See." }, image],
      commandMode: "prompt",
    });
    t.answer("Seen.");
  }).then((messages) => messages.slice(2));
  expect(result?.text).toMatch(/^output of a\n\n<system-reminder>\nThe user sent .*:\nMind the tests\.\n/);
  expect(result?.text).toMatch(/"file_path":"\/srv\/shop\/a\.ts"[\s\S]*:\n7\tconst a;\n<\/system-reminder>$/);
  expect(words?.text).toContain("See.");
  expect([picture?.text, ...more.map(({ text }) => text)]).toEqual(["[image]", "Seen."]);
});
