import { expect, it } from "vitest";
import type { Event, Origin } from "./session.ts";
import { createTurnBuilder, toTurns } from "./turns.ts";

let line = 0;
const origin = (): Origin => ({ line: ++line, start: line * 10, end: line * 10 + 9 });
const prompt = (text: string, more: object = {}): Event => ({
  kind: "prompt",
  text,
  origin: origin(),
  ...more,
});
const text = (words: string, more: object = {}): Event => ({
  kind: "text",
  text: words,
  origin: origin(),
  ...more,
});
const call = (callId: string, more: object = {}): Event => ({
  kind: "tool-call",
  callId,
  name: "bash",
  input: { command: "ls" },
  origin: origin(),
  ...more,
});
const result = (callId: string, words: string, more: object = {}): Event => ({
  kind: "tool-result",
  callId,
  status: "ok",
  text: words,
  origin: origin(),
  ...more,
});

it("starts a turn with each prompt, counted from 0, and joins its answers", () => {
  const turns = toTurns([
    prompt("first", { time: "2026-01-01T00:00:00.000Z" }),
    text("one"),
    text("  "),
    text("two", { time: "2026-01-01T00:00:09.000Z" }),
    prompt("second"),
  ]);
  expect(
    turns.map(({ index, user, assistant, startedAt, endedAt }) => ({
      index,
      user,
      assistant,
      startedAt,
      endedAt,
    })),
  ).toEqual([
    {
      index: 0,
      user: "first",
      assistant: "one\n\ntwo",
      startedAt: "2026-01-01T00:00:00.000Z",
      endedAt: "2026-01-01T00:00:09.000Z",
    },
    { index: 1, user: "second", assistant: "", startedAt: undefined, endedAt: undefined },
  ]);
});

it("lasts until the last thing that was done in it, not until something is said of the session days later", () => {
  const notice = (time: string, more: object): Event => ({
    kind: "notice",
    level: "info",
    text: "Forked",
    time,
    origin: origin(),
    ...more,
  });
  const begun = [
    prompt("first", { time: "2026-01-01T00:00:00.000Z" }),
    text("one", { time: "2026-01-01T00:00:09.000Z" }),
  ];
  const endOf = (more: object) => toTurns([...begun, notice("2026-01-05T00:00:00.000Z", more)])[0];
  expect(endOf({ isAside: true })).toMatchObject({
    endedAt: "2026-01-01T00:00:09.000Z",
    parts: [{ kind: "text" }, { kind: "notice" }],
  });
  expect(endOf({})?.endedAt).toBe("2026-01-05T00:00:00.000Z");
});

it("gives each call its result, even one that comes after the next prompt", () => {
  const [first] = toTurns([
    prompt("go"),
    call("a"),
    call("b"),
    result("b", "B"),
    prompt("next"),
    result("a", "A", { status: "failed", cut: 99 }),
  ]);
  expect(first?.parts).toMatchObject([
    { kind: "tool", callId: "a", status: "failed", result: "A", resultSize: 100 },
    { kind: "tool", callId: "b", status: "ok", result: "B", resultSize: 1 },
  ]);
});

it("leaves a call without a result pending", () => {
  expect(toTurns([prompt("go"), call("a")])[0]?.parts).toMatchObject([{ kind: "tool", status: "pending" }]);
});

it("puts a sub-agent's work under the call that started it, and starts no turn with its prompt", () => {
  const turns = toTurns([
    prompt("go"),
    call("task"),
    prompt("do the part", { agent: "task" }),
    text("working", { agent: "task" }),
    call("inner", { agent: "task" }),
    result("inner", "found", { agent: "task" }),
    result("task", "done"),
    text("All done."),
  ]);
  expect(turns).toHaveLength(1);
  expect(turns[0]?.assistant).toBe("All done.");
  expect(turns[0]?.parts).toMatchObject([
    {
      kind: "tool",
      callId: "task",
      result: "done",
      children: [
        { kind: "text", text: "working" },
        { kind: "tool", callId: "inner", result: "found" },
      ],
    },
    { kind: "text", text: "All done." },
  ]);
});

it("keeps what stands before the first prompt apart", () => {
  const builder = createTurnBuilder();
  builder.push({ kind: "compaction", summary: "so far", title: "Start", checkpoint: 1, origin: origin() });
  expect(builder.push(prompt("go"))).toBeUndefined();
  expect(builder.preamble).toMatchObject([
    { kind: "checkpoint", summary: "so far", title: "Start", number: 1 },
  ]);
  expect(builder.end()?.user).toBe("go");
  expect(builder.end()).toBeUndefined();
});

it("lets answered calls go after many turns, and waits for unanswered ones as long as it takes", () => {
  const between = Array.from({ length: 30 }, (_, index) => prompt(`turn ${index}`));
  const turns = toTurns([
    prompt("first"),
    call("answered"),
    result("answered", "in time"),
    call("slow"),
    ...between,
    result("answered", "again, much later"),
    result("slow", "at last"),
  ]);
  expect(turns[0]?.parts.map((part) => part.kind === "tool" && part.result)).toEqual(["in time", "at last"]);
});

it("starts no turn with a blank prompt, unless something is attached to it", () => {
  const attachments = [{ kind: "file", name: "a.txt" }];
  const turns = toTurns([prompt("go"), text("one"), prompt("  "), text("two"), prompt("", { attachments })]);
  expect(turns.map((turn) => turn.assistant)).toEqual(["one\n\ntwo", ""]);
});

it("says on every part how much of a huge record is missing", () => {
  const [turn] = toTurns([
    prompt("go", { cut: 5 }),
    text("one", { cut: 7 }),
    call("a"),
    result("a", "A", { cut: 9 }),
  ]);
  expect(turn).toMatchObject({
    cut: 5,
    parts: [
      { kind: "text", cut: 7 },
      { kind: "tool", cut: 9, resultSize: 10 },
    ],
  });
});

it("nests the work of sub-agents so deeply and no deeper, and loses none of it", () => {
  const calls = 5000;
  const [turn] = toTurns([
    prompt("delegate"),
    ...Array.from({ length: calls }, (_, at) => call(`c${at}`, at === 0 ? {} : { agent: `c${at - 1}` })),
    text("the last one speaks", { agent: `c${calls - 1}` }),
    result(`c${calls - 1}`, "done"),
  ]);
  const told = JSON.stringify(turn?.parts); // which fails for what is nested too deeply
  expect(told.match(/"callId"/g)).toHaveLength(calls);
  expect(told).toContain("the last one speaks");
  expect(told).toContain('"result":"done"');
});

it("holds no more of a turn than fits, and says how much it left out", () => {
  const long = "x".repeat(40 << 20);
  const [first, second] = toTurns([
    prompt("huge"),
    text(long),
    text(long),
    call("c", { input: { content: long } }),
    result("c", long),
    prompt("next"),
    text("as it is"),
  ]);
  expect(first?.assistant.length).toBe((64 << 20) - "huge".length + "\n\n".length);
  expect(first?.parts).toMatchObject([
    { kind: "text" },
    { kind: "text", cut: (16 << 20) + "huge".length },
    { kind: "tool", input: {}, result: "", resultSize: long.length },
  ]);
  expect(second?.assistant).toBe("as it is");
});
