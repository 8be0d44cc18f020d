/** Rows of the conversation: their order, their keys, and what is folded. */
import { describe, expect, it } from "vitest";
import type { OutlineTurn, Part, Turn } from "../types.ts";
import { type Folds, rowsOf } from "./rows.ts";

const origin = { line: 1, start: 0, end: 1 };
const said = (text: string): Part => ({ kind: "text", text, origin });
const called = (callId: string, more: Partial<Extract<Part, { kind: "tool" }>> = {}): Part => ({
  kind: "tool",
  callId,
  name: "bash",
  input: {},
  status: "ok",
  origin,
  ...more,
});
const outlineOf = (index: number): OutlineTurn => ({
  index,
  prompt: `prompt ${index}`,
  startedAt: null,
  endedAt: null,
  estimatedTokens: 100,
  bytes: 1000,
  toolCalls: 0,
  failedCalls: 0,
  filesChanged: 0,
  hasCheckpoint: false,
});
const turnOf = (index: number, parts: Part[]): Turn => ({
  index,
  user: `prompt ${index}`,
  assistant: "",
  startedAt: null,
  endedAt: null,
  attachments: [],
  parts,
  origin,
});
const rows = (turns: (Turn | undefined)[], folds: Folds = new Map(), preamble: Part[] = []) =>
  rowsOf(
    turns.map((_, index) => outlineOf(index)),
    (index) => turns[index],
    preamble,
    folds,
    () => 500,
  ).map(({ key, kind }) => `${key} ${kind}`);

describe("rowsOf", () => {
  it("has a head and a blank for a turn that was not read", () => {
    expect(rows([undefined, turnOf(1, [said("a"), called("c")])])).toEqual([
      "0 head",
      "0.0 blank",
      "1 head",
      "1.0 text",
      "1.1 tool",
    ]);
  });

  it("says that a turn has no answer, and leaves out blank texts", () => {
    expect(rows([turnOf(0, [said(" ")])])).toEqual(["0 head", "0.0 silent"]);
  });

  it("shows what stands before the first prompt", () => {
    expect(rows([turnOf(0, [said("a")])], new Map(), [{ kind: "clear", origin }])).toEqual([
      "p.0 clear",
      "0 head",
      "0.0 text",
    ]);
  });

  it("splits a long answer into rows of its own", () => {
    const long = Array.from({ length: 400 }, () => "word ".repeat(60)).join("\n\n");
    const all = rows([turnOf(0, [said(long), said("b")])]);
    expect(all.length).toBeGreaterThan(10);
    expect(all.slice(0, 3)).toEqual(["0 head", "0.0 text", "0.0~1 text"]);
    expect(all.at(-1)).toBe("0.1 text");
  });

  it("nests the work of a sub-agent below its call, once that is open", () => {
    const turn = turnOf(0, [called("a", { children: [said("b"), called("c")] }), said("d")]);
    expect(rows([turn])).toEqual(["0 head", "0.0 tool", "0.1 text"]);
    expect(rows([turn], new Map([["0.0", true]]))).toEqual([
      "0 head",
      "0.0 tool",
      "0.0.0 text",
      "0.0.1 tool",
      "0.1 text",
    ]);
  });

  it("folds the middle of a long run of calls", () => {
    const calls = Array.from({ length: 500 }, (_, at) => called(`c${at}`));
    const turn = turnOf(0, [said("a"), ...calls, said("z")]);
    const folded = rows([turn]);
    expect(folded).toHaveLength(1 + 1 + 8 + 1 + 4 + 1);
    expect(folded[10]).toBe("0.9+ run");
    expect(folded.slice(11)).toEqual(["0.497 tool", "0.498 tool", "0.499 tool", "0.500 tool", "0.501 text"]);
    expect(rows([turn], new Map([["0.9+", true]]))).toHaveLength(1 + 1 + 500 + 1);
  });
});
