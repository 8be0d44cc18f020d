/** Problems of one session, each with its place and what helps. */
import { basename } from "node:path";
import { fixOf, type Problem, severityOf } from "../../../model/problem.ts";
import type { Style } from "../../../present/text/style.ts";
import { fold, oneLine, plain, wrap } from "../../../present/text/text.ts";

/** A problem that repeats (a log full of lines from a newer program) is printed once. */
const MOST_ALIKE = 3;

export function problemLines(problems: readonly Problem[], columns: number, style: Style): string[] {
  const lines: string[] = [];
  for (const alike of Map.groupBy(problems, (problem) => `${problem.code} ${problem.path}`).values()) {
    for (const problem of alike.slice(0, MOST_ALIKE)) lines.push(...oneProblem(problem, columns, style));
    const more = alike.length - MOST_ALIKE;
    if (more > 0) lines.push(style.dim(`    and ${more} more like this; see all with --json`));
  }
  return lines;
}

/** The reader is already looking at the session, so the advice to do so is left out. */
function oneProblem(problem: Problem, columns: number, style: Style): string[] {
  const paint = { damage: style.red, trouble: style.yellow, oddity: style.dim }[severityOf(problem)];
  const place =
    problem.path === "" ? "" : `${basename(problem.path)}${problem.line ? `:${problem.line}` : ""} `;
  const [first = "", ...rest] = wrap(`${problem.code} ${oneLine(`${place}${problem.message}`)}`, columns - 4);
  return [
    `  ${paint("•")} ${paint(first.slice(0, problem.code.length))}${first.slice(problem.code.length)}`,
    ...rest.map((line) => `    ${line}`),
    ...(problem.remedy?.action === "show"
      ? []
      : fixLines(problem, columns - 4).map((line) => style.dim(`    ${line}`))),
  ];
}

/** A command stays whole, however narrow the terminal: a break would be copied with it. */
export function fixLines(problem: Problem, width: number): string[] {
  const fix = fixOf(problem);
  if (fix === undefined) return [];
  return problem.fix === undefined ? plain(`→ ${fix}`).split("\n") : fold(`→ ${oneLine(fix)}`, width);
}
