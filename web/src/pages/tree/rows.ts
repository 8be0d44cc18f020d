/** Families as rows, one per session, each after the one that it came from. */
import type { Answer } from "../../../../src/client/index.ts";
import { toKey } from "../../lib/session-key.ts";

export type Relative = Answer<"tree">["families"][number];

export interface SessionRow {
  readonly type: "session";
  readonly key: string;
  readonly relative: Relative;
  readonly depth: number;
  /** Where the one that it came from stands among the rows. */
  readonly parent: number | undefined;
}

export interface HeadRow {
  readonly type: "head";
  readonly key: string;
  readonly title: string;
  readonly count: number;
  /** Of the first of the family. */
  readonly session: string | undefined;
}

export type Row = SessionRow | HeadRow;

/** Those whose title or id has the words, with the whole family of each. */
export function toRows(families: readonly Relative[], lone: readonly Relative[], words: string): Row[] {
  const rows: Row[] = [];
  for (const family of families.filter((each) => someRelative(each, words))) {
    const session = toKey(family);
    rows.push({
      type: "head",
      key: `family ${session}`,
      title: family.title,
      count: countOf(family),
      session: firstHere(family),
    });
    addTo(rows, family, 0, undefined);
  }
  const alone = lone.filter((each) => matches(each, words));
  if (alone.length > 0) {
    rows.push({
      type: "head",
      key: "alone",
      title: "Sessions without copies",
      count: alone.length,
      session: undefined,
    });
    for (const relative of alone) addTo(rows, relative, 0, undefined);
  }
  return rows;
}

function addTo(rows: Row[], relative: Relative, depth: number, parent: number | undefined): void {
  const at = rows.length;
  rows.push({ type: "session", key: toKey(relative), relative, depth, parent });
  for (const child of relative.children) addTo(rows, child, depth + 1, at);
}

/** One by which the family can be asked for. */
function firstHere(relative: Relative): string | undefined {
  if (relative.isHere) return toKey(relative);
  for (const child of relative.children) {
    const found = firstHere(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

export const countOf = ({ children }: Relative): number =>
  children.reduce((sum, child) => sum + countOf(child), 1);

export const keysOf = (relative: Relative): string[] => [
  toKey(relative),
  ...relative.children.flatMap(keysOf),
];

const matches = ({ title, id }: Relative, words: string): boolean => {
  const text = `${title} ${id}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

const someRelative = (relative: Relative, words: string): boolean =>
  matches(relative, words) || relative.children.some((child) => someRelative(child, words));
