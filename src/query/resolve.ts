/** Finds the session that a name means: any unique start of an id, a title, `source:id`, `latest`, or `.` for this folder's latest. */
import { AppError, type SessionMatch } from "../model/errors.ts";
import type { Problem } from "../model/problem.ts";
import type { Artifact, Session } from "../model/session/session.ts";
import { nearest } from "../model/text/nearest.ts";
import { toShell } from "../model/text/shell-words.ts";
import {
  bestOf,
  formatKey,
  matchName,
  type SessionKey,
  shortId,
  splitQualified,
} from "../model/values/id.ts";
import { isAtOrBelow } from "../model/values/paths.ts";
import { isAbout } from "../model/values/place.ts";
import type { Catalog } from "../sources/catalog.ts";
import type { KnownArtifact } from "../store/known-artifacts.ts";
import type { SessionStore } from "../store/session-store.ts";
import { findSessions } from "../store/sessions.ts";
import { type Progress, readAnyHead } from "./heads.ts";
import { byActivity } from "./list.ts";

export interface Found {
  readonly artifact: Artifact;
  /** What the scan already knows about it. */
  readonly problems: readonly Problem[];
}

/** Where the titles of sessions come from: the store, where there is one, or each session's own file. */
export type ReadTitles = (artifacts: readonly Artifact[]) => Promise<readonly Titled[]>;

export interface Titled {
  readonly artifact: Artifact;
  readonly session: Session;
}

/** Where the store knows a session to be, by its key. */
export type RecallSession = (key: SessionKey) => Promise<readonly KnownArtifact[] | undefined>;

/** What a name may refer to besides ids. */
export interface Naming {
  readonly recall?: RecallSession;
  readonly titles?: ReadTitles;
  /** The folder that `.` means. */
  readonly folder?: string;
}

export async function resolveSession(
  catalog: Catalog,
  name: string,
  progress?: Progress,
  { titles = titlesInFiles(catalog, progress), folder }: Naming = {},
): Promise<Found> {
  const { artifacts, problems } = await catalog.scan();
  const found = (artifact: Artifact): Found => ({
    artifact,
    problems: problems.filter((each) => each.source === artifact.source && each.session === artifact.id),
  });
  if (artifacts.length === 0) throw nothingFound();
  const sources = catalog.sources.map((each) => each.source);
  const place = latestOf(name, sources, folder);
  if (place) return found(latest(await titles(newestOfEach(artifacts)), place, name));

  // Ids are known without opening a file; titles are not. So a name that is the start of one id is settled here.
  const byId = bestOf(newestOfEach(artifacts), (artifact) =>
    matchName(name, { ...artifact, title: "" }, sources),
  );
  const [only] = byId;
  if (only && byId.length === 1) return found(only);

  const sessions = await titles(newestOfEach(artifacts));
  const matches = bestOf(sessions, ({ session }) => matchName(name, session, sources));
  const [match] = matches;
  if (match && matches.length === 1) return found(match.artifact);
  if (matches.length > 1)
    throw ambiguous(
      name,
      matches.map((each) => each.session),
      artifacts,
    );
  throw notFound(
    name,
    sessions.map((each) => each.session),
  );
}

/**
 * The same for those who ask again and again about one session and need no more of a scan: one that is named by its
 * whole key is looked for where it was.
 */
export async function locateSession(
  catalog: Catalog,
  name: string,
  progress?: Progress,
  naming: Naming = {},
): Promise<Artifact> {
  const known = naming.recall && (await recalled(catalog, name, naming.recall));
  return known ?? (await resolveSession(catalog, name, progress, naming)).artifact;
}

async function recalled(
  catalog: Catalog,
  name: string,
  recall: RecallSession,
): Promise<Artifact | undefined> {
  const { source, rest: id } = splitQualified(
    name,
    catalog.sources.map((each) => each.source),
  );
  const places = source === undefined ? [] : ((await recall({ source, id })) ?? []);
  const [place] = places;
  if (source === undefined || !place || places.length > 1) return undefined;
  const roots = catalog.sources.find((each) => each.source === source)?.roots ?? [];
  const root = roots.find((each) => isAtOrBelow(place.path, each));
  if (root === undefined) return undefined;
  const fingerprint = { size: 0, mtimeMs: 0, ino: 0 };
  const [found] = await catalog.watchPoints.inspect([{ ...place, source, id, root, fingerprint }]);
  return found;
}

