import { describe, expect, it } from "vitest";
import type { ContextMessage } from "../model/session/context.ts";
import type { Event, Origin } from "../model/session/session.ts";
import { createTurnPlaces } from "./turn-places.ts";

const at = (start: number): Origin => ({ line: start / 10 + 1, start, end: start + 9 });
const prompt = (start: number, text = "Ask"): Event => ({ kind: "prompt", text, origin: at(start) });
const call = (start: number, callId: string): Event => ({
  kind: "tool-call",
  callId,
  name: "run",
  input: {},
  origin: at(start),
});
const text = (start: number): Event => ({ kind: "text", text: "Said", origin: at(start) });
const said = (role: ContextMessage["role"], more: Partial<ContextMessage> = {}): ContextMessage => ({
  role,
  text: "",
  ...more,
});

const turnsOf = (events: readonly Event[], messages: readonly ContextMessage[]): (number | null)[] => {
  const places = createTurnPlaces();
  for (const event of events) places.event(event);
  return places.of(messages);
};

describe("the turn of a message", () => {
  it("is that of the event at its place, or of the last one before it", () => {
    const events = [prompt(10), text(20), prompt(30), prompt(40, " "), text(60)];
    const messages = [0, 10, 20, 25, 30, 40, 55, 70].map((start) => said("user", { origin: at(start) }));
    expect(turnsOf(events, messages)).toEqual([null, 0, 0, 0, 1, 1, 1, 1]);
  });

  it("is that of the call, where a result stands behind the next prompt", () => {
    const events = [prompt(0), call(10, "a"), prompt(20)];
    expect(turnsOf(events, [said("tool", { toolCallId: "a", origin: at(30) })])).toEqual([0]);
  });

  it("is that of the message before, for what the program makes up", () => {
    const messages = [said("user"), said("assistant", { origin: at(20) }), said("tool", { toolCallId: "x" })];
    expect(turnsOf([prompt(0), prompt(20)], messages)).toEqual([null, 1, 1]);
  });

  it("is the one that its source names", () => {
    expect(turnsOf([prompt(0)], [said("user", { turn: 3, origin: at(0) })])).toEqual([3]);
  });

  it("follows the conversation where the log has another order", () => {
    const events = [prompt(0), text(30), prompt(10), text(20)];
    const messages = [0, 30, 10, 20].map((start) => said("user", { origin: at(start) }));
    expect(turnsOf(events, messages)).toEqual([0, 0, 1, 1]);
  });

  it("knows nothing of what sub-agents did", () => {
    const events = [prompt(0), { ...call(10, "a"), agent: "b" }, prompt(20)];
    expect(turnsOf(events, [said("tool", { toolCallId: "a", origin: at(30) })])).toEqual([1]);
  });
});
