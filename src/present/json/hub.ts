/** Answers of a hub as JSON: those at home, with whose each session is. */
import type {
  AuditPage,
  HubBlame,
  HubFile,
  HubList,
  HubSearchReport,
  HubSession,
  Share,
} from "../../app/hub/questions.ts";
import { toListJson, toSearchJson } from "./answers.ts";
import { toBlameJson } from "./blame.ts";

/** There is no demo on a hub. */
export const ON_HUB = { demo: undefined };

export const hubFieldsOf = ({ hubSession, person, machine, sharing, isSealed }: HubSession) => ({
  hubSession,
  person,
  machine,
  sharing,
  isSealed,
});

export function toHubListJson(list: HubList) {
  const json = toListJson(list, ON_HUB);
  return {
    ...json,
    sessions: list.sessions.map((session, at) => ({ ...json.sessions[at], ...hubFieldsOf(session) })),
    unreachable: list.unreachable ?? [],
  };
}

export function toHubSearchJson(report: HubSearchReport) {
  const json = toSearchJson({ ...report, sessions: [] }, ON_HUB);
  return {
    ...json,
    hits: report.hits.map(({ session: { person, hubSession } }, at) => ({
      ...json.hits[at],
      person,
      hubSession,
    })),
    unreachable: report.unreachable ?? [],
  };
}

export const toHubFilesJson = (files: readonly HubFile[]) => ({
  files: files.map(({ sessions, lastAt, ...file }) => ({
    ...file,
    sessionCount: sessions,
    lastAt: lastAt ?? null,
  })),
});

export function toHubBlameJson({ repository, isPartial, lines, ...blame }: HubBlame) {
  // No clone of the repository is here, so git is not asked.
  const {
    lines: told,
    hasGit: _,
    ...json
  } = toBlameJson({
    ...blame,
    lines,
    total: lines.length,
    isBrief: false,
    hasGit: false,
  });
  return {
    ...json,
    repository,
    isPartial,
    lines: told.map((line, at) => {
      const { person, hubSession } = lines[at]?.written?.session ?? {};
      return { ...line, session: line.session && { ...line.session, person, hubSession } };
    }),
  };
}

export const toShareJson = ({ sessions, repository, session, ...share }: Share) => ({
  ...share,
  repository: repository ?? null,
  session: session ?? null,
  sessionCount: sessions,
});

export const toAuditJson = ({ entries, next }: AuditPage) => ({
  entries: entries.map(({ actor, account, title, ...entry }) => ({
    ...entry,
    title: title ?? null,
    actor: actor ?? null,
    account: account ?? null,
  })),
  next: next ?? null,
});
