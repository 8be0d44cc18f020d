/** Prints proposed lines with their evidence, and the diff of each instruction file. */

import type { Improvements } from "../../../app/contract.ts";
import { toShell } from "../../../model/text/shell-words.ts";
import { plural } from "../../../present/text/measure.ts";
import { rangeText } from "../../../present/text/range.ts";
import type { Style } from "../../../present/text/style.ts";
import { wrap } from "../../../present/text/text.ts";
import { diffLines } from "../changes/diff-lines.ts";
import { printFindings } from "./findings.ts";

interface Page {
  readonly columns: number;
  readonly style: Style;
  readonly isDemo: boolean;
  /** The options that it was asked for with: the next command must not write elsewhere. */
  readonly asked: readonly string[];
}

export function printImprovements(improvements: Improvements, page: Page): string[] {
  const { columns, style, isDemo, asked } = page;
  const command = (...more: string[]): string =>
    `  ${style.cyan(toShell(["rethread", "chronicle", "improve", ...asked, ...more, ...(isDemo ? ["--demo"] : [])]))}`;
  const { findings, changes, notes, sessionCount, turns } = improvements;
  const looked = `${plural(sessionCount, "session", "sessions")} and ${plural(turns, "turn", "turns")}, ${rangeText(improvements)}`;
  const noted = notes.flatMap((note) => wrap(note, columns).map(style.yellow));
  if (findings.length === 0)
    return [...wrap(`Nothing to add to the instructions, from ${looked}.`, columns), ...noted];
  return [
    ...wrap(`Lines for the instructions of repositories, from ${looked}`, columns),
    ...printFindings(
      findings.map(({ id, line, title, repository, place, evidence }) => ({
        id,
        title: line,
        suggestion: `${title}, ${repository ?? place}`,
        evidence,
      })),
      page,
    ),
    ...diffLines({ instructions: changes }, page),
    ...(noted.length > 0 ? ["", ...noted] : []),
    ...(changes.length > 0
      ? [
          "",
          ...wrap("Write all of it, or only some, after one more look:", columns),
          command("--apply"),
          command("--only", findings[0]?.id ?? "", "--apply"),
        ]
      : []),
  ];
}
