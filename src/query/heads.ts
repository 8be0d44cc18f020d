/** Reads the metadata and problems of sessions, without their conversations. */
import { countsAgainst, distinct, type Problem } from "../model/problem.ts";
import { type SessionWork, withInheritedParents } from "../model/session/inherited.ts";
import type { Artifact, Event, Session, SourceId } from "../model/session/session.ts";
import { startsTurn } from "../model/session/turns.ts";
import { workKey } from "../model/session/work-key.ts";
import type { Catalog } from "../sources/catalog.ts";
import { failedOn, toProblem, unreadSession } from "../sources/isolation.ts";
import { withNeighbours } from "../sources/machine/folder-repositories.ts";

export interface SessionEntry {
  readonly artifact: Artifact;
  /** Its `problems` counts what the scan found about it, too. */
  readonly session: Session;
  /** Everything found, oddities included. */
  readonly problems: readonly Problem[];
}

export interface Heads {
  readonly heads: readonly SessionEntry[];
  /** What the scan found, whether or not it belongs to a session. */
  readonly scanProblems: readonly Problem[];
}

export type Progress = (done: number, total: number) => void;

export interface HeadOptions {
  readonly sources?: readonly SourceId[];
  readonly progress?: Progress;
  /** Leave out sessions of which only our own copy is left. */
  readonly onDisk?: boolean;
  /** Read as the indexer does: faster, but blind for damage in what makes no event. */
  readonly skim?: boolean;
  /** Only what is wrong is wanted: the parents that only shared turns tell are not looked for. */
  readonly problemsOnly?: boolean;
  /** Called with each as soon as it was read. */
  readonly head?: (head: SessionEntry) => void;
  /** Sees every event as it passes; nothing is kept of them otherwise. */
  readonly event?: (event: Event, artifact: Artifact) => void;
}

export async function readHeads(catalog: Catalog, options: HeadOptions = {}): Promise<Heads> {
  const scan = await catalog.scan(options.sources);
  const scanProblems = scan.problems;
  const artifacts = options.onDisk
    ? scan.artifacts.filter((artifact) => artifact.vanishedAt === undefined)
    : scan.artifacts;
  const bySession = Map.groupBy(scanProblems, sessionKey);
  const heads: SessionEntry[] = [];
  const works: SessionWork[] = [];
  for (const artifact of artifacts) {
    options.progress?.(heads.length, artifacts.length);
    const known = bySession.get(`${artifact.source}:${artifact.id}`) ?? [];
    const keys: number[] = [];
    const about = { source: artifact.source, renewsIds: catalog.renewsIds(artifact.source) };
    const event: HeadOptions["event"] = (each, of) => {
      const key = startsTurn(each) ? workKey(about, each) : undefined;
      if (key !== undefined) keys.push(key);
      options.event?.(each, of);
    };
    const watched = options.problemsOnly ? options.event : event;
    const head = await readAnyHead(catalog, artifact, known, watched, options.skim);
    heads.push(head);
    options.head?.(head);
    if (options.problemsOnly) continue;
    const bornMs = await catalog.bornMs(artifact);
    works.push({ session: head.session, works: keys, ...(bornMs !== undefined && { bornMs }) });
  }
  options.progress?.(heads.length, artifacts.length);
  if (options.problemsOnly) return { heads, scanProblems };
  const sessions = withNeighbours(withInheritedParents(works));
  return {
    heads: heads.map((head, at) => ({ ...head, session: sessions[at] ?? head.session })),
    scanProblems,
  };
}

/** Progress within one session, for those that take long on their own: how far into its file an event stands. */
export const withinFile =
  (progress: Progress | undefined): HeadOptions["event"] =>
  ({ origin }, { fingerprint }) => {
    if (origin.file === undefined) progress?.(origin.end, fingerprint.size);
  };

export async function readHead(
  catalog: Catalog,
  artifact: Artifact,
  known: readonly Problem[] = [],
  event?: HeadOptions["event"],
  skim = false,
): Promise<SessionEntry> {
  const found: Problem[] = [...known];
  const session = await catalog.read(
    artifact,
    { event: (each) => event?.(each, artifact), problem: (problem) => void found.push(problem) },
    { textLimit: 0, skim },
  );
  const problems = distinct(found);
  return { artifact, session: { ...session, problems: problems.filter(countsAgainst).length }, problems };
}

/** The same where it is one of many: nothing that is wrong with it keeps the others from being read. */
export async function readAnyHead(...asked: Parameters<typeof readHead>): Promise<SessionEntry> {
  try {
    return await readHead(...asked);
  } catch (error) {
    const [, artifact, known = []] = asked;
    const problems = [...known, toProblem(error, failedOn(artifact))];
    return { artifact, session: unreadSession(artifact), problems };
  }
}

const sessionKey = (problem: Problem): string => `${problem.source}:${problem.session ?? ""}`;
