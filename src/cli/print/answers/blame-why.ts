/** Why one line was written: the prompt, and what the agent thought and said before it wrote. */
import type { BlameReport } from "../../../app/contract.ts";
import { shellLine } from "../../../model/text/shell-words.ts";
import { formatKey, shortId } from "../../../model/values/id.ts";
import type { Page } from "../../../present/page.ts";
import { titleOf } from "../../../present/text/facts.ts";
import { ago, moment } from "../../../present/text/measure.ts";
import { cut, oneLine, plain, wrap } from "../../../present/text/text.ts";
import type { BlameSetting } from "./blame.ts";

export function printWhy(
  report: BlameReport,
  { now, isDemo }: BlameSetting,
  { style, columns }: Page,
): string[] {
  const [line] = report.lines;
  if (!line) return [];
  const { written, commit } = line;
  const head = [`${style.dim(`${line.line}`)}  ${cut(plain(line.text), columns - 8)}`, ""];
  if (!written || !report.why) {
    const by = commit
      ? `No session wrote this line. It came with ${commit.id.slice(0, 10)} "${oneLine(commit.summary)}" by ${oneLine(commit.author)}, ${ago(commit.time, now)}.`
      : `No session wrote this line${report.hasGit ? ", and it is not committed" : ""}.`;
    return [...head, ...wrap(by, columns)];
  }
  const { session, turn, time } = written;
  const when = time === undefined ? "" : `, ${moment(time)}`;
  const show = `${shellLine`rethread show ${shortId(session.id)} --turn ${turn}`}${isDemo ? " --demo" : ""}`;
  const block = (text: string, paint = (each: string): string => each): string[] =>
    plain(text)
      .split("\n")
      .flatMap((each) => wrap(each, columns - 2))
      .map((each) => `  ${paint(each)}`.trimEnd());
  return [
    ...head,
    ...wrap(
      `${titleOf(session)} (${formatKey({ ...session, id: shortId(session.id) })}), turn ${turn}${when}`,
      columns,
    ).map(style.bold),
    "",
    style.cyan("Prompt"),
    ...block(report.why.prompt),
    ...report.why.reasons.flatMap(({ kind, text }) => [
      "",
      style.cyan(kind === "thinking" ? "Thinking" : "Answer"),
      ...block(text, kind === "thinking" ? style.dim : undefined),
    ]),
    ...(report.why.reasons.length === 0 ? ["", style.dim("  Nothing was said before the edit.")] : []),
    "",
    style.dim(`Read the turn: ${show}`),
  ];
}
