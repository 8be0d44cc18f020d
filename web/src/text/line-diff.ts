/** What an edit takes out and puts in, line by line. */
import { longestCommon } from "../../../src/model/session/lcs.ts";

export interface DiffLine {
  readonly kind: "same" | "added" | "removed" | "gap";
  readonly text: string;
}

export interface LineDiff {
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
}

/** Comparing more than this would hold up the page; the old lines stand above the new ones, then. */
const MOST_LINES = 8_000;

export function diffLines(before: string, after: string): LineDiff {
  const [a, b] = [toLines(before), toLines(after)];
  const pairs = a.length + b.length > MOST_LINES ? [] : longestCommon(a, b);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  for (const [nextA, nextB] of [...pairs, [a.length, b.length] as const]) {
    for (; i < nextA; i++) lines.push({ kind: "removed", text: a[i] ?? "" });
    for (; j < nextB; j++) lines.push({ kind: "added", text: b[j] ?? "" });
    if (nextA < a.length) lines.push({ kind: "same", text: a[nextA] ?? "" });
    i = nextA + 1;
    j = nextB + 1;
  }
  return count(fold(lines));
}

/** Lines of a unified diff, as `git diff` or a patch has them. */
export function readUnified(text: string): LineDiff {
  return count(
    toLines(text).map((line): DiffLine => {
      if (line.startsWith("@@")) return { kind: "gap", text: line.replace(/^@@ ?| ?@@$/g, "").trim() };
      if (line.startsWith("+")) return { kind: "added", text: line.slice(1) };
      if (line.startsWith("-")) return { kind: "removed", text: line.slice(1) };
      return { kind: "same", text: line.replace(/^ /, "") };
    }),
  );
}

/** A last line feed ends a line; it does not begin another. */
const toLines = (text: string): string[] => (text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/));

const count = (lines: readonly DiffLine[]): LineDiff => ({
  lines,
  added: lines.filter(({ kind }) => kind === "added").length,
  removed: lines.filter(({ kind }) => kind === "removed").length,
});

/** Unchanged lines that are kept around a change. */
const AROUND = 3;

function fold(lines: readonly DiffLine[]): DiffLine[] {
  const near = new Uint8Array(lines.length);
  lines.forEach((line, at) => {
    if (line.kind !== "same") near.fill(1, Math.max(0, at - AROUND), at + AROUND + 1);
  });
  const folded: DiffLine[] = [];
  let left = 0;
  lines.forEach((line, at) => {
    if (near[at]) {
      if (left > 0) folded.push({ kind: "gap", text: gapText(left) });
      left = 0;
      folded.push(line);
    } else left++;
  });
  if (left > 0 && folded.length > 0) folded.push({ kind: "gap", text: gapText(left) });
  return folded;
}

const gapText = (left: number): string => (left === 1 ? "1 unchanged line" : `${left} unchanged lines`);
