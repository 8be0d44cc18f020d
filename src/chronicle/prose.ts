/** What people and agents wrote, as sentences: without code, quotes and the marks of Markdown. */
import { clip } from "../model/summary/summary.ts";

/** Blocks of code are not what somebody says. */
export const withoutCode = (text: string): string => text.replace(/```[\s\S]*?(?:```|$)/g, "\n");

/** Lines that quote somebody else, as Markdown does it. */
export const withoutQuotes = (text: string): string => text.replace(/^[ \t]*>.*$/gm, "");

export function sentencesOf(text: string): string[] {
  return withoutCode(text)
    .split(/(?<=[.!?。！？])(?:\s+|(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]))|\n+/u)
    .map((sentence) =>
      sentence
        .replace(/^\s*(?:[-*#>]+|\d+[.)])\s+/, "")
        .replace(/\*\*|__/g, "")
        .trim(),
    )
    .filter((sentence) => sentence !== "");
}

/** As many sentences of the first paragraph as fit, on one line; a part of the first one where it is too long. */
export function gistOf(text: string, limit: number): string {
  const [first = ""] = withoutCode(text)
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/^\s*(?:#+|[-*>]|\d+[.)])\s+/gm, "").replace(/\*\*|__|`/g, ""))
    .filter((paragraph) => paragraph.trim() !== "");
  const [opening = "", ...others] = first
    .replace(/:\s*$/, "…")
    .split(/(?<=[.!?。！？])\s+/)
    .map((sentence) => sentence.trim());
  const kept = others.reduce(
    ({ gist, isFull }, sentence) =>
      isFull || gist.length + 1 + sentence.length > limit
        ? { gist, isFull: true }
        : { gist: `${gist} ${sentence}`, isFull },
    { gist: opening, isFull: false },
  );
  return clip(kept.gist, limit);
}
