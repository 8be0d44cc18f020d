import { describe, expect, it } from "vitest";
import { type Comparison, compareTurns } from "./compare.ts";
import type { Event } from "./session.ts";
import { type TurnDigest, toDigest } from "./turn-digest.ts";
import { toTurns } from "./turns.ts";

let line = 0;
const origin = () => ({ line: ++line, start: line, end: line });

interface Told {
  readonly answer?: string;
  readonly tool?: string;
  readonly input?: object;
  readonly command?: string;
  readonly path?: string;
  readonly result?: string;
}

/** A session of prompts, each with what followed; ids, places and times are new every time. */
function session(turns: Readonly<Record<string, Told>>, workspace?: string): TurnDigest[] {
  const events = Object.entries(turns).flatMap(([prompt, told]): Event[] => {
    const callId = `call-${++line}`;
    const call: Event = {
      kind: "tool-call",
      callId,
      name: told.tool ?? "bash",
      input: told.input ?? { command: told.command, path: told.path },
      act: {
        does: told.path === undefined ? "run" : "edit",
        ...(told.command !== undefined && { command: told.command }),
        ...(told.path !== undefined && { paths: [told.path] }),
      },
      origin: origin(),
    };
    const result: Event = {
      kind: "tool-result",
      callId,
      status: "ok",
      text: told.result ?? "",
      origin: origin(),
    };
    return [
      { kind: "prompt", text: prompt, origin: origin(), time: new Date(line).toISOString() },
      ...(told.command === undefined && told.path === undefined ? [] : [call, result]),
      { kind: "text", text: told.answer ?? `about ${prompt}`, origin: origin() },
    ];
  });
  return toTurns(events).map((turn) => toDigest(turn, workspace));
}

const within = { acrossSources: false };

/** "=0 ~1/1 -2 +2": what happened to which turns. */
const told = ({ steps }: Comparison): string =>
  steps
    .map((step) => {
      if (step.kind === "same") return `=${step.a}/${step.b}x${step.count}`;
      if (step.kind === "changed") return `~${step.a.index}/${step.b.index}`;
      return step.kind === "only-a" ? `-${step.a.index}` : `+${step.b.index}`;
    })
    .join(" ");

describe("compareTurns", () => {
  it("takes a copy with other ids and times for the same", () => {
    const turns = { one: { command: "ls", result: "a b" }, two: {} };
    const comparison = compareTurns(session(turns), session(turns), within);
    expect(comparison).toEqual({
      shared: 2,
      steps: [{ kind: "same", a: 0, b: 0, count: 2 }],
      files: { onlyA: [], onlyB: [], both: [] },
      commands: { onlyA: [], onlyB: [], both: [] },
    });
  });

  it("tells where a fork leaves its origin, and what each did from there", () => {
    const start = { one: {}, two: { command: "ls" } };
    const a = session({ ...start, three: { path: "src/a.ts" }, four: { command: "npm test" } });
    const b = session({ ...start, other: { path: "src/b.ts" }, last: { command: "npm test" } });
    const comparison = compareTurns(a, b, within);
    expect(told(comparison)).toBe("=0/0x2 -2 -3 +2 +3");
    expect(comparison.shared).toBe(2);
    expect(comparison.files).toEqual({ onlyA: ["src/a.ts"], onlyB: ["src/b.ts"], both: [] });
    expect(comparison.commands).toEqual({ onlyA: [], onlyB: [], both: ["npm test"] });
  });

  it("does not take all the rest for changed when one turn was put in", () => {
    const a = session({ one: {}, two: {}, three: {} });
    const b = session({ one: {}, extra: {}, two: {}, three: {} });
    const comparison = compareTurns(a, b, within);
    expect(told(comparison)).toBe("=0/0x1 +1 =1/2x2");
    expect(comparison.shared).toBe(1);
  });

  it("says what differs behind the same prompt", () => {
    const a = session({ one: { command: "ls", result: "a" }, two: { answer: "yes" } });
    const b = session({ one: { command: "ls", result: "b" }, two: { answer: "no" } });
    const { steps } = compareTurns(a, b, within);
    expect(steps.map((step) => step.kind === "changed" && step.differs)).toEqual([["results"], ["answer"]]);
  });

  it("looks through what two programs call their tools, how they answer, and where they stand", () => {
    const a = session(
      { one: { tool: "Edit", path: "/home/dev/shop/a.ts", result: "ok", answer: "Done.\n" } },
      "/home/dev/shop",
    );
    const b = session(
      { one: { tool: "str_replace", path: "a.ts", result: "1 replaced", answer: "Done." } },
      "/srv/shop",
    );
    expect(told(compareTurns(a, b, { acrossSources: true }))).toBe("=0/0x1");
    const { steps } = compareTurns(a, b, within);
    expect(steps).toMatchObject([{ kind: "changed", differs: ["calls", "results"] }]);
  });

  it("has nothing to share with an empty session", () => {
    expect(told(compareTurns([], session({ one: {} }), within))).toBe("+0");
    expect(compareTurns([], [], within).steps).toEqual([]);
  });
});
