/** What an insertion changes, as a unified diff. */
import type { Insertion } from "./instruction-text.ts";

const CONTEXT = 3;

/** Of a file as people name it; without `before` it is a new one. */
export function insertionDiff(name: string, before: string | undefined, { at, text }: Insertion): string {
  const old = before ?? "";
  const [a, b] = [linesOf(old), linesOf(old.slice(0, at) + text + old.slice(at))];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const from = Math.max(0, start - CONTEXT);
  const after = Math.min(CONTEXT, end);
  const [removed, added] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const context = a.slice(from, start);
  const rest = a.slice(a.length - end, a.length - end + after);
  const lines = [
    ...context.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...rest.map((line) => ` ${line}`),
  ];
  const span = (count: number): string => `${count === 0 ? from : from + 1},${count}`;
  return [
    `--- ${before === undefined ? "/dev/null" : `a/${name}`}`,
    `+++ b/${name}`,
    `@@ -${span(context.length + removed.length + rest.length)} +${span(context.length + added.length + rest.length)} @@`,
    ...lines,
    "",
  ].join("\n");
}

/** With the mark that git has for a last line without an end. */
function linesOf(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  return last === "" ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}
