import { expect, it } from "vitest";
import type { ChatMessage } from "./chat-record.ts";
import { findMissed } from "./prepare-send.ts";

const at = "2026-11-16T10:00:00.000Z";
const said = (...texts: string[]): ChatMessage[] =>
  texts.map((text, number) => ({ role: number % 2 === 0 ? "user" : "assistant", text, at }));

it.each([
  ["all of it is known", said("one", "1"), said("one", "1"), []],
  [
    "two turns came",
    said("one", "1"),
    said("one", "1", "two", "2", "three", "3"),
    ["two", "2", "three", "3"],
  ],
  ["our answer was cut short", said("one"), said("one\n", "1", "two"), ["two"]],
  [
    "the same was asked again",
    said("go on", "1", "go on", "2"),
    said("go on", "1", "go on", "2", "stop"),
    ["stop"],
  ],
  ["it was cut back", said("one", "1", "two", "2"), said("one", "1"), []],
  ["nothing was said yet", [], said("one", "1"), []],
])("finds what was missed: %s", (_, ours, all, missed) => {
  expect(findMissed(ours, all).map(({ text }) => text)).toEqual(missed);
});
