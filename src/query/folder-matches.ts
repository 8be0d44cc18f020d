/** Ranks the sessions that continue the work in a folder, as Copilot CLI's `--continue` does, but over all agents. Pure. */
import { MATCHED_BY, type MatchedBy } from "../model/session/matched-by.ts";
import type { Session } from "../model/session/session.ts";
import { foldPath, isAtOrBelow } from "../model/values/paths.ts";
import { byActivity } from "./list.ts";

/** The place to be matched. */
export interface Here {
  readonly folder: string;
  /** The folder without links, where that differs. */
  readonly realFolder?: string;
  readonly gitRoot?: string;
  readonly repository?: string;
  readonly branch?: string;
}

export interface FolderMatch {
  readonly session: Session;
  readonly by: MatchedBy;
}

export interface FolderMatches {
  readonly here: Here;
  /** The best first; of equally good ones the latest. */
  readonly matches: readonly FolderMatch[];
  /** How many of the first are equally good, so that nothing tells which of them is meant. */
  readonly equal: number;
}

/** Only what can be continued counts, and what is open somewhere only where nothing else is. */
export function rankForFolder(sessions: readonly Session[], here: Here): FolderMatch[] {
  const matches = sessions.flatMap((session): FolderMatch[] => {
    const by = session.resume === undefined || session.turns === 0 ? undefined : matchedBy(session, here);
    return by ? [{ session, by }] : [];
  });
  const tier = ({ by, session }: FolderMatch): number =>
    MATCHED_BY.indexOf(by) + (session.openIn === undefined ? 0 : MATCHED_BY.length);
  return matches.sort((a, b) => tier(a) - tier(b) || byActivity(a.session, b.session));
}

function matchedBy({ workspace, repository, branch }: Session, here: Here): MatchedBy | undefined {
  // Case does not matter in the names of most servers.
  const isSame = repository !== undefined && foldPath(repository) === foldPath(here.repository ?? "");
  if (isSame && branch !== undefined && branch === here.branch) return "branch";
  if (isSame) return "repository";
  if (workspace === undefined) return undefined;
  if (here.gitRoot !== undefined && isAtOrBelow(workspace, here.gitRoot)) return "git-root";
  return workspace === here.folder || workspace === here.realFolder ? "folder" : undefined;
}

/** How many of the first the rules cannot tell apart. */
export function countEqual(matches: readonly FolderMatch[]): number {
  const [first] = matches;
  return matches.filter(
    ({ by, session }) =>
      by === first?.by &&
      session.updatedAt === first.session.updatedAt &&
      (session.openIn === undefined) === (first.session.openIn === undefined),
  ).length;
}
