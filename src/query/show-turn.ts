/**
 * Reads one turn of a long log by the byte range in the store, after verifying that those bytes are still that turn.
 */
import type { Problem } from "../model/problem.ts";
import type { Artifact, Event, Session } from "../model/session/session.ts";
import { createTurnDigest, type TurnDigest } from "../model/session/turn-range.ts";
import { createTurnBuilder, type Part, startsTurn, type Turn } from "../model/session/turns.ts";
import type { Catalog } from "../sources/catalog.ts";
import type { ReadOptions } from "../sources/source.ts";
import type { StoredTurn, StoredTurns } from "../store/turn-ranges.ts";

/** How many turns wait for a tool result that comes late; beyond that a call is shown as unanswered. */
export const MOST_WAITING = 16;

export const isSettled = (parts: readonly Part[]): boolean =>
  parts.every((part) => part.kind !== "tool" || part.status !== "pending");

/** Asks the store where turns stand; nothing when it does not know the session as it is now. */
export type FindStoredTurns = (
  artifact: Artifact,
  which: { readonly first: number; readonly count: number },
) => Promise<StoredTurns | undefined>;

export interface FoundTurn {
  readonly session: Session;
  readonly turn: Turn;
}

/** Nothing where the whole log has to be read: the answer must be the same either way. */
export async function findTurn(
  catalog: Pick<Catalog, "read">,
  artifact: Artifact,
  index: number,
  options: Pick<ReadOptions, "textLimit" | "maxLine">,
  find: FindStoredTurns,
): Promise<FoundTurn | undefined> {
  const stored = await find(artifact, { first: index, count: MOST_WAITING + 1 });
  // Of what is wrong with a session the store does not know enough.
  if (!stored || stored.session.problems > 0 || stored.turns[0]?.index !== index) return undefined;
  const alone = await readTurns(catalog, artifact, stored.turns.slice(0, 1), options);
  // A result may come turns later, as it may when the whole log is read.
  const found =
    alone && !isSettled(alone.turn.parts) && stored.turns.length > 1
      ? await readTurns(catalog, artifact, stored.turns, options)
      : alone;
  if (!found) return undefined;
  const { openIn, sidecars } = found.beside;
  const session = asRead(stored.session, found.beside);
  const { endedAt } = stored.turns[0];
  // What the session used may count for another one, which only the log before tells; it is no part of the turn.
  const { endedAt: _, ...turn } = found.turn;
  return {
    session: { ...session, ...(openIn !== undefined && { openIn }), ...(sidecars && { sidecars }) },
    turn: { ...turn, ...(endedAt !== undefined && { endedAt }) },
  };
}

/** Without what only the store knows, from other sessions: who reads the whole log does not know it either. */
function asRead(stored: Session, { repository }: Session): Session {
  const { parent, parentFrom, repository: known, repositoryFrom, ...session } = stored;
  const isOwn = repositoryFrom === undefined;
  const found = isOwn ? known : repository;
  return {
    ...session,
    ...(parent && parentFrom === undefined && { parent }),
    ...(found !== undefined && { repository: found, ...(!isOwn && { repositoryFrom }) }),
  };
}

interface Reading {
  readonly turn: Turn;
  /** The session as far as it is known without its log. */
  readonly beside: Session;
}

/** The first of some turns that follow each other; nothing when what was read is not what was indexed. */
async function readTurns(
  catalog: Pick<Catalog, "read">,
  artifact: Artifact,
  turns: readonly StoredTurn[],
  options: Pick<ReadOptions, "textLimit" | "maxLine">,
): Promise<Reading | undefined> {
  const [first, last] = [turns[0]?.range, turns.at(-1)?.range];
  if (!first || !last || first.file !== undefined || last.file !== undefined) return undefined;
  const turnReader = createTurnReader(turns);
  let isReadable = true;
  const beside = await catalog.read(
    artifact,
    {
      event: turnReader.event,
      problem: ({ code }: Problem) => {
        if (code === "session-unreadable" || code === "reader-failed") isReadable = false;
      },
    },
    { ...options, range: { start: first.start, end: last.end, line: first.line } },
  );
  const turn = turnReader.end();
  return isReadable && turn ? { turn, beside } : undefined;
}

function createTurnReader(stored: readonly StoredTurn[]): {
  event(event: Event): void;
  end(): Turn | undefined;
} {
  const builder = createTurnBuilder(stored[0]?.index);
  const calls = new Set<string>();
  const digests: TurnDigest[] = [];
  let closed = 0;
  let turn: Turn | undefined;
  let told: Turn | undefined;
  let isForeign = false;
  /** A turn is told when it or a later one is closed and its calls are answered, or too many wait; nothing is added then. */
  const take = (next: Turn | undefined): void => {
    if (!next) return;
    closed++;
    turn ??= next;
    if (isSettled(turn.parts) || closed > MOST_WAITING) told ??= structuredClone(turn);
  };
  return {
    event(event) {
      if (startsTurn(event)) digests.push(createTurnDigest());
      digests.at(-1)?.add(event);
      if (event.kind === "tool-call") calls.add(event.callId);
      // The work of a sub-agent that an earlier turn started belongs there.
      if (event.agent !== undefined && digests.length === 1 && !calls.has(event.agent)) isForeign = true;
      take(builder.push(event));
    },
    end() {
      take(builder.end());
      const isSame =
        digests.length === stored.length &&
        stored.every(({ range }, at) => range !== undefined && range.digest === digests[at]?.value());
      return isSame && !isForeign ? (told ?? turn) : undefined;
    },
  };
}
