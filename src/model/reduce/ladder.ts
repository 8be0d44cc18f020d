/** Chooses the cuts that fit a session into a token budget: bulky results first; requests, decisions and fixes last. */
import { type Cuts, callsIn } from "./cuts.ts";
import type { Passage } from "./passage.ts";

type Act =
  | { readonly does: "drop-thoughts"; readonly passage: number }
  | { readonly does: "shorten-call"; readonly call: string; readonly limit: number }
  | { readonly does: "drop-call"; readonly call: string }
  | { readonly does: "shorten-text"; readonly passage: number; readonly limit: number }
  | { readonly does: "drop-turn"; readonly turn: number };

interface Call {
  readonly id: string;
  readonly name: string;
  readonly turn: number;
  /** It changed a file, failed, or was the next try of what failed. */
  matters: boolean;
}

/** The last turns, which the user still has in mind. */
const RECENT = 3;

export interface Bounds {
  readonly turns: number;
  /** Turns that cannot go, as they hold what stands for those before them. */
  readonly anchored?: ReadonlySet<number>;
}

/** Adds cuts, the least harmful first, until the rest should cost no more than that. */
export const fitBudget = (
  passages: readonly Passage[],
  cuts: Cuts,
  { budget, ...bounds }: Bounds & { readonly budget: number },
): void => void createLadder(passages, cuts, bounds).fit(cuts, budget);

export interface Ladder {
  /** Adds the cuts for a budget; how many steps that took. */
  fit(cuts: Cuts, budget: number): number;
}

/** For any number of budgets that start from the same cuts. What would save nothing is no step. */
export function createLadder(passages: readonly Passage[], cuts: Readonly<Cuts>, bounds: Bounds): Ladder {
  const whole = weigh(passages, cuts);
  const steps = ladder(passages, bounds).filter((act) => isUseful(act, whole));
  return {
    fit(into, budget) {
      const weights = whole.copy();
      for (const [number, act] of steps.entries()) {
        if (weights.total() <= budget) return number;
        perform(act, into, weights);
      }
      return steps.length;
    },
  };
}

/** Costs only ever become less. */
function isUseful(act: Act, weights: Weights): boolean {
  if (act.does === "drop-turn") return weights.costsOf(act.turn).some((place) => weights.get(place) > 0);
  if (act.does === "drop-call") return weights.get({ call: act.call }) > 0;
  if (act.does === "drop-thoughts") return weights.get({ thoughts: act.passage }) > 0;
  const place = act.does === "shorten-call" ? { call: act.call } : { text: act.passage };
  return stubTokens(act.limit) < weights.get(place);
}

/** All that can be done, in the order in which it is done; each step from the oldest turn on. */
function ladder(passages: readonly Passage[], { turns, anchored }: Bounds): Act[] {
  const calls = findCalls(passages);
  const [last, recent] = [turns - 1, turns - RECENT];
  const old = calls.filter(({ turn }) => turn < recent);
  const late = calls.filter(({ turn }) => turn >= recent);
  const shorten = (some: readonly Call[], limit: number): Act[] =>
    some.map(({ id }) => ({ does: "shorten-call", call: id, limit }));
  const drop = (some: readonly Call[]): Act[] => some.map(({ id }) => ({ does: "drop-call", call: id }));
  const those = (wanted: (passage: Passage) => boolean): number[] =>
    passages.flatMap((passage, number) => (wanted(passage) ? [number] : []));
  const say = (wanted: (passage: Passage) => boolean, limit: number): Act[] =>
    those(wanted).map((passage) => ({ does: "shorten-text", passage, limit }));
  const forget = (wanted: (passage: Passage) => boolean): Act[] =>
    those((passage) => passage.thinks !== undefined && wanted(passage)).map((passage) => ({
      does: "drop-thoughts",
      passage,
    }));
  const plain = ({ matters }: Call): boolean => !matters;
  const middle = Array.from({ length: Math.max(0, recent - 1) }, (_, index) => index + 1);
  const eventful = new Set(calls.filter(({ matters }) => matters).map(({ turn }) => turn));
  const dropTurns = (some: readonly number[]): Act[] =>
    some.filter((turn) => !anchored?.has(turn)).map((turn) => ({ does: "drop-turn", turn }));
  return [
    ...forget(({ turn }) => turn < recent),
    ...shorten(old.filter(plain), 300),
    ...shorten(old, 300),
    ...drop(old.filter(plain)),
    ...say(({ kind, turn, makes }) => kind === "answer" && turn < recent && makes !== undefined, 300),
    ...say(({ kind, turn }) => (kind === "answer" || kind === "said") && turn < recent, 900),
    ...shorten(
      late.filter(({ turn }) => turn < last),
      1000,
    ),
    ...shorten(late, 2000),
    ...forget(() => true),
    ...dropTurns(middle.filter((turn) => !eventful.has(turn))),
    ...shorten(late, 300),
    ...drop(calls.filter(plain)),
    ...dropTurns(middle),
    ...drop(calls),
    ...say(({ kind }) => kind === "answer" || kind === "said", 900),
    ...dropTurns(
      Array.from({ length: RECENT }, (_, index) => recent + index).filter((turn) => turn > 0 && turn < last),
    ),
    ...say(({ kind, turn }) => kind === "answer" && turn === 0 && turn < last, 200),
    ...say(({ kind }) => kind !== "setting", 1000),
    ...say(({ kind }) => kind !== "setting", 200),
  ];
}

