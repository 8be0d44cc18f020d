/** Finds the session that a name means: any unique start of an id, a title, or `source:id`. */
import { AppError } from "../model/errors.ts";
import type { Problem } from "../model/problem.ts";
import type { Artifact, Session } from "../model/session/session.ts";
import { nearest } from "../model/text/nearest.ts";
import { shellLine } from "../model/text/shell-words.ts";
import { bestOf, formatKey, matchName, type SessionKey, shortId } from "../model/values/id.ts";
import type { Catalog } from "../sources/catalog.ts";
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

const MOST_CANDIDATES = 5;

export async function resolveSession(
  catalog: Catalog,
  name: string,
  progress?: Progress,
  titles: ReadTitles = titlesInFiles(catalog, progress),
): Promise<Found> {
  const { artifacts, problems } = await catalog.scan();
  const found = (artifact: Artifact): Found => ({
    artifact,
    problems: problems.filter((each) => each.source === artifact.source && each.session === artifact.id),
  });
  if (artifacts.length === 0) throw nothingFound();
  const sources = catalog.sources.map((each) => each.source);

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

function ambiguous(name: string, sessions: readonly Session[], all: readonly SessionKey[]): AppError {
  const candidates = sessions.toSorted(byActivity);
  const keys = candidates.slice(0, MOST_CANDIDATES).map((session) => typedKey(session, all));
  const listed = keys.map((key, index) => `${key} "${candidates[index]?.title}"`);
  const more = candidates.length - listed.length;
  return new AppError(
    "session-ambiguous",
    `"${name}" matches ${candidates.length} sessions: ${listed.join(", ")}${more > 0 ? `, and ${more} more` : ""}`,
    `Name one by its id, for example ${keys[0]}`,
  );
}

/** With the shortest start of the id, of eight letters at least, that tells a session from all others of its source. */
function typedKey({ source, id }: SessionKey, all: readonly SessionKey[]): string {
  const others = all.filter((other) => other.source === source && other.id !== id);
  const clashes = (start: string): boolean => others.some((other) => other.id.startsWith(start));
  let start = shortId(id);
  while (start.length < id.length && clashes(start)) start = id.slice(0, start.length + 1);
  return shellLine`${source}:${start}`;
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
      ? `Did you mean ${typedKey(meant, sessions)} "${meant.title}"?`
      : { say: "See all sessions", remedy: { action: "list" } },
  );
}

const nothingFound = (): AppError =>
  new AppError("nothing-found", "No agent keeps sessions on this machine", {
    say: "Create sample sessions to try",
    remedy: { action: "demo" },
  });
