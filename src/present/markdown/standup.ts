/** A standup as Markdown, ready to be pasted where the team reads it. */
import type { Standup, StandupBranch, StandupCommit, StandupRef } from "../../app/contract.ts";
import { plural } from "../text/measure.ts";
import { type RangeWords, rangeText } from "../text/range.ts";
import { code, escapeProse } from "./inline.ts";

/** Names of files that a person reads; the rest is counted. */
const MOST_FILES = 8;

export const standupTitle = (range: RangeWords): string => `Standup, ${rangeText(range)}`;

/** `level` is that of a repository's heading. */
export function markdownStandup({ repositories }: Standup, level = 3): string {
  if (repositories.length === 0) return "No sessions in this time.\n";
  return repositories
    .map(
      ({ repository, branches }) =>
        `${"#".repeat(level)} ${escapeProse(repository ?? "No repository")}\n\n${branches.map(branchText).join("\n")}`,
    )
    .join("\n");
}

function branchText(branch: StandupBranch): string {
  const items = [
    ...branch.sessions.map(
      ({ title, outcome }) =>
        `**${escapeProse(title)}**${outcome === undefined ? "" : `${/[.!?:…]$/.test(title) ? "" : ":"} ${escapeProse(outcome)}`}`,
    ),
    ...(branch.files.length > 0 ? [filesText(branch)] : []),
    ...branch.commits.map(commitText),
    ...linksText("Pull requests", branch.pullRequests),
    ...linksText("Issues", branch.issues),
    ...branch.openEnds.map(
      ({ kind, text, session }) =>
        `**Open** (${OPEN_WORDS[kind]}): ${escapeProse(text)} (${escapeProse(session.title)})`,
    ),
  ];
  const turns = branch.turns > 0 ? ` (${plural(branch.turns, "turn", "turns")})` : "";
  const head = branch.branch === undefined ? "No branch" : code(branch.branch);
  return `**${head}**${turns}\n\n${items.map((item) => `- ${item}\n`).join("")}`;
}

export const OPEN_WORDS = {
  failed: "failed",
  asked: "waits for an answer",
  interrupted: "interrupted",
} as const;

function filesText({ files }: StandupBranch): string {
  const names = files.slice(0, MOST_FILES).map(({ path }) => code(path));
  const more = files.length - names.length;
  return `${plural(files.length, "file", "files")} changed: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function commitText({ commit, subject, url }: StandupCommit): string {
  const name = code(commit.slice(0, 7));
  const hash = url === undefined ? name : `[${name}](${url})`;
  return `Commit ${hash}${subject === undefined ? "" : ` ${escapeProse(subject)}`}`;
}

function linksText(what: string, refs: readonly StandupRef[]): string[] {
  if (refs.length === 0) return [];
  const links = refs.map(({ number, url, evidence }) => {
    const link = url === undefined ? `#${number}` : `[#${number}](${url})`;
    return evidence === "mentioned" ? `${link} (mentioned)` : link;
  });
  return [`${refs.length === 1 ? what.slice(0, -1) : what} ${links.join(", ")}`];
}
