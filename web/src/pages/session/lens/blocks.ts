/** The blocks of the bar: you, the agent, thinking, each tool, the program; always in this order. */
import type { Passage, Share } from "./types.ts";

export interface Block {
  /** `you`, `agent`, `thinking`, `program`, or `tool:` and its name. */
  readonly id: string;
  readonly label: string;
  /** The name of its colour. */
  readonly fill: string;
  readonly tokens: number;
  /** What a budget leaves of it. */
  readonly tokensAfter: number;
  readonly count: number;
}

const LABELS = { you: "You", agent: "Agent", thinking: "Thinking", program: "Program" } as const;
const ORDER = ["you", "agent", "thinking", "tool", "program"] as const;
/** So many tools have a colour of their own; the others share the last one. */
const FILLS = 5;

const idOf = ({ group, tool }: Pick<Share, "group" | "tool">): string =>
  group === "tool" ? `tool:${tool ?? ""}` : group;

/** Calls and results of one tool are one block. */
export function blocksOf(shares: readonly Share[]): Block[] {
  const byId = Map.groupBy(shares, idOf);
  const sum = (all: readonly Share[], of: "tokens" | "tokensAfter" | "count"): number =>
    all.reduce((total, each) => total + each[of], 0);
  const blocks = [...byId].flatMap(([id, all]) => {
    const [first] = all;
    if (!first) return [];
    const label = first.group === "tool" ? (first.tool ?? "tools") : LABELS[first.group];
    const sums = {
      tokens: sum(all, "tokens"),
      tokensAfter: sum(all, "tokensAfter"),
      count: sum(all, "count"),
    };
    return [{ id, label, group: first.group, ...sums }];
  });
  blocks.sort((a, b) => ORDER.indexOf(a.group) - ORDER.indexOf(b.group) || b.tokens - a.tokens);
  let tools = 0;
  return blocks.map(({ group, ...block }) => ({
    ...block,
    fill: group === "tool" ? `tool-${Math.min(++tools, FILLS)}` : group,
  }));
}

const GROUPS: Readonly<Record<Passage["kind"], string>> = {
  prompts: "you",
  answers: "agent",
  thinking: "thinking",
  "tool-calls": "tool",
  "tool-results": "tool",
  "made-up": "program",
};

/** The block that a passage belongs to. */
export const blockOf = ({ kind, tool }: Pick<Passage, "kind" | "tool">): string =>
  GROUPS[kind] === "tool" ? `tool:${tool ?? ""}` : GROUPS[kind];
