import { expect, it } from "vitest";
import { NEWER_MODEL, OLDER_MODEL } from "../../../test/real/claude-models.ts";
import { type Transcript, writeTranscript } from "../../../test/real/claude-rows.ts";
import { createMemoryFs } from "../../platform/memory-fs.ts";
import { context } from "./context.ts";
import { takesSystemMessages } from "./messages.ts";

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

it("closes an unanswered prompt, but neither a command's echo nor a failed request", async () => {
  const last = async (write: (t: Transcript) => void) => (await sent(write)).at(-1)?.text;
  expect(await last((t) => t.prompt("Hello?"))).toBe("No response requested.");
  const echo = "<local-command-stdout>12 $</local-command-stdout>";
  expect(await last((t) => t.prompt(echo))).toBe(echo);
  expect(
    await last((t) => {
      t.prompt("Hello?");
      t.answer("API Error: 529", { isApiErrorMessage: true, model: "<synthetic>" });
    }),
  ).toBe("Hello?");
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
    ["One.\n\nTwo.", true],
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
