/**
 * Reads some turns that follow each other: of a long log only their bytes, by the ranges in the store, after verifying
 * that those bytes are still these turns.
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

/** A smaller log is read as fast as the store is asked. */
export const WORTH_ASKING = 1 << 20;

export const isSettled = (parts: readonly Part[]): boolean =>
  parts.every((part) => part.kind !== "tool" || part.status !== "pending");

/** Asks the store where turns stand; nothing when it does not know the session as it is now. */
export type FindStoredTurns = (
  artifact: Artifact,
  which: { readonly first: number; readonly count: number },
) => Promise<StoredTurns | undefined>;

/** Where turns stand in their logs, so that a few of a long log can be read alone. */
export interface StoredPlaces {
  readonly storedTurns?: FindStoredTurns;
  /** In bytes: of shorter logs all is read (default 1 MiB). */
  readonly leastLog?: number;
}

/** Counted from 0, both included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface FoundTurns {
  readonly session: Session;
  /** What stands before the first prompt; only with turn 0. */
  readonly preamble: readonly Part[];
  readonly turns: readonly Turn[];
}

type HowToRead = Pick<ReadOptions, "textLimit" | "maxLine">;

/** Nothing where the whole log has to be read: the answer must be the same either way. */
export async function findTurns(
  catalog: Pick<Catalog, "read">,
  artifact: Artifact,
  stored: StoredTurns | undefined,
  { from, to }: Span,
  options: HowToRead & { readonly preamble?: boolean },
): Promise<FoundTurns | undefined> {
  const [first] = stored?.turns ?? [];
  if (!stored || first?.index !== from) return undefined;
  const count = Math.min(to - from + 1, stored.turns.length);
  const wanted = { from, to: from + count - 1 };
  const read = (turns: readonly StoredTurn[]) => readRange(catalog, artifact, turns, wanted, options);
  const alone = await read(stored.turns.slice(0, count));
  // A result may come turns later, as it may when the whole log is read.
  const isWhole = alone?.turns.every(({ parts }) => isSettled(parts)) ?? true;
  const found = isWhole || stored.turns.length === count ? alone : await read(stored.turns);
  if (!found) return undefined;
  return {
    session: asRead(stored.session, found.beside),
    preamble: found.preamble,
    turns: found.turns.map((turn, at) => asStored(turn, stored.turns[at])),
  };
}

/** What the session used may count for another one, which only the log before tells; it is no part of the turn. */
function asStored({ endedAt: _, ...turn }: Turn, stored: StoredTurn | undefined): Turn {
  return { ...turn, ...(stored?.endedAt !== undefined && { endedAt: stored.endedAt }) };
}

/** As the store has the session, with what lies beside the log. */
function asRead(stored: Session, beside: Session): Session {
  const { openIn, sidecars } = beside;
  return {
    ...withoutOthers(stored, beside),
    ...(openIn !== undefined && { openIn }),
    ...(sidecars && { sidecars }),
  };
}

/** Without what only the store knows, from other sessions: who reads the whole log does not know it either. */
function withoutOthers(stored: Session, { repository }: Session): Session {
  const { parent, parentFrom, repository: known, repositoryFrom, ...session } = stored;
  const isOwn = repositoryFrom === undefined;
  const found = isOwn ? known : repository;
  return {
    ...session,
    ...(parent && parentFrom === undefined && { parent }),
    ...(found !== undefined && { repository: found, ...(!isOwn && { repositoryFrom }) }),
  };
}

interface Reading extends Omit<FoundTurns, "session"> {
  /** The session as far as it is known without its log. */
  readonly beside: Session;
}

