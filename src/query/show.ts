/** Reads a session: its metadata first, then turn after turn. */
import { AppError } from "../model/errors.ts";
import { countsAgainst, type Problem } from "../model/problem.ts";
import type { Session } from "../model/session/session.ts";
import { createTurnBuilder, type Part, type Turn } from "../model/session/turns.ts";
import type { Catalog } from "../sources/catalog.ts";
import type { ReadOptions } from "../sources/source.ts";
import { type Progress, readHead, type SessionEntry, withinFile } from "./heads.ts";
import { type Found, type Naming, resolveSession } from "./resolve.ts";
import { findTurns, isSettled, MOST_WAITING, type StoredPlaces, WORTH_ASKING } from "./turn-range.ts";

export type { StoredPlaces } from "./turn-range.ts";

export interface ShowOptions {
  /** Only this turn, counted from 0. */
  readonly turn?: number;
  /** What is kept of each tool result, in characters; all of it when not said. */
  readonly textLimit?: number;
  /** Hold even records of many megabytes; otherwise the long texts in them are cut, and say so. */
  readonly whole?: boolean;
  readonly progress?: Progress;
  readonly naming?: Naming;
  /** Adds what only other sessions, or we ourselves, know of it. */
  readonly asListed?: (session: Session) => Promise<Session>;
}

export interface ShowVisitor {
  head(session: Session, problems: readonly Problem[]): void;
  /** What stands before the first prompt; called only when there is something. */
  preamble(parts: readonly Part[]): void;
  turn(turn: Turn): void;
}

/**
 * Reads the session twice: its title, its end and its damage are known only at the end of the log, but belong at the
 * top of the page, and keeping all turns until then would not fit in memory for the longest logs.
 */
export async function showSession(
  catalog: Catalog,
  name: string,
  options: ShowOptions & StoredPlaces,
  visitor: ShowVisitor,
): Promise<void> {
  const found = await resolveSession(catalog, name, options.progress, options.naming);
  if (await tellTurn(catalog, found, options, visitor)) return;
  const head = await readHead(catalog, found.artifact, found.problems, withinFile(options.progress));
  const session = (await options.asListed?.(head.session)) ?? head.session;
  await tellSession(catalog, { ...head, session }, options, visitor);
}

/** False where all of the log has to be read. */
async function tellTurn(
  catalog: Catalog,
  { artifact, problems }: Found,
  { turn, storedTurns, leastLog = WORTH_ASKING, ...options }: ShowOptions & StoredPlaces,
  visitor: ShowVisitor,
): Promise<boolean> {
  if (turn === undefined || !storedTurns || artifact.fingerprint.size < leastLog) return false;
  if (problems.some(countsAgainst)) return false;
  const stored = await storedTurns(artifact, { first: turn, count: MOST_WAITING + 1 });
  // Of what is wrong with a session the store does not know enough.
  if (!stored || stored.session.problems > 0) return false;
  const found = await findTurns(catalog, artifact, stored, { from: turn, to: turn }, toReadOptions(options));
  const [only] = found?.turns ?? [];
  if (!found || !only) return false;
  visitor.head((await options.asListed?.(found.session)) ?? found.session, []);
  visitor.turn(only);
  return true;
}

export const toReadOptions = ({
  textLimit,
  whole,
}: Pick<ShowOptions, "textLimit" | "whole">): ReadOptions => ({
  textLimit: textLimit ?? Number.POSITIVE_INFINITY,
  ...(whole && { maxLine: Number.POSITIVE_INFINITY }),
});

/** The same for callers that already have the session's metadata. */
export async function tellSession(
  catalog: Pick<Catalog, "read">,
  { artifact, session, problems }: SessionEntry,
  options: Pick<ShowOptions, "turn" | "textLimit" | "whole">,
  visitor: ShowVisitor,
): Promise<void> {
  if (options.turn !== undefined && options.turn >= session.turns) throw turnNotFound(session, options.turn);
  visitor.head(session, problems.filter(countsAgainst));

  const builder = createTurnBuilder();
  const waiting: Turn[] = [];
  let preambleShown = options.turn !== undefined;
  const release = (turn: Turn): void => {
    if (!preambleShown && builder.preamble.length > 0) visitor.preamble(builder.preamble);
    preambleShown = true;
    if (options.turn === undefined || options.turn === turn.index) visitor.turn(turn);
  };
  const releaseReady = (): void => {
    for (let first = waiting[0]; first; first = waiting[0]) {
      if (waiting.length <= MOST_WAITING && !isSettled(first.parts)) return;
      waiting.shift();
      release(first);
    }
  };
  await catalog.read(
    artifact,
    {
      event(event) {
        const closed = builder.push(event);
        if (!closed) return;
        waiting.push(closed);
        releaseReady();
      },
      problem: () => undefined, // already reported with the head
    },
    toReadOptions(options),
  );
  const last = builder.end();
  if (last) waiting.push(last);
  for (const turn of waiting) release(turn);
  if (!preambleShown && builder.preamble.length > 0) visitor.preamble(builder.preamble);
}

function turnNotFound(session: Session, turn: number): AppError {
  const has = session.turns === 0 ? "it has no turns" : `its turns are 0 to ${session.turns - 1}`;
  return new AppError("turn-not-found", `Session ${session.id} has no turn ${turn}: ${has}`, {
    say: "Show the whole session",
    remedy: { action: "show", session: session.id },
  });
}
