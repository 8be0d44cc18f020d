/** Decides which turns, tool calls and passages of a session to cut; the sources apply the cuts to their files. */
import { AppError } from "../errors.ts";
import { callsOf, type Passage } from "./passage.ts";
import { type Ledger, type LedgerEntry, type Reduction, shareOf } from "./reduction.ts";

export interface Cuts {
  readonly turns: Set<number>;
  readonly calls: Set<string>;
  /** The calls of which so many characters of every long text stay. */
  readonly limits: Map<string, number>;
  /** The same for what was said, by the number of its passage. */
  readonly texts: Map<number, number>;
  /** The passages that lose their thoughts. */
  readonly thoughts: Set<number>;
}

/** All that is asked for but the budget, which comes on top. */
export function toCuts(passages: readonly Passage[], turns: number, reduction: Reduction, id: string): Cuts {
  const { tools, dropOldest, dropThinking = false } = reduction;
  const dropped = dropOldest ? shareOf(dropOldest, turns) : 0;
  if (dropped > 0 && dropped >= turns)
    throw new AppError(
      "usage",
      turns < 2
        ? `Session ${id} has ${turns === 1 ? "one turn" : "no turns"}, so none can be left out`
        : `Session ${id} has ${turns} turns, and one must be kept`,
      turns < 2
        ? { say: "Clone all of it", remedy: { action: "clone", session: id } }
        : {
            say: "Leave out fewer",
            remedy: { action: "clone", session: id, args: { dropOldest: turns - 1 } },
          },
    );
  const calls = callsOf(passages);
  const cuts: Cuts = {
    turns: new Set(Array.from({ length: dropped }, (_, turn) => turn)),
    calls: new Set(),
    limits: new Map(),
    texts: new Map(),
    thoughts: new Set(
      dropThinking ? passages.flatMap((each, number) => (isThought(each) ? [number] : [])) : [],
    ),
  };
  // When all calls are left out, so is the work of sub-agents, even if their call was not recorded.
  if (tools === "drop") for (const { call } of passages) if (call !== undefined) cuts.calls.add(call);
  if (tools === "drop") for (const call of calls) cuts.calls.add(call);
  else if (tools && "oldest" in tools)
    for (const call of calls.slice(0, Math.floor((calls.length * tools.oldest) / 100))) cuts.calls.add(call);
  else if (tools) for (const call of calls) cuts.limits.set(call, tools.truncate);
  for (const passage of passages)
    if (cuts.turns.has(passage.turn)) for (const call of callsIn(passage)) cuts.calls.add(call);
  return cuts;
}

/** The calls that cannot stay when this goes: a result may stand behind the next prompt, and a call without one is none. */
export const callsIn = ({ kind, call, makes }: Passage): string[] => [
  ...(makes ?? []).map(({ id }) => id),
  ...(kind === "result" && call !== undefined ? [call] : []),
];

const isThought = ({ kind, thinks }: Passage): boolean => kind === "thought" || thinks !== undefined;

/** True for a passage of which nothing stays. */
export function isDropped(passage: Passage, number: number, cuts: Cuts): boolean {
  const { kind, turn, call, tokens, makes } = passage;
  if (call !== undefined && cuts.calls.has(call)) return true;
  if (kind === "thought" && cuts.thoughts.has(number)) return true;
  if (cuts.turns.has(turn)) return kind !== "setting" && !isLastWord(passage, cuts);
  // An answer that said nothing beside its calls has nothing left to say.
  return kind === "answer" && tokens === 0 && makes?.every(({ id }) => cuts.calls.has(id)) === true;
}

/** A summary replaces everything before it, so it is removed only when all of that is removed. */
const isLastWord = ({ kind, turn }: Passage, { turns }: Cuts): boolean =>
  (kind === "summary" || kind === "clear") &&
  Array.from({ length: turn }, (_, each) => each).some((each) => !turns.has(each));

export function toLedger(
  passages: readonly Passage[],
  turns: number,
  cuts: Cuts,
  cutCalls: ReadonlySet<string>,
): Ledger {
  const isGone = passages.map((passage, number) => isDropped(passage, number, cuts));
  const those = (wanted: (passage: Passage) => boolean): number[] =>
    passages.flatMap((passage, number) => (wanted(passage) ? [number] : []));
  const texts = those(({ kind, tokens }) => (kind === "prompt" || kind === "answer") && tokens > 0);
  const thoughts = those(isThought);
  const entry = (all: number, cut: number, dropped: number): LedgerEntry => ({
    kept: all - cut - dropped,
    cut,
    dropped,
  });
  const calls = callsOf(passages);
  return {
    turns: entry(turns, 0, cuts.turns.size),
    toolCalls: entry(calls.length, cutCalls.size, calls.filter((call) => cuts.calls.has(call)).length),
    texts: entry(
      texts.length,
      texts.filter((number) => !isGone[number] && cuts.texts.has(number)).length,
      texts.filter((number) => isGone[number]).length,
    ),
    thoughts: entry(
      thoughts.length,
      0,
      thoughts.filter((number) => cuts.thoughts.has(number) || isGone[number]).length,
    ),
  };
}
