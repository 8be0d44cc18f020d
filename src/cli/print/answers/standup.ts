/** Prints a standup: repositories, their branches, and below each what was done there, aligned. */
import type { Standup, StandupBranch, StandupCommit, StandupRef } from "../../../app/contract.ts";
import { toShell } from "../../../model/text/shell-words.ts";
import { shortId } from "../../../model/values/id.ts";
import { OPEN_WORDS } from "../../../present/markdown/standup.ts";
import { plural } from "../../../present/text/measure.ts";
import { rangeText } from "../../../present/text/range.ts";
import type { Style } from "../../../present/text/style.ts";
import { cut, cutTitle, oneLine, pad, widthOf, wrap } from "../../../present/text/text.ts";

interface Page {
  readonly columns: number;
  readonly style: Style;
  readonly isDemo: boolean;
  /** The options that it was asked for with, those of the time left aside. */
  readonly asked: readonly string[];
}

/** Names of files that a person reads; the rest is counted. */
const MOST_FILES = 8;
const [INDENT, LABEL] = [4, 8];

export function printStandup(standup: Standup, page: Page): string[] {
  const { style, columns } = page;
  if (standup.sessionCount === 0) return nothing(standup, page);
  const head = [
    plural(standup.sessionCount, "session", "sessions"),
    plural(standup.turns, "turn", "turns"),
    plural(standup.repositories.length, "repository", "repositories"),
  ];
  const open = standup.repositories.flatMap(({ branches }) => branches.flatMap(({ openEnds }) => openEnds));
  return [
    ...wrap(`Standup, ${rangeText(standup)}: ${head.join(", ")}`, columns),
    ...standup.repositories.flatMap(({ repository, branches }) => [
      "",
      style.bold(cut(oneLine(repository ?? "No repository"), columns)),
      ...branches.flatMap((branch) => branchLines(branch, page)),
    ]),
    ...(open[0]
      ? [
          "",
          "Continue what was left open:",
          `  ${style.cyan(toShell(["rethread", "resume", shortId(open[0].session.id), ...(page.isDemo ? ["--demo"] : [])]))}`,
        ]
      : []),
  ];
}

function nothing(standup: Standup, { columns, style, isDemo, asked }: Page): string[] {
  const demo = isDemo ? ["--demo"] : [];
  return [
    ...wrap(`No sessions from ${rangeText(standup)}.`, columns),
    "Look further back, or index sessions that are missing:",
    `  ${style.cyan(toShell(["rethread", "chronicle", "standup", ...asked, "--since", "7d", ...demo]))}`,
    `  ${style.cyan(toShell(["rethread", "index", ...demo]))}`,
  ];
}

function branchLines(branch: StandupBranch, page: Page): string[] {
  const { style, columns } = page;
  const rows: string[] = [
    ...branch.sessions.flatMap((session) => sessionLines(session, page)),
    ...labelled("files", filesText(branch), page),
    ...branch.commits.flatMap((commit) => labelled("commit", commitText(commit), page)),
    ...labelled("PRs", refsText(branch.pullRequests), page),
    ...labelled("issues", refsText(branch.issues), page),
    ...branch.openEnds.flatMap(({ kind, text, session, turn }) =>
      labelled(
        "open",
        `${OPEN_WORDS[kind]}: ${text} (${shortId(session.id)}, turn ${turn})`,
        page,
        style.yellow,
      ),
    ),
  ];
  return [`  ${style.cyan(cut(oneLine(branch.branch ?? "(no branch)"), columns - 2))}`, ...rows];
}

function sessionLines(
  { title, turns, outcome, id }: StandupBranch["sessions"][number],
  { columns, style }: Page,
): string[] {
  const facts = `${plural(turns, "turn", "turns").padStart(8)}  ${shortId(id)}`;
  const room = columns - INDENT - 2 - widthOf(facts);
  const name = cutTitle(oneLine(title), Math.max(8, room));
  const said = outcome === undefined ? [] : wrap(oneLine(outcome), columns - INDENT - 2);
  return [
    `${" ".repeat(INDENT)}${pad(name, room)}  ${style.dim(facts)}`,
    ...said.map((line) => `${" ".repeat(INDENT + 2)}${style.dim(line)}`),
  ];
}

/** Nothing for nothing. Further lines stand below the first, beside the label. */
function labelled(
  label: string,
  text: string,
  { columns, style }: Page,
  paint: (text: string) => string = (line) => line,
): string[] {
  if (text === "") return [];
  return wrap(oneLine(text), Math.max(12, columns - INDENT - LABEL)).map(
    (line, at) => `${" ".repeat(INDENT)}${style.dim(pad(at === 0 ? label : "", LABEL))}${paint(line)}`,
  );
}

function filesText({ files }: StandupBranch): string {
  const more = files.length - MOST_FILES;
  const names = files.slice(0, MOST_FILES).map(({ path }) => path);
  return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const commitText = ({ commit, subject }: StandupCommit): string =>
  `${commit.slice(0, 7)}${subject === undefined ? "" : ` ${subject}`}`;

const refsText = (refs: readonly StandupRef[]): string =>
  refs
    .map(({ number, evidence }) => `#${number}${evidence === "mentioned" ? " (mentioned)" : ""}`)
    .join(", ");
