/** Which sessions are there? Newest activity first, narrowed by where, when and which program. */
import { AppError } from "../model/errors.ts";
import { nearest } from "../model/nearest.ts";
import { foldPath, isAbout, isOnBranch } from "../model/place.ts";
import type { Session, SourceId } from "../model/session.ts";
import type { Catalog } from "../sources/catalog.ts";
import { type Progress, readHeads } from "./heads.ts";

export interface ListFilter {
  readonly sources?: readonly SourceId[];
  /** The folder itself, one above it, or any part of its path. */
  readonly workspace?: string;
  /** Any part of `owner/name`. */
  readonly repository?: string;
  /** The whole name, or a part of it between slashes. */
  readonly branch?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly limit?: number;
}

export interface SessionList {
  readonly sessions: readonly Session[];
  /** How many fit the filter, whether or not the limit let them through. */
  readonly total: number;
}

export async function listSessions(
  catalog: Catalog,
  filter: ListFilter,
  progress?: Progress,
): Promise<SessionList> {
  const { heads } = await readHeads(catalog, {
    ...(filter.sources && { sources: knownSources(catalog, filter.sources) }),
    ...(progress && { progress }),
  });
  const sessions = heads
    .map((head) => head.session)
    .filter((session) => fits(session, filter))
    .sort(byActivity);
  return { sessions: sessions.slice(0, filter.limit ?? sessions.length), total: sessions.length };
}

/** Newest first; sessions that tell no time come last, in a stable order. */
export function byActivity(a: Session, b: Session): number {
  const [left, right] = [b.updatedAt ?? "", a.updatedAt ?? ""];
  if (left !== right) return left < right ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

export function fits(session: Session, filter: ListFilter): boolean {
  if (filter.sources && !filter.sources.includes(session.source)) return false;
  if (filter.workspace !== undefined && !isAbout(session.workspace, filter.workspace)) return false;
  if (filter.repository !== undefined && !includes(session.repository, filter.repository)) return false;
  if (filter.branch !== undefined && !isOnBranch(session.branch, filter.branch)) return false;
  const active = session.updatedAt ?? session.createdAt;
  const time = active === undefined ? undefined : Date.parse(active);
  if (filter.since && (time === undefined || time < filter.since.getTime())) return false;
  if (filter.until && (time === undefined || time > filter.until.getTime())) return false;
  return true;
}

/** Refuses a source nobody has heard of, instead of answering "no sessions". */
export function knownSources(catalog: Pick<Catalog, "sources">, names: readonly string[]): SourceId[] {
  const known = catalog.sources.map((each) => each.source);
  return names.map((name) => {
    if (known.includes(name)) return name;
    const meant = nearest(name, known) ?? known.find((id) => id.includes(name.toLowerCase()));
    throw new AppError(
      "usage",
      `There is no source called "${name}"`,
      meant ? `Did you mean ${meant}?` : `The sources are ${known.join(", ")}`,
    );
  });
}

/** Nobody remembers how a repository is spelled. */
const includes = (value: string | undefined, part: string): boolean =>
  value !== undefined && foldPath(value).includes(foldPath(part));
