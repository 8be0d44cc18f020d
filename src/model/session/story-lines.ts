/** What an edit of a story changes, line by line, as programs record it. */
import { longestCommon } from "./lcs.ts";

export interface StoryLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

export function linesOf(before: string, after: string): StoryLine[] {
  const [a, b] = [toLines(before), toLines(after)];
  const lines: StoryLine[] = [];
  let [i, j] = [0, 0];
  for (const [nextA, nextB] of [...longestCommon(a, b), [a.length, b.length] as const]) {
    for (; i < nextA; i++) lines.push({ sign: "-", text: a[i] ?? "" });
    for (; j < nextB; j++) lines.push({ sign: "+", text: b[j] ?? "" });
    if (nextA < a.length) lines.push({ sign: " ", text: a[nextA] ?? "" });
    i = nextA + 1;
    j = nextB + 1;
  }
  return lines;
}

export const countSign = (lines: readonly StoryLine[], sign: StoryLine["sign"]): number =>
  lines.filter((line) => line.sign === sign).length;

const toLines = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));
