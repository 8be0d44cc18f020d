/** Events become pieces in the order in which they came. */
import { expect, it } from "vitest";
import type { ChatEvent } from "../../../../src/client/index.ts";
import { NOTHING_YET, withEvent } from "./answer-state.ts";

const fold = (...events: ChatEvent[]) => events.reduce(withEvent, NOTHING_YET);
const text = (message: string, piece: string): ChatEvent => ({ kind: "text", message, text: piece });

it("joins what is said in one message, and keeps messages apart", () => {
  expect(fold(text("1", "Hel"), text("1", "lo"), text("2", "Next")).pieces).toEqual([
    { kind: "text", message: "1", text: "Hello" },
    { kind: "text", message: "2", text: "Next" },
  ]);
});

it("keeps one line for a tool, where it began", () => {
  const state = fold(
    { kind: "thinking", text: "Hm" },
    { kind: "thinking", text: "m." },
    { kind: "tool", call: "a", name: "bash", state: "began", says: "run the tests" },
    { kind: "tool", call: "b", name: "view", state: "began" },
    text("1", "Both run."),
    { kind: "tool", call: "a", name: "bash", state: "failed", says: "exit 1" },
    { kind: "tool", call: "b", name: "view", state: "done", says: "10 lines" },
  );
  expect(state.pieces).toEqual([
    { kind: "thinking", text: "Hmm." },
    { kind: "tool", call: "a", name: "bash", state: "failed", says: "run the tests", reason: "exit 1" },
    { kind: "tool", call: "b", name: "view", state: "done", says: "10 lines" },
    { kind: "text", message: "1", text: "Both run." },
  ]);
});

it("remembers how it ended", () => {
  const finished = { kind: "finished", state: "whole", answer: "x", isImprecise: false, usage: {} } as const;
  expect(fold(text("1", "x"), finished).finished).toEqual(finished);
  expect(fold({ kind: "opened", id: "1", source: "copilot-cli", workspace: "/w", isHere: true })).toEqual(
    NOTHING_YET,
  );
});
