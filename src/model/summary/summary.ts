/** A summary in sections, and how it is kept within its size limit. */

export interface Summary {
  readonly title: string;
  readonly overview: string;
  readonly history: string;
  readonly workDone: string;
  readonly technicalDetails: string;
  readonly importantFiles: string;
  readonly nextSteps: string;
}

export type Section = Exclude<keyof Summary, "title">;

/** In the order in which they are read, and the share of the whole that each may take, in percent. */
export const SECTION_SHARES: Readonly<Record<Section, number>> = {
  overview: 14,
  history: 36,
  workDone: 14,
  technicalDetails: 20,
  importantFiles: 9,
  nextSteps: 7,
};

/** In characters, some four thousand tokens: what a model can read in passing. */
export const SUMMARY_LIMIT = 16_000;

/** One line of a text: its beginning, whole words, and a sign where it was longer. */
export function clip(text: string, limit: number): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  if (line.length <= limit) return line;
  const cut = line.slice(0, limit - 1).toWellFormed();
  const space = cut.lastIndexOf(" ");
  return `${(space > limit / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/** Several lines within a limit: the first ones, and how many more there were. */
export function fitLines(lines: readonly string[], limit: number): string {
  const kept: string[] = [];
  let size = 0;
  for (const line of lines) {
    size += line.length + 1;
    if (size > limit && kept.length > 0) break;
    kept.push(line.length > limit ? clip(line, limit) : line);
  }
  const more = lines.length - kept.length;
  return [...kept, ...(more > 0 ? [`- … and ${more} more`] : [])].join("\n");
}

/** A text of somebody else within a limit: its beginning and its end. */
export function fitText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const tail = Math.floor(limit / 3);
  const [head, end] = [text.slice(0, limit - tail - 3), text.slice(text.length - tail)];
  return `${head.toWellFormed().trimEnd()}\n…\n${end.toWellFormed().trimStart()}`;
}
