/** Changes single values of a session without rewriting its file. */
import { writeJson } from "../../../../model/values/json.ts";
import type { Path } from "../../format/json-outline.ts";
import { KIND, TURNS } from "../../format/record.ts";

/** In a path: every element of a list. */
export const EACH = -1;

/** The value at a path of the session; `undefined` takes it away. With `EACH` only what is there changes. */
export interface Amendment {
  readonly path: Path;
  readonly value: unknown;
}

/** The records that VS Code itself would append for them. */
export const toRecords = (amendments: readonly Amendment[]): string =>
  amendments
    .filter(({ path }) => !path.includes(EACH))
    .map(({ path, value }) =>
      value === undefined ? { kind: KIND.delete, k: path } : { kind: KIND.set, k: path, v: value },
    )
    .map((record) => `${writeJson(record)}\n`)
    .join("");

/** How VS Code itself records that later turns are gone. */
export const toCutRecord = (turns: number): string =>
  `${JSON.stringify({ kind: KIND.push, k: [TURNS], i: turns })}\n`;

/** Amendments by their paths, as thousands of values are held against them. */
export interface Amendable {
  /** At this very place. */
  readonly amendment?: Amendment;
  /** Below it, by the next step. */
  readonly inner: ReadonlyMap<string | number, Amendable>;
}

export function toAmendable(amendments: readonly Amendment[], depth = 0): Amendable {
  const amendment = amendments.find(({ path }) => path.length === depth);
  const deeper = amendments.filter(({ path }) => path.length > depth);
  const groups = Map.groupBy(deeper, ({ path }) => path[depth] ?? "");
  // What happens to each of a list happens to the one that is named by its number, too.
  const each = groups.get(EACH) ?? [];
  const ofAll = (key: string | number): readonly Amendment[] =>
    typeof key === "number" && key !== EACH ? each : [];
  const inner = new Map(
    [...groups].map(([key, group]) => [key, toAmendable([...group, ...ofAll(key)], depth + 1)]),
  );
  return { ...(amendment && { amendment }), inner };
}

/** Undefined where nothing changes, neither there nor below. */
export function amendableAt(from: Amendable | undefined, path: Path): Amendable | undefined {
  let at = from;
  for (const key of path)
    at = at?.inner.get(key) ?? (typeof key === "number" ? at?.inner.get(EACH) : undefined);
  return at;
}
