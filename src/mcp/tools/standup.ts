/** `standup`: what was worked on, by repository and branch, and what was left open. */

import { withoutCutWords } from "../../model/text/cut-words.ts";
import { formatKey } from "../../model/values/id.ts";
import { chronicleStandup } from "../../operations/reports/chronicle-standup.ts";
import { plural } from "../../present/text/measure.ts";
import { callOf, cite } from "../citation.ts";
import { filterFields, largerThan, toFilters } from "../inputs.ts";
import { fitItems } from "../items.ts";
import { defineTool, type Told } from "../tool.ts";

type Branch = Told<"chronicle-standup">["repositories"][number]["branches"][number];

export default defineTool({
  name: "standup",
  title: "What was worked on",
  description:
    "A report of past work by repository and branch: sessions with their outcome, changed files, commits, pull requests, issues, and what was left open. Use it for what was done in a time; since defaults to the last 24 hours.",
  kind: "question",
  operations: [chronicleStandup],
  input: (z) => {
    const { repo, since, until } = filterFields(z);
    return z.strictObject({ since, until, repo });
  },
  async run(input, { ask, now, budget }) {
    const standup = await ask("chronicle-standup", toFilters(input, now));
    const branches = standup.repositories.flatMap(({ repository, branches: all }) =>
      all.map((branch) => ({ repository, branch })),
    );
    if (branches.length === 0) return { head: `Nothing was worked on${timeOf(input)}.` };
    const troubles = standup.gitTroubles.map((sentence) => ({ forms: [`git: ${sentence}`] as const }));
    const items = [
      ...troubles,
      ...branches.map(({ repository, branch }) => ({
        forms: formsOf(repository ?? "no repository", branch),
      })),
    ];
    const missing = troubles.length > 0 ? " Commits are missing, as git gave no answer everywhere." : "";
    return {
      head: `${plural(standup.sessionCount, "session", "sessions")} with ${plural(standup.turns, "turn", "turns")}${timeOf(input)}, by repository and branch.${missing}`,
      body(room) {
        const { text, shown, shortened } = fitItems(items, room);
        const isCut = shown < items.length || shortened.length > 0;
        return {
          text,
          cut: isCut
            ? [
                `Cut: ${shown} of ${plural(items.length, "branch", "branches")} ${shown === 1 ? "is" : "are"} shown, ${shortened.length} shortened. To get the rest: name repo, or ${callOf("standup", { ...input, budget: largerThan(budget) })}`,
              ]
            : [],
        };
      },
    };
  },
});

function formsOf(repository: string, branch: Branch): [string, ...string[]] {
  const head = `${repository}${branch.branch === null ? "" : `, branch ${branch.branch}`}`;
  const times = new Map(branch.sessions.map((session) => [formatKey(session), session.lastAt]));
  const sessions = branch.sessions.map(
    (session) => `${cite(session, session.lastTurn, session.lastAt)} "${withoutCutWords(session.title)}"`,
  );
  const outcomes = branch.sessions.map(({ outcome }, at) =>
    outcome === null ? (sessions[at] ?? "") : `${sessions[at]}: ${outcome}`,
  );
  const open = branch.openEnds.map(
    ({ kind, text, session, turn }) =>
      `open (${kind}): ${text} [${cite(session, turn, times.get(formatKey(session)))}]`,
  );
  const facts = [
    list(
      "files",
      branch.files.map(({ path }) => path),
    ),
    list(
      "commits",
      branch.commits.map(({ commit, subject }) => [commit.slice(0, 9), subject].filter(Boolean).join(" ")),
    ),
    list(
      "pull requests",
      branch.pullRequests.map(({ number }) => `#${number}`),
    ),
    list(
      "issues",
      branch.issues.map(({ number }) => `#${number}`),
    ),
  ].filter((line) => line !== "");
  const join = (...lines: (readonly string[])[]): string => [head, ...lines.flat()].join("\n");
  return [join(outcomes, facts, open), join(sessions, open), join(sessions), sessions[0] ?? head];
}

const list = (what: string, values: readonly string[]): string =>
  values.length === 0 ? "" : `${what}: ${values.join(", ")}`;

/** As it was asked for: the same question has the same answer a moment later. */
const timeOf = ({ since = "24h", until }: { readonly since?: string; readonly until?: string }): string =>
  ` since ${since}${until === undefined ? "" : ` until ${until}`}`;
