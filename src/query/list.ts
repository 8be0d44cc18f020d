/** Lists sessions by filter, most recently active first. */
import { AppError } from "../model/errors.ts";
import { COPY_KINDS, countValues, type SessionFacets } from "../model/session/facets.ts";
import type { Session, SourceId } from "../model/session/session.ts";
import {
  comparePlaces,
  fromCursor,
  placeOf,
  type SessionOrder,
  type SessionPlace,
  toCursor,
} from "../model/session/session-order.ts";
import { sessionWords, toWords } from "../model/session/session-words.ts";
import { startsTurn } from "../model/session/turns.ts";
import { detachString } from "../model/text/detach-string.ts";
import { nearest } from "../model/text/nearest.ts";
import { isOfProject } from "../model/values/elsewhere.ts";
import { formatKey } from "../model/values/id.ts";
import { isAbout, isInRepository, isOnBranch } from "../model/values/place.ts";
import type { Catalog } from "../sources/catalog.ts";
import { countFacets } from "../store/facets.ts";
import type { SessionFilter } from "../store/filter.ts";
import type { SessionStore } from "../store/session-store.ts";
import { countSessions, findSessions } from "../store/sessions.ts";
import { type Progress, readHeads } from "./heads.ts";

/** What a session's head alone can answer. */
export type ListFilter = Pick<
  SessionFilter,
  | "sources"
  | "workspace"
  | "project"
  | "repository"
  | "branch"
  | "since"
  | "until"
  | "model"
  | "exact"
  | "text"
  | "tags"
  | "problems"
  | "copies"
  | "recordedCopies"
>;

export interface SessionList {
  readonly sessions: readonly Session[];
  /** How many fit the filter, whether or not the limit let them through. */
  readonly total: number;
  /** Where the next page begins, if there is one. */
  readonly next?: string;
  /** Of all that match, where they were asked for. */
  readonly facets?: SessionFacets;
}

/** All of them, the latest activity first, unless something else is asked for. */
export interface ListPage {
  readonly limit?: number | undefined;
  readonly sort?: SessionOrder | undefined;
  /** From the page before: what comes behind that is listed. */
  readonly cursor?: string | undefined;
  /** False leaves out who has a session open, for which each of them is looked at. */
  readonly owners?: boolean | undefined;
  /** Count by source, repository and so on. */
  readonly facets?: boolean | undefined;
}

export async function listSessions(
  catalog: Catalog,
  { db }: Pick<SessionStore, "db">,
  filter: SessionFilter,
  page: ListPage = {},
): Promise<SessionList> {
  const { order, after } = toPageStart(page);
  // One more shows whether there is another page.
  const limit = page.limit === undefined ? undefined : page.limit + 1;
  const found = findSessions(db, filter, { order, after, limit });
  const isAll = limit === undefined && after === undefined;
  const total = isAll ? found.length : countSessions(db, filter);
  const list = await toList(catalog, found, page, order, total);
  return page.facets ? { ...list, facets: countFacets(db, filter) } : list;
}

const toPageStart = ({
  sort,
  cursor,
}: ListPage): { order: SessionOrder; after: SessionPlace | undefined } => {
  const after = cursor === undefined ? undefined : fromCursor(cursor, sort);
  return { order: after?.order ?? sort ?? "active", after };
};

async function toList(
  catalog: Catalog,
  found: readonly Session[],
  { limit, owners = true }: ListPage,
  order: SessionOrder,
  total: number,
): Promise<SessionList> {
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    sessions: owners ? await withOwners(catalog, shown) : shown,
    total,
    ...(last && shown.length < found.length && { next: toCursor(placeOf(order, last)) }),
  };
}

/** Who has a session open changes without its log, so it is asked each time, for those that are shown. */
async function withOwners(catalog: Catalog, sessions: readonly Session[]): Promise<readonly Session[]> {
  const owners = await catalog.owners(sessions);
  if (owners.size === 0) return sessions;
  return sessions.map((session) => {
    const openIn = owners.get(session.path);
    return openIn === undefined ? session : { ...session, openIn };
  });
}