function findCalls(passages: readonly Passage[]): Call[] {
  const calls = new Map<string, Call>();
  /** The tools whose last call failed. */
  const failing = new Set<string>();
  for (const { kind, makes, call, turn, failed } of passages) {
    for (const { id, name, edits } of makes ?? [])
      if (!calls.has(id)) calls.set(id, { id, name, turn, matters: edits === true || failing.has(name) });
    const made = kind === "result" && call !== undefined ? calls.get(call) : undefined;
    if (made && failed) {
      made.matters = true;
      failing.add(made.name);
    } else if (made) failing.delete(made.name);
  }
  return [...calls.values()];
}

type Weighed =
  | { readonly call: string }
  | { readonly text: number }
  /** The passage whose thoughts are meant. */
  | { readonly thoughts: number };

/** What calls, with their results, texts and thoughts cost as things stand. */
interface Weights {
  /** What goes with a turn. */
  costsOf(turn: number): readonly Weighed[];
  total(): number;
  get(place: Weighed): number;
  set(place: Weighed, tokens: number): void;
  copy(): Weights;
}

function weigh(passages: readonly Passage[], cuts: Readonly<Cuts>): Weights {
  const calls = new Map<string, number>();
  const add = (call: string, tokens: number): void =>
    void calls.set(call, cuts.calls.has(call) ? 0 : (calls.get(call) ?? 0) + tokens);
  const texts: number[] = [];
  const thoughts: number[] = [];
  for (const [number, passage] of passages.entries()) {
    const isThere = !passage.unseen && !cuts.turns.has(passage.turn);
    thoughts.push(isThere && !cuts.thoughts.has(number) ? (passage.thinks ?? 0) : 0);
    texts.push(isThere && passage.kind !== "result" ? passage.tokens : 0);
    if (passage.unseen) continue;
    for (const { id, tokens } of passage.makes ?? []) add(id, tokens);
    if (passage.kind === "result" && passage.call !== undefined) add(passage.call, passage.tokens);
  }
  const byTurn = Map.groupBy(passages.keys(), (number) => passages[number]?.turn);
  const total = [...calls.values(), ...texts, ...thoughts].reduce((sum, tokens) => sum + tokens, 0);
  const costs = new Map<number, readonly Weighed[]>();
  return createWeights(calls, texts, thoughts, total, (turn) => {
    const found = costs.get(turn) ?? (byTurn.get(turn) ?? []).flatMap((at) => costsIn(passages[at], at));
    costs.set(turn, found);
    return found;
  });
}

/** A summary stays as long as anything that it stands for. */
function costsIn(passage: Passage | undefined, number: number): Weighed[] {
  if (!passage) return [];
  const isLastWord = passage.kind === "summary" || passage.kind === "clear";
  return [
    ...(isLastWord ? [] : [{ text: number }]),
    { thoughts: number },
    ...callsIn(passage).map((call) => ({ call })),
  ];
}

function createWeights(
  calls: Map<string, number>,
  texts: number[],
  thoughts: number[],
  whole: number,
  costsOf: Weights["costsOf"],
): Weights {
  let total = whole;
  const get = (place: Weighed): number => {
    if ("call" in place) return calls.get(place.call) ?? 0;
    return ("text" in place ? texts[place.text] : thoughts[place.thoughts]) ?? 0;
  };
  return {
    get,
    costsOf,
    copy: () => createWeights(new Map(calls), texts.slice(), thoughts.slice(), total, costsOf),
    total: () => total,
    set(place, tokens) {
      total += tokens - get(place);
      if ("call" in place) calls.set(place.call, tokens);
      else if ("text" in place) texts[place.text] = tokens;
      else thoughts[place.thoughts] = tokens;
    },
  };
}

/** What is left of a long text costs about this much, with the words that stand for the rest. */
const stubTokens = (limit: number): number => Math.ceil(limit / 3) + 60;

/** What would save nothing is left undone: people may still want to read what the model no longer receives. */
function perform(act: Act, cuts: Cuts, weights: Weights): void {
  if (act.does === "drop-turn") dropTurn(act.turn, cuts, weights);
  else if (act.does === "drop-call") {
    if (weights.get({ call: act.call }) > 0) dropCall(act.call, cuts, weights);
  } else if (act.does === "drop-thoughts") {
    const place = { thoughts: act.passage };
    if (weights.get(place) > 0) cuts.thoughts.add(act.passage);
    weights.set(place, 0);
  } else {
    const place = act.does === "shorten-call" ? { call: act.call } : { text: act.passage };
    const after = stubTokens(act.limit);
    if (after >= weights.get(place)) return;
    weights.set(place, after);
    if (act.does === "shorten-text") cuts.texts.set(act.passage, act.limit);
    else cuts.limits.set(act.call, Math.min(act.limit, cuts.limits.get(act.call) ?? act.limit));
  }
}

function dropTurn(turn: number, cuts: Cuts, weights: Weights): void {
  const costs = weights.costsOf(turn);
  if (costs.every((place) => weights.get(place) === 0)) return;
  cuts.turns.add(turn);
  for (const place of costs) {
    if ("call" in place) dropCall(place.call, cuts, weights);
    else weights.set(place, 0);
  }
}

function dropCall(call: string, cuts: Cuts, weights: Weights): void {
  cuts.calls.add(call);
  weights.set({ call }, 0);
}
