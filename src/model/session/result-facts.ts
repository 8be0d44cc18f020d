/** What a glance at a tool's result tells: how long it is, and how a run of tests ended. */

export interface ResultFacts {
  /** Blank lines at the end do not count. */
  readonly lines: number;
  /** Tests, where the output ends with their numbers. */
  readonly passed?: number;
  readonly failed?: number;
}

/** Where test runners print their sums, in characters from the end. */
const END = 4_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal stand between the words
const COLOURS = /\x1b\[[\d;]*m/g;
const SUMS = /\b\d+ (?:passed|passing|failed|failing)\b/;

export function factsOf(text: string): ResultFacts {
  const end = text.slice(-END).replace(COLOURS, "");
  // The last such line: before it, runners tell the same of files and suites.
  const sums = end.split("\n").findLast((line) => SUMS.test(line));
  const [passed, failed] = [/(\d+) pass(?:ed|ing)\b/, /(\d+) fail(?:ed|ing)\b/].map(
    (pattern) => sums && pattern.exec(sums)?.[1],
  );
  return {
    lines: countLines(text),
    ...(passed !== undefined && { passed: Number(passed) }),
    ...(failed !== undefined && { failed: Number(failed) }),
  };
}

function countLines(text: string): number {
  let end = text.length;
  while (end > 0 && /\s/.test(text[end - 1] ?? "")) end--;
  if (end === 0) return 0;
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