/** The same answer by reading every session as the indexer would, for when the store cannot be used. */
export async function listFromFiles(
  catalog: Catalog,
  filter: ListFilter,
  page: ListPage = {},
  progress?: Progress,
  /** By the keys of their sessions; no log has them. */
  tags: ReadonlyMap<string, readonly string[]> = new Map(),
): Promise<SessionList> {
  const { order, after } = toPageStart(page);
  const prompts = new Map<string, string>();
  // Facets tell of other sources, too.
  const sources = page.facets ? undefined : filter.sources;
  const { heads } = await readHeads(catalog, {
    skim: true,
    ...(sources && { sources }),
    ...(progress && { progress }),
    event(event, { path }) {
      if (startsTurn(event) && !prompts.has(path)) prompts.set(path, detachString(event.text.slice(0, 1000)));
    },
  });
  const sessions = heads.map(({ session }) => {
    const own = tags.get(formatKey(session));
    return own ? { ...session, tags: own } : session;
  });
  const isFitting = (session: Session, wanted: ListFilter): boolean =>
    fits(session, wanted, prompts.get(session.path));
  const placed = sessions
    .filter((session) => isFitting(session, filter))
    .map((session) => ({ session, place: placeOf(order, session) }))
    .sort((a, b) => comparePlaces(a.place, b.place));
  const beyond = after ? placed.filter(({ place }) => comparePlaces(place, after) > 0) : placed;
  const list = await toList(
    catalog,
    beyond.map(({ session }) => session),
    page,
    order,
    placed.length,
  );
  return page.facets ? { ...list, facets: facetsOf(sessions, filter, isFitting) } : list;
}

function facetsOf(
  sessions: readonly Session[],
  filter: ListFilter,
  isFitting: (session: Session, filter: ListFilter) => boolean,
): SessionFacets {
  const without = (own: keyof ListFilter): Session[] => {
    const { [own]: _, ...others } = filter;
    return sessions.filter((session) => isFitting(session, others));
  };
  return {
    source: countValues("source", without("sources")),
    repository: countValues("repository", without("repository")),
    branch: countValues("branch", without("branch")),
    model: countValues("model", without("model")),
    workspace: countValues("workspace", without("workspace")),
    // Several are asked for at once, so they are counted among what is left.
    tag: countValues(
      "tag",
      sessions.filter((session) => isFitting(session, filter)),
    ),
    problems: without("problems").filter(({ problems }) => problems > 0).length,
    copies: without("copies").filter((session) => isCopy(session, filter.recordedCopies)).length,
  };
}

/** Newest first; sessions without a time come last, in a stable order. */
export function byActivity(a: PlaceInTime, b: PlaceInTime): number {
  return (
    compare(b.updatedAt ?? "", a.updatedAt ?? "") ||
    compare(a.id, b.id) ||
    compare(a.source, b.source) ||
    compare(a.path, b.path)
  );
}

type PlaceInTime = Pick<Session, "updatedAt" | "id" | "source" | "path">;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** `prompt` is the first one. */
export function fits(session: Session, filter: ListFilter, prompt?: string): boolean {
  const { sources, since, until } = filter;
  if (sources && !sources.includes(session.source)) return false;
  if (!fitsNames(session, filter)) return false;
  const active = session.updatedAt ?? session.createdAt;
  if (since !== undefined && (active === undefined || active < since)) return false;
  if (until !== undefined && (active === undefined || active > until)) return false;
  if (filter.tags && !filter.tags.every((tag) => session.tags?.includes(tag))) return false;
  if (filter.problems && session.problems === 0) return false;
  if (filter.copies && !isCopy(session, filter.recordedCopies)) return false;
  if (filter.text === undefined) return true;
  const known = sessionWords(session, prompt);
  return toWords(filter.text).every((word) => known.includes(word));
}

function fitsNames(session: Session, filter: ListFilter): boolean {
  const { workspace, repository, branch, model, exact } = filter;
  if (exact)
    return (
      (workspace === undefined || session.workspace === workspace) &&
      (repository === undefined || session.repository === repository) &&
      (branch === undefined || session.branch === branch) &&
      (model === undefined || session.models.includes(model))
    );
  const wanted = model?.toLowerCase();
  return (
    (workspace === undefined ||
      isAbout(session.workspace, workspace) ||
      (filter.project !== undefined && isOfProject(session.workspace, session.repository, filter.project))) &&
    (repository === undefined || isInRepository(session.repository, repository)) &&
    (branch === undefined || isOnBranch(session.branch, branch)) &&
    (wanted === undefined || session.models.some((each) => each.toLowerCase().includes(wanted)))
  );
}

const isCopy = (session: Session, recorded: readonly string[] = []): boolean =>
  COPY_KINDS.includes(session.parent?.kind ?? "") || recorded.includes(formatKey(session));

/** Refuses an unknown source, instead of answering "no sessions". */
export function knownSources(catalog: Pick<Catalog, "sources">, names: readonly string[]): SourceId[] {
  const known = catalog.sources.map((each) => each.source);
  return names.map((name) => {
    if (known.includes(name)) return name;
    const meant = nearest(name, known) ?? known.find((id) => id.includes(name.toLowerCase()));
    throw new AppError(
      "usage",
      `Unknown source "${name}"`,
      meant ? `Did you mean ${meant}?` : `The sources are ${known.join(", ")}`,
    );
  });
}
