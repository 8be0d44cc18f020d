import { expect, it } from "vitest";
import type { NewEvent } from "./event.ts";
import { createLineMaker } from "./lines.ts";

const TIME = "2026-01-02T03:04:05.000Z";
const LAST = "00000000-0000-4000-8000-000000000000";

function maker() {
  let count = 0;
  return createLineMaker({
    lastId: LAST,
    now: () => new Date(TIME),
    newId: () => `${(++count).toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`,
  });
}
const lineOf = (event: NewEvent) => {
  const line = maker().next(event);
  return line === undefined ? undefined : JSON.parse(line);
};
const resultOf = (data: object) =>
  lineOf({ type: "tool.execution_complete", data: { toolCallId: "t", success: true, ...data } })?.data;

it("fills in what a line needs, in the order of the program's own lines, and keeps what it has never heard of", () => {
  const event = { type: "user.message", data: { content: "Hi", mood: "good" }, agentId: "a1", trace: 7 };
  expect(maker().next(event)).toBe(
    `{"type":"user.message","data":{"content":"Hi","mood":"good"},"agentId":"a1","trace":7,"id":"00000001-0000-4000-8000-000000000000","timestamp":"${TIME}","parentId":"${LAST}"}\n`,
  );
});

it("hangs every line on the one before it, past those that are not kept, whatever parent they bring", () => {
  const lines = maker();
  const id = "12345678-0000-4000-8000-000000000000";
  const events: NewEvent[] = [
    { type: "user.message", data: { content: "a" }, id, parentId: null },
    { type: "assistant.message_delta", data: { deltaContent: "b" }, parentId: id },
    { type: "user.message", data: { content: "c" }, parentId: "87654321-0000-4000-8000-000000000000" },
  ];
  const kept = events.flatMap((event) => lines.next(event) ?? []).map((line) => JSON.parse(line));
  expect(kept.map(({ parentId }) => parentId)).toEqual([LAST, id]);
});

it.each<NewEvent>([
  { type: "user.message", data: { content: "x" }, ephemeral: true },
  { type: "session.idle", data: {} },
  { type: "tool.execution_partial_result", data: { toolCallId: "t", partialOutput: "x" } },
])("does not keep what is only for those who listen: $type", (event) => {
  expect(lineOf(event)).toBeUndefined();
});

it.each<[string, unknown, string]>([
  ["a field is missing", { type: "user.message", data: {} }, 'user.message lacks "content"'],
  ["a field is of another kind", { type: "user.message", data: { content: 1 } }, "is not text"],
  ["the id is none", { type: "user.message", data: { content: "" }, id: "1" }, '"id" is not a UUID'],
  ["it is of our own kind, without a UUID", { type: "app.note", data: {}, id: "1" }, '"id" is not a UUID'],
  ["the time has no zone", { type: "app.note", data: {}, timestamp: "2026-01-02T03:04:05" }, "timezone"],
  ["there is no data", { type: "tool.execution_complete" }, 'has no "data"'],
  ["JSON makes something else of it", { type: "user.message", data: { content: undefined } }, "lacks"],
])("refuses an event with which the program would refuse the session: %s", (_why, event, words) => {
  expect(() => lineOf(event as NewEvent)).toThrow(words);
});

it("keeps events of the application's own kinds", () => {
  expect(lineOf({ type: "app.note", data: { text: "mine" } })).toMatchObject({ type: "app.note" });
});

it("goes on with the chain after an event that was refused", () => {
  const lines = maker();
  expect(() => lines.next({ type: "user.message", data: {} })).toThrow();
  expect(JSON.parse(lines.next({ type: "app.note", data: {} }) ?? "")).toMatchObject({ parentId: LAST });
});

it("keeps up to 20,480 bytes of what a tool gave back, and of more a notice with its first 500 characters", () => {
  const whole = { content: "é".repeat(10_240) };
  expect(resultOf({ result: whole }).result).toEqual(whole);
  const long = `${"x".repeat(499)}🚀${"y".repeat(43_390)}`;
  expect(resultOf({ result: { content: long, detailedContent: "short" } }).result).toEqual({
    content: `Output too large to keep (42.9 KB).\n\nPreview (first 500 chars):\n${"x".repeat(499)}`,
    detailedContent: "short",
  });
  expect(resultOf({ success: false, error: { message: long, code: "E" } }).error).toEqual({
    message: expect.stringContaining("Output too large to keep (42.9 KB)."),
    code: "E",
  });
});

it("leaves out pictures and structures that are bulky, and leaves alone what is no result", () => {
  const picture = [{ type: "image", data: "A".repeat(30_000) }];
  expect(
    resultOf({ result: { content: "a picture", contents: picture, structuredContent: { a: 1 } } }),
  ).toEqual({
    toolCallId: "t",
    success: true,
    result: { content: "a picture", structuredContent: { a: 1 } },
  });
  const content = "long ".repeat(10_000);
  expect(lineOf({ type: "user.message", data: { content } })?.data).toEqual({ content });
});
