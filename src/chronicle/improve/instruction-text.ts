/** Adds lines to the text of an instruction file, in a section of their own, and leaves the rest as it is. */
import { contentWords } from "../words.ts";

/** Under which our lines stand, also those of later runs. */
export const SECTION = "## Learned from sessions";

export interface Insertion {
  /** Where, in characters. */
  readonly at: number;
  readonly text: string;
}

/** Those that the text does not say yet. */
export function linesMissing(text: string, lines: readonly string[]): string[] {
  const said = text.split("\n").map(contentWords);
  return lines.filter((line) => {
    const words = [...contentWords(line)];
    return words.length > 0 && !said.some((each) => words.every((word) => each.has(word)));
  });
}

/** At the end of our section, which is made at the end of the text where it is missing. Line ends are those of the text. */
export function insertLines(text: string, lines: readonly string[]): Insertion {
  const eol = /\r\n/.test(text) ? "\r\n" : "\n";
  const items = lines.map((line) => `- ${line}${eol}`).join("");
  const place = endOfSection(text);
  if (place !== undefined) return { at: place, text: endsLine(text.slice(0, place), eol) + items };
  const body = text.replace(/^\uFEFF/, "");
  const gap = body.trim() === "" ? "" : /\n\r?\n$/.test(text) ? "" : eol;
  return { at: text.length, text: `${endsLine(text, eol)}${gap}${SECTION}${eol}${eol}${items}` };
}

const endsLine = (before: string, eol: string): string =>
  before === "" || before === "\uFEFF" || before.endsWith("\n") ? "" : eol;

/** Behind the last line of the section that says anything. */
function endOfSection(text: string): number | undefined {
  const heading = /^## Learned from sessions[ \t]*\r?$/m.exec(text);
  if (!heading) return undefined;
  const start = heading.index + heading[0].length;
  const next = /^#{1,2} /m.exec(text.slice(start));
  const section = text.slice(start, next ? start + next.index : undefined);
  const said = section.trimEnd();
  const lineEnd = /^\r?\n/.exec(section.slice(said.length))?.[0].length ?? 0;
  // A heading with nothing below it wants a line between.
  return start + said.length + lineEnd;
}
