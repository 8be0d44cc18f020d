/** Where a match is, and what has to be opened to see it. */
import { describe, expect, it } from "vitest";
import type { Part, Turn } from "../types.ts";
import { locate } from "./locate.ts";

const at = (line: number) => ({ line, start: 0, end: 1 });
const call = (callId: string, line: number, more: Partial<Extract<Part, { kind: "tool" }>> = {}): Part => ({
  kind: "tool",
  callId,
  name: "bash",
  input: { command: "echo fox" },
  status: "ok",
  result: "no such word, then fox and fox",
  origin: at(line),
  ...more,
});
const turn: Turn = {
  index: 3,
  user: "Where is the fox? The Fox!",
  assistant: "",
  startedAt: null,
  endedAt: null,
  attachments: [],
  origin: at(10),
  parts: [
    { kind: "text", text: "a fox", origin: at(11) },
    { kind: "thinking", text: "fox, fox", origin: at(12) },
    call("a", 13),
    call("b", 14, { children: [{ kind: "text", text: "deep fox", origin: at(15) }] }),
    { kind: "text", text: "another fox", origin: at(16) },
  ],
};
const match = { turn: 3, text: "fox", callId: null, nth: 0 };

describe("locate", () => {
  it("finds the prompt and the answers by their record", () => {
    expect(locate(turn, { ...match, where: "user", line: 10, nth: 1 })).toEqual({
      row: "3",
      nth: 1,
      open: [],
    });
    expect(locate(turn, { ...match, where: "assistant", line: 16 })).toEqual({
      row: "3.4",
      nth: 0,
      open: [],
    });
  });

  it("opens thinking and calls", () => {
    expect(locate(turn, { ...match, where: "thinking", line: 12, nth: 1 })).toEqual({
      row: "3.1",
      nth: 1,
      open: ["3.1"],
    });
    expect(locate(turn, { ...match, where: "tool", callId: "b", line: 99, nth: 2 })).toEqual({
      row: "3.3",
      nth: 2,
      open: ["3.3"],
    });
  });

  it("opens the call that started a sub-agent", () => {
    expect(locate(turn, { ...match, where: "assistant", callId: "b", line: 15 })).toEqual({
      row: "3.3.0",
      nth: 0,
      open: ["3.3"],
    });
  });

  it("goes to the call whose result was not read that far", () => {
    expect(locate(turn, { ...match, where: "tool", callId: "a", line: 99, nth: 40 })).toEqual({
      row: "3.2",
      nth: 0,
      open: ["3.2"],
    });
  });
});
