/** Reads some turns of a session, from one to another. */
import { AppError } from "../model/errors.ts";
import type { SessionKey } from "../model/values/id.ts";
import type { Catalog } from "../sources/catalog.ts";
import type { Progress } from "./heads.ts";
import { locateSession, type Naming } from "./resolve.ts";
import { type ShowOptions, toReadOptions } from "./show.ts";
import {
  createTurnCollector,
  type FoundTurns,
  findTurns,
  MOST_WAITING,
  type StoredPlaces,
  WORTH_ASKING,
} from "./turn-range.ts";

export interface TurnsRequest extends Pick<ShowOptions, "textLimit" | "whole"> {
  /** The first turn, counted from 0 (default 0). */
  readonly from?: number;
  /** The last one, included; by default as many as one answer has. */
  readonly to?: number;
}

export interface TurnPage extends Pick<FoundTurns, "turns" | "preamble"> {
  readonly session: SessionKey;
  /** How many the session has. */
  readonly total: number;
  /** The first that was asked for and is not in this answer, as that would be too long. */
  readonly next?: number;
}

/** In one answer. */
export const MOST_TURNS = 200;

export async function turnsOf(
  catalog: Catalog,
  name: string,
  request: TurnsRequest,
  places: StoredPlaces & { readonly progress?: Progress; readonly naming?: Naming } = {},
): Promise<TurnPage> {
  const { from = 0, to: last = Number.POSITIVE_INFINITY } = request;
  if (last < from)
    throw new AppError("usage", `Turn ${last} comes before turn ${from}`, "Name the earlier turn first");
  const artifact = await locateSession(catalog, name, places.progress, places.naming);
  const span = { from, to: Math.min(last, from + MOST_TURNS - 1) };
  const how = toReadOptions(request);
  const { storedTurns, leastLog = WORTH_ASKING } = places;
  const stored =
    artifact.fingerprint.size < leastLog
      ? undefined
      : await storedTurns?.(artifact, { first: from, count: span.to - from + 1 + MOST_WAITING });
  const known = stored && stored.session.turns > 0 && stored.session.turns <= from;
  const found = known
    ? { session: stored.session, preamble: [], turns: [] }
    : ((await findTurns(catalog, artifact, stored, span, { ...how, preamble: from === 0 })) ??
      (await readAll()));
  const { session, preamble, turns } = found;
  const after = from + turns.length;
  return {
    session: { source: artifact.source, id: artifact.id },
    preamble,
    turns,
    total: session.turns,
    ...(after < session.turns && after <= last && { next: after }),
  };

  /** Once, as only the turns in question are held. */
  async function readAll(): Promise<FoundTurns> {
    const collector = createTurnCollector(span);
    const session = await catalog.read(
      artifact,
      { event: collector.event, problem: () => undefined }, // the outline reports them
      how,
    );
    return { session, ...collector.end() };
  }
}
