/** Counts the sessions with each problem, by workspace. */

import type { ProblemCode } from "../model/problem.ts";
import type { Session } from "../model/session/session.ts";
import { isAtOrBelow, splitLast } from "../model/values/paths.ts";
import type { Finding } from "./doctor.ts";

export interface WorkspaceHealth {
  /** The folder or place it is about; where nobody knows that, the folder that holds the sessions. */
  readonly workspace: string;
  readonly sessions: number;
  /** Sessions with a problem of this kind; problems of no session count as one. */
  readonly problems: Readonly<Partial<Record<ProblemCode, number>>>;
}

const NO_WORKSPACE = "no workspace";

/** Those with problems first, then by name. */
export function byWorkspace(findings: readonly Finding[], sessions: readonly Session[]): WorkspaceHealth[] {
  const nameOf = new Map(sessions.map((session) => [keyOf(session.source, session.id), session.workspace]));
  const folders = sessions.map(({ path, workspace = NO_WORKSPACE }) => ({ path, workspace }));
  const groups = new Map<string, { sessions: number; by: Map<ProblemCode, Set<string>> }>();
  const groupOf = (workspace: string) => {
    const group = groups.get(workspace) ?? { sessions: 0, by: new Map() };
    groups.set(workspace, group);
    return group;
  };
  for (const { workspace = NO_WORKSPACE } of sessions) groupOf(workspace).sessions++;
  for (const { code, source, session = "", path } of findings) {
    if (code === "workspace-elsewhere") continue; // it may be about several, and is none of them
    const key = keyOf(source, session);
    const group = groupOf(nameOf.has(key) ? (nameOf.get(key) ?? NO_WORKSPACE) : placeOf(path, folders));
    group.by.set(code, (group.by.get(code) ?? new Set()).add(key));
  }
  return [...groups]
    .map(([workspace, { sessions: count, by }]) => ({
      workspace,
      sessions: count,
      problems: Object.fromEntries([...by].map(([code, keys]) => [code, keys.size])),
    }))
    .sort((a, b) => sumOf(b) - sumOf(a) || (a.workspace < b.workspace ? -1 : 1));
}

const keyOf = (source: string, id: string): string => `${source}:${id}`;

const sumOf = ({ problems }: WorkspaceHealth): number =>
  Object.values(problems).reduce((sum, count) => sum + count, 0);

/** What lies beside sessions, or around them, is about their workspace, as long as they have the same one. */
function placeOf(
  path: string,
  sessions: readonly { readonly path: string; readonly workspace: string }[],
): string {
  const folder = splitLast(path)?.folder ?? path;
  const around = sessions.filter((session) => isAtOrBelow(session.path, folder));
  const [workspace = folder, ...others] = new Set(around.map((session) => session.workspace));
  return others.length === 0 ? workspace : folder;
}