/** The wanted ones of some turns that follow each other; nothing when what was read is not what was indexed. */
async function readRange(
  catalog: Pick<Catalog, "read">,
  artifact: Artifact,
  stored: readonly StoredTurn[],
  wanted: Span,
  { preamble = false, ...options }: HowToRead & { readonly preamble?: boolean },
): Promise<Reading | undefined> {
  const [first, last] = [stored[0]?.range, stored.at(-1)?.range];
  if (!first || !last || stored.some(({ range }) => range?.file !== undefined)) return undefined;
  const collector = createTurnCollector(wanted, wanted.from);
  const proof = createProof(stored, preamble ? 0 : wanted.to - wanted.from + 1);
  let isReadable = true;
  const beside = await catalog.read(
    artifact,
    {
      event(event) {
        proof.event(event);
        collector.event(event);
      },
      problem: ({ code }: Problem) => {
        if (code === "session-unreadable" || code === "reader-failed") isReadable = false;
      },
    },
    {
      ...options,
      range: {
        ...(preamble ? { start: 0, line: 1 } : { start: first.start, line: first.line }),
        end: last.end,
      },
    },
  );
  const found = collector.end();
  return isReadable && proof.isSame() ? { ...found, beside } : undefined;
}

/** Whether the events are those that the turns were indexed from; `later` is how many turns have others before them. */
export function createProof(
  stored: readonly StoredTurn[],
  later: number,
): { event(event: Event): void; isSame(): boolean } {
  const calls = new Set<string>();
  const digests: TurnDigest[] = [];
  let isForeign = false;
  return {
    event(event) {
      if (startsTurn(event)) digests.push(createTurnDigest());
      digests.at(-1)?.add(event);
      if (event.kind === "tool-call") calls.add(event.callId);
      // The work of a sub-agent that an earlier turn started belongs there.
      if (event.agent !== undefined && digests.length <= later && !calls.has(event.agent)) isForeign = true;
    },
    isSame: () =>
      !isForeign &&
      digests.length === stored.length &&
      stored.every(({ range }, at) => range !== undefined && range.digest === digests[at]?.value()),
  };
}

export interface TurnCollector {
  event(event: Event): void;
  end(): { readonly preamble: readonly Part[]; readonly turns: readonly Turn[] };
}

/** What one answer holds, in characters; a turn that is larger comes alone. */
const MOST_OF_ANSWER = 32 << 20;

/**
 * Holds the wanted turns of all that pass. A turn is told when it is closed and its calls are answered, or too many turns
 * came since; what comes later is not added to it, so it is the same however much of the log is read.
 */
export function createTurnCollector(wanted: Span, first = 0): TurnCollector {
  const builder = createTurnBuilder(first);
  const open: Turn[] = [];
  const told: Turn[] = [];
  let { to } = wanted;
  let size = 0;
  const hold = (turn: Turn): void => {
    const more = sizeOf(turn.parts) + turn.user.length;
    if (size > 0 && size + more > MOST_OF_ANSWER) to = turn.index - 1;
    else open.push(turn);
    size += more;
  };
  const take = (closed: Turn | undefined): void => {
    if (!closed) return;
    if (closed.index >= wanted.from && closed.index <= to) hold(closed);
    for (const turn of open.splice(0)) {
      if (!isSettled(turn.parts) && closed.index - turn.index < MOST_WAITING) open.push(turn);
      else told.push(structuredClone(turn));
    }
  };
  return {
    event: (event) => take(builder.push(event)),
    end() {
      take(builder.end());
      const preamble = wanted.from === 0 ? builder.preamble : [];
      return { preamble, turns: [...told, ...open].sort((a, b) => a.index - b.index) };
    },
  };
}

function sizeOf(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => {
    if (part.kind === "text" || part.kind === "thinking") return sum + part.text.length;
    if (part.kind === "tool")
      return sum + sizeOfInput(part.input) + (part.result?.length ?? 0) + sizeOf(part.children ?? []);
    return sum;
  }, 0);
}

const sizeOfInput = (input: unknown): number =>
  typeof input === "object" && input !== null
    ? Object.values(input).reduce(
        (sum: number, value) => sum + (typeof value === "string" ? value.length : 1),
        0,
      )
    : 0;
