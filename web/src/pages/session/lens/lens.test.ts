import { describe, expect, it } from "vitest";
import { blockOf, blocksOf } from "./blocks.ts";
import { countByCall, fatesOf } from "./fates-of.ts";
import { afterKey, stepFor, turnsWithin } from "./steps.ts";
import type { Passage, Share } from "./types.ts";

const share = (group: Share["group"], tokens: number, tool: string | null = null): Share => ({
  kind: "answers",
  tool,
  group,
  label: "",
  tokens,
  tokensAfter: tokens / 2,
  count: 1,
});
const passage = (some: Partial<Passage>): Passage => ({
  id: 0,
  turn: 0,
  kind: "tool-results",
  tool: "bash",
  callId: null,
  label: "",
  tokens: 10,
  fate: "kept",
  tokensAfter: 10,
  ...some,
});

describe("blocks", () => {
  it("joins calls and results of a tool, and keeps one order whatever is largest", () => {
    const blocks = blocksOf([
      share("tool", 60, "bash"),
      share("program", 90),
      share("tool", 70, "view"),
      share("agent", 10),
      share("tool", 20, "bash"),
      share("you", 1),
    ]);
    expect(blocks.map(({ id, tokens }) => [id, tokens])).toEqual([
      ["you", 1],
      ["agent", 10],
      ["tool:bash", 80],
      ["tool:view", 70],
      ["program", 90],
    ]);
    expect(blocks[2]).toMatchObject({ fill: "tool-1", tokensAfter: 40, count: 2 });
    expect(blockOf(passage({}))).toBe("tool:bash");
    expect(blockOf(passage({ kind: "made-up", tool: null }))).toBe("program");
  });

  it("lets tools beyond the fifth share a colour", () => {
    const fills = blocksOf(Array.from({ length: 8 }, (_, n) => share("tool", 9 - n, `t${n}`)));
    expect(fills.map(({ fill }) => fill).slice(3)).toEqual([
      "tool-4",
      "tool-5",
      "tool-5",
      "tool-5",
      "tool-5",
    ]);
  });
});

describe("fates", () => {
  it("says shortened of a call that stays without its result, and dropped of one that goes", () => {
    const all = [
      passage({ callId: "a", kind: "tool-calls" }),
      passage({ callId: "a" }),
      passage({ callId: "b", kind: "tool-calls" }),
      passage({ callId: "b" }),
    ];
    const changed = {
      passages: [
        passage({ callId: "a", fate: "dropped" }),
        passage({ callId: "b", kind: "tool-calls", fate: "dropped" }),
        passage({ callId: "b", fate: "dropped" }),
      ],
      turns: [],
    };
    const { byCall } = fatesOf(5, changed, countByCall(all), 0);
    expect([...byCall]).toEqual([
      ["a", "cut"],
      ["b", "dropped"],
    ]);
  });

  it("dims a turn's words only where these are cut, and thinking only where all of it goes", () => {
    const changed = {
      passages: [
        passage({ turn: 1, kind: "answers", fate: "cut" }),
        passage({ turn: 2, callId: "c", fate: "cut" }),
        passage({ turn: 3, kind: "thinking", fate: "dropped" }),
      ],
      turns: [
        { index: 2, tokens: 9, tokensAfter: 1, fate: "cut" as const },
        { index: 4, tokens: 9, tokensAfter: 0, fate: "dropped" as const },
      ],
    };
    const fates = fatesOf(5, changed, new Map([["c", 2]]), 2);
    expect([...fates.byTurn]).toEqual([
      [1, "cut"],
      [4, "dropped"],
    ]);
    expect(fates.thinking).toBeNull();
    expect(fatesOf(5, changed, new Map(), 1).thinking).toBe("dropped");
  });
});

describe("the handle", () => {
  it("has about a hundred round places, however small the context", () => {
    expect([40, 900, 11_800, 118_000, 2_000_000].map(stepFor)).toEqual([1, 10, 100, 1000, 20_000]);
  });

  it("moves by keys and stays on the bar", () => {
    const range = { least: 4000, most: 118_000, step: 1000 };
    expect(afterKey("ArrowLeft", 60_000, range)).toBe(59_000);
    expect(afterKey("PageDown", 9000, range)).toBe(4000);
    expect(afterKey("ArrowRight", 118_000, range)).toBe(118_000);
    expect(afterKey("Home", 60_000, range)).toBe(4000);
    expect(afterKey("End", 60_000, range)).toBe(118_000);
    expect(afterKey("x", 60_000, range)).toBeUndefined();
  });

  it("keeps the last turns that fit, and always one", () => {
    const turns = [{ tokens: 50 }, { tokens: 30 }, { tokens: 20 }];
    expect([10, 20, 50, 99, 100].map((budget) => turnsWithin(turns, budget))).toEqual([1, 1, 2, 2, 3]);
  });
});
