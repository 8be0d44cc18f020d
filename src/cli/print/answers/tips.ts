/** Prints tips, the costliest first. */
import type { Tips } from "../../../app/contract.ts";
import { inDemo } from "../../../model/remedy.ts";
import { toShell } from "../../../model/text/shell-words.ts";
import { plural } from "../../../present/text/measure.ts";
import { rangeText } from "../../../present/text/range.ts";
import type { Style } from "../../../present/text/style.ts";
import { wrap } from "../../../present/text/text.ts";
import { printFindings } from "./findings.ts";

interface Page {
  readonly columns: number;
  readonly style: Style;
  readonly isDemo: boolean;
  /** The options that it was asked for with, those of the time left aside. */
  readonly asked: readonly string[];
}

export function printTips(tips: Tips, page: Page): string[] {
  const { columns, style, isDemo, asked } = page;
  const looked = `${plural(tips.sessionCount, "session", "sessions")} and ${plural(tips.turns, "turn", "turns")}, ${rangeText(tips)}`;
  const demo = isDemo ? ["--demo"] : [];
  if (tips.sessionCount === 0)
    return [
      ...wrap(`No sessions from ${rangeText(tips)}.`, columns),
      "Look further back, or index sessions that are missing:",
      `  ${style.cyan(toShell(["rethread", "chronicle", "tips", ...asked, "--since", "1y", ...demo]))}`,
      `  ${style.cyan(toShell(["rethread", "index", ...demo]))}`,
    ];
  if (tips.findings.length === 0)
    return wrap(`Nothing that costs time or tokens was found in ${looked}.`, columns);
  const findings = tips.findings.map((finding) => ({
    ...finding,
    remedy: finding.remedy && (isDemo ? inDemo(finding.remedy) : finding.remedy),
  }));
  return [...wrap(`Tips from ${looked}`, columns), ...printFindings(findings, page)];
}