export const titlesInFiles =
  (catalog: Catalog, progress?: Progress): ReadTitles =>
  async (artifacts) => {
    const titled: Titled[] = [];
    for (const artifact of artifacts) {
      progress?.(titled.length, artifacts.length);
      titled.push(await readAnyHead(catalog, artifact));
    }
    return titled;
  };

/** Sessions that the store does not know yet have no title there. */
export function titlesInStore({ db }: Pick<SessionStore, "db">, artifacts: readonly Artifact[]): Titled[] {
  const byPath = new Map(artifacts.map((artifact) => [artifact.path, artifact]));
  return findSessions(db, {}).flatMap((session) => {
    const artifact = byPath.get(session.path);
    return artifact ? [{ artifact, session }] : [];
  });
}

/** One session may lie under two roots (Stable and Insiders, a copied home); the one written last is meant. */
function newestOfEach(artifacts: readonly Artifact[]): Artifact[] {
  const newest = new Map<string, Artifact>();
  for (const artifact of artifacts) {
    const other = newest.get(formatKey(artifact));
    if (!other || artifact.fingerprint.mtimeMs > other.fingerprint.mtimeMs)
      newest.set(formatKey(artifact), artifact);
  }
  return [...newest.values()];
}

/** `latest` and `.`, of one source where it is named. */
interface Latest {
  readonly source: string | undefined;
  readonly folder: string | undefined;
}

function latestOf(name: string, sources: readonly string[], folder: string | undefined): Latest | undefined {
  const { source, rest } = splitQualified(name, sources);
  if (rest === "latest") return { source, folder: undefined };
  return rest === "." && folder !== undefined ? { source, folder } : undefined;
}

/** The most recently active one whose files are there. */
function latest(sessions: readonly Titled[], { source, folder }: Latest, name: string): Artifact {
  const [first] = sessions
    .filter(
      ({ session, artifact }) =>
        artifact.vanishedAt === undefined &&
        (source === undefined || session.source === source) &&
        (folder === undefined || isAbout(session.workspace, folder)),
    )
    .sort((a, b) => byActivity(a.session, b.session));
  if (first) return first.artifact;
  throw new AppError(
    "session-not-found",
    folder === undefined ? `No session matches "${name}"` : `No session is about this folder, ${folder}`,
    { say: "See all sessions", remedy: { action: "list" } },
  );
}

function ambiguous(name: string, sessions: readonly Session[], all: readonly SessionKey[]): AppError {
  const startOf = startsAmong(all);
  const sources = Map.groupBy(all, ({ id }) => id);
  const matches = sessions.toSorted(byActivity).map((session): SessionMatch => {
    const start = startOf(session);
    const isShared = sources.get(session.id)?.some(({ source }) => source !== session.source);
    return { session, name: isShared ? `${session.source}:${start}` : start };
  });
  const [first] = matches;
  return new AppError(
    "session-ambiguous",
    `"${name}" matches ${matches.length} sessions`,
    `Name one by its id, for example ${first ? typedKey(first.session, startOf) : ""}`,
    undefined,
    { name, matches },
  );
}

const typedKey = (session: SessionKey, startOf: (session: SessionKey) => string): string =>
  toShell([`${session.source}:${startOf(session)}`]);

/**
 * The shortest start of an id, of eight letters at least, that tells it from all others: in order, the ids that share the
 * longest start with one are its neighbours.
 */
function startsAmong(all: readonly SessionKey[]): (session: SessionKey) => string {
  const ids = [...new Set(all.map(({ id }) => id))].sort();
  const places = new Map(ids.map((id, place) => [id, place]));
  return ({ id }) => {
    const place = places.get(id) ?? -1;
    const neighbours = [ids[place - 1], ids[place + 1]];
    let start = shortId(id);
    while (start.length < id.length && neighbours.some((other) => other?.startsWith(start)))
      start = id.slice(0, start.length + 1);
    return start;
  };
}

function notFound(name: string, sessions: readonly Session[]): AppError {
  const wanted = name.slice(name.indexOf(":") + 1);
  const names = new Map<string, Session>();
  for (const session of sessions) {
    names.set(session.title, session);
    names.set(session.id.slice(0, wanted.length), session);
  }
  const meant = names.get(nearest(wanted, names.keys()) ?? "");
  return new AppError(
    "session-not-found",
    `No session matches "${name}"`,
    meant
      ? `Did you mean ${typedKey(meant, startsAmong(sessions))} "${meant.title}"?`
      : { say: "See all sessions", remedy: { action: "list" } },
  );
}

const nothingFound = (): AppError =>
  new AppError("nothing-found", "No agent keeps sessions on this machine", {
    say: "Create sample sessions to try",
    remedy: { action: "demo" },
  });
