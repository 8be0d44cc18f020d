/** Prints a diagnosis, grouped by severity and session, with a summary. */
import type { Diagnosis, Finding } from "../../../app/contract.ts";
import type { Severity } from "../../../model/problem.ts";
import { shortId } from "../../../model/values/id.ts";
import type { Page } from "../../../present/page.ts";
import { titleOf } from "../../../present/text/facts.ts";
import { amount, plural } from "../../../present/text/measure.ts";
import type { Paint, Style } from "../../../present/text/style.ts";
import { cut, cutStart, oneLine, wrap } from "../../../present/text/text.ts";
import { fixLines } from "./problems.ts";

const MEANS: Record<Severity, string> = {
  damage: "content is lost, or the owning program fails on it",
  trouble: "readable, but the owning program hides it or will lose it",
  oddity: "worth knowing, but the owning program tolerates it",
};

/** Of problems that say the same, so many places are named. */
const MOST_PLACES = 3;

export function printDiagnosis(diagnosis: Diagnosis, homeDir: string, page: Page): string[] {
  const { style, columns } = page;
  const groups = Map.groupBy(diagnosis.problems, (finding) => finding.severity);
  const lines = [...groups].flatMap(([severity, findings]) => [
    ...severityLines(severity, findings, homeDir, page),
    "",
  ]);
  return [
    ...lines,
    ...wrap(summary(diagnosis), columns).map(diagnosis.problems.length > 0 ? style.bold : style.green),
  ];
}

function severityLines(
  severity: Severity,
  findings: readonly Finding[],
  homeDir: string,
  page: Page,
): string[] {
  const { style, columns } = page;
  const paint = severityPaint(severity, style);
  const counts = [...Map.groupBy(findings, (finding) => finding.code)].map(
    ([code, all]) => `${code}${all.length > 1 ? ` ×${amount(all.length)}` : ""}`,
  );
  const bySession = Map.groupBy(
    findings.filter((finding) => finding.code !== "record-unknown"),
    (finding) => `${finding.source}:${finding.session ?? ""}`,
  );
  return [
    paint(style.bold(severity)) + style.dim(cut(`  ${MEANS[severity]}`, columns - severity.length)),
    ...wrap(counts.join(", "), columns - 2).map((line) => style.dim(`  ${line}`)),
    ...[...bySession.values()].flatMap((own) => ["", ...sessionLines(own, homeDir, page, paint)]),
    ...unknownLines(
      findings.filter((finding) => finding.code === "record-unknown"),
      page,
    ),
  ];
}

function sessionLines(
  findings: readonly Finding[],
  homeDir: string,
  { style, columns }: Page,
  paint: Paint,
): string[] {
  const [first] = findings;
  if (!first) return [];
  const name = first.session === undefined ? first.source : `${first.source}:${shortId(first.session)}`;
  const title = first.title === undefined ? "" : titleOf({ title: first.title });
  const alike = Map.groupBy(findings, (finding) => `${finding.code} ${finding.message}`);
  return [
    `  ${style.cyan(cut(name, columns - 2))}  ${cut(title, columns - name.length - 4)}`.trimEnd(),
    ...[...alike.values()].flatMap((same) => {
      const [example = first] = same;
      const { code, message } = example;
      const [head = "", ...rest] = wrap(`${code} ${oneLine(message)}`, columns - 6);
      return [
        `    ${paint("•")} ${paint(head.slice(0, code.length))}${head.slice(code.length)}`,
        ...rest.map((line) => `      ${line}`),
        ...same
          .slice(0, MOST_PLACES)
          .map((each) => `      ${style.dim(cutStart(placeOf(each, homeDir), columns - 6))}`),
        ...(same.length > MOST_PLACES
          ? [style.dim(`      and ${amount(same.length - MOST_PLACES)} more places`)]
          : []),
        ...fixLines(example, columns - 6).map((line) => `      ${style.green(line)}`),
      ];
    }),
  ];
}

/** A newer program writes records we have not heard of: that is about the version, not about a session. */
function unknownLines(findings: readonly Finding[], { style, columns }: Page): string[] {
  const groups = Map.groupBy(
    findings,
    (finding) => `${finding.source} ${finding.producer ?? "of unknown version"}`,
  );
  return [...groups].flatMap(([producer, all]) => {
    const messages = [...Map.groupBy(all, (finding) => oneLine(finding.message))].map(
      ([message, same]) => `${message}${same.length > 1 ? ` (×${amount(same.length)})` : ""}`,
    );
    const sessions = new Set(all.map((finding) => finding.session)).size;
    return [
      "",
      `  ${style.cyan(cut(producer, columns - 30))}  unknown records in ${plural(sessions, "session", "sessions")}`,
      ...messages.flatMap((message) => wrap(`• ${message}`, columns - 4).map((line) => `    ${line}`)),
    ];
  });
}

const severityPaint = (severity: Severity, style: Style): Paint =>
  ({ damage: style.red, trouble: style.yellow, oddity: style.blue })[severity];

function placeOf(finding: Finding, homeDir: string): string {
  const isAtHome = homeDir.length > 1 && finding.path.startsWith(homeDir);
  const path = isAtHome ? `~${finding.path.slice(homeDir.length)}` : finding.path;
  return oneLine(finding.line === undefined ? path : `${path}:${finding.line}`);
}

function summary({ problems, sessions, sources }: Diagnosis): string {
  const where = `${plural(sessions, "session", "sessions")} of ${plural(sources.length, "source", "sources")}`;
  if (problems.length === 0) return `Nothing is wrong with ${where}.`;
  const counts = [...Map.groupBy(problems, (finding) => finding.severity)].map(
    ([severity, all]) => `${amount(all.length)} ${severity}`,
  );
  return `${plural(problems.length, "problem", "problems")} (${counts.join(", ")}) in ${where}.`;
}
