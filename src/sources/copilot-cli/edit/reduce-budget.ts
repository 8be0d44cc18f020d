/** Which cuts bring a log under a number of tokens: bulk goes first, what was asked, decided and mended last. */
import type { Cuts } from "./reduce-cuts.ts";
import type { Row } from "./reduce-rows.ts";

type Act =
  | { readonly does: "shorten-call"; readonly call: string; readonly limit: number }
  | { readonly does: "drop-call"; readonly call: string }
  | { readonly does: "shorten-text"; readonly row: number; readonly limit: number }
  | { readonly does: "drop-turn"; readonly turn: number };

interface Call {
  readonly id: string;
  readonly name: string;
  readonly turn: number;
  /** It changed a file, failed, or was the next try of what failed. */
  matters: boolean;
}

/** The turns at the end that somebody who goes on still has in mind. */
const RECENT = 3;
const TOUCHES_FILES = /^(create|edit|write|str_replace|apply_patch)/;

/** Adds cuts, the least harmful first, until the rest should cost no more than that. */
export function fitBudget(rows: readonly Row[], turns: number, cuts: Cuts, budget: number): void {
  const weights = weigh(rows, cuts);
  for (const act of ladder(rows, turns)) {
    if (weights.total() <= budget) return;
    perform(act, rows, cuts, weights);
  }
}

/** All that can be done, in the order in which it is done; each step from the oldest turn on. */
function ladder(rows: readonly Row[], turns: number): Act[] {
  const calls = findCalls(rows);
  const [last, recent] = [turns - 1, turns - RECENT];
  const old = calls.filter(({ turn }) => turn < recent);
  const late = calls.filter(({ turn }) => turn >= recent);
  const shorten = (some: readonly Call[], limit: number): Act[] =>
    some.map(({ id }) => ({ does: "shorten-call", call: id, limit }));
  const drop = (some: readonly Call[]): Act[] => some.map(({ id }) => ({ does: "drop-call", call: id }));
  const say = (wanted: (row: Row) => boolean, limit: number): Act[] =>
    rows.flatMap((row, number) =>
      wanted(row) ? [{ does: "shorten-text", row: number, limit } as const] : [],
    );
  const plain = ({ matters }: Call): boolean => !matters;
  const middle = Array.from({ length: Math.max(0, recent - 1) }, (_, index) => index + 1);
  const eventful = new Set(calls.filter(({ matters }) => matters).map(({ turn }) => turn));
  const dropTurns = (some: readonly number[]): Act[] => some.map((turn) => ({ does: "drop-turn", turn }));
  return [
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
    ...say(() => true, 1000),
    ...say(() => true, 200),
  ];
}

function findCalls(rows: readonly Row[]): Call[] {
  const calls = new Map<string, Call>();
  /** The tools whose last call failed. */
  const failing = new Set<string>();
  for (const { kind, makes, call, turn, failed } of rows) {
    for (const { id, name } of makes ?? [])
      if (!calls.has(id))
        calls.set(id, { id, name, turn, matters: TOUCHES_FILES.test(name) || failing.has(name) });
    const made = kind === "result" && call !== undefined ? calls.get(call) : undefined;
    if (made && failed) {
      made.matters = true;
      failing.add(made.name);
    } else if (made) failing.delete(made.name);
  }
  return [...calls.values()];
}

type Weighed = { readonly call: string } | { readonly row: number };

/** What calls, with their results, and texts cost as things stand. */
interface Weights {
  rowsOf(turn: number): readonly number[];
  total(): number;
  get(place: Weighed): number;
  set(place: Weighed, tokens: number): void;
}

function weigh(rows: readonly Row[], cuts: Cuts): Weights {
  const cleared = rows.findLastIndex(({ kind }) => kind === "clear");
  const live = Math.max(
    cleared,
    rows.findLastIndex(({ kind }) => kind === "summary"),
  );
  const calls = new Map<string, number>();
  const isGone = (turn: number): boolean => cuts.turns.has(turn);
  const add = (call: string, tokens: number): void =>
    void calls.set(call, cuts.calls.has(call) ? 0 : (calls.get(call) ?? 0) + tokens);
  const texts = rows.map((row, number) => {
    // A summary repeats what was asked before it, and stands for all else.
    if (number < live && !(row.kind === "prompt" && number > cleared)) return 0;
    for (const { id, tokens } of row.makes ?? []) add(id, tokens);
    if (row.kind === "result" && row.call !== undefined) add(row.call, row.tokens);
    return row.kind === "result" || isGone(row.turn) ? 0 : row.tokens;
  });
  let total = [...calls.values(), ...texts].reduce((sum, tokens) => sum + tokens, 0);
  const byTurn = Map.groupBy(rows.keys(), (row) => rows[row]?.turn);
  const get = (place: Weighed): number => ("call" in place ? calls.get(place.call) : texts[place.row]) ?? 0;
  return {
    get,
    rowsOf: (turn) => byTurn.get(turn) ?? [],
    total: () => total,
    set(place, tokens) {
      total += tokens - get(place);
      if ("call" in place) calls.set(place.call, tokens);
      else texts[place.row] = tokens;
    },
  };
}

/** What is left of a long text costs about this much, with the words that stand for the rest. */
const stubTokens = (limit: number): number => Math.ceil(limit / 3) + 60;

function perform(act: Act, rows: readonly Row[], cuts: Cuts, weights: Weights): void {
  if (act.does === "drop-turn") {
    cuts.turns.add(act.turn);
    for (const row of weights.rowsOf(act.turn)) {
      const { kind, makes } = rows[row] as Row;
      if (kind !== "summary" && kind !== "clear") weights.set({ row }, 0);
      for (const { id } of makes ?? []) dropCall(id, cuts, weights);
    }
  } else if (act.does === "drop-call") dropCall(act.call, cuts, weights);
  else {
    const place = act.does === "shorten-call" ? { call: act.call } : { row: act.row };
    const after = stubTokens(act.limit);
    if (after >= weights.get(place)) return;
    weights.set(place, after);
    if (act.does === "shorten-text") cuts.texts.set(act.row, act.limit);
    else cuts.limits.set(act.call, Math.min(act.limit, cuts.limits.get(act.call) ?? act.limit));
  }
}

function dropCall(call: string, cuts: Cuts, weights: Weights): void {
  cuts.calls.add(call);
  weights.set({ call }, 0);
}
