/**
 * Takes a push: all of it in one transaction, or nothing. What was sent before is acknowledged and not stored again.
 * The database is asked three times, whatever the push holds: who that is, what is there, and to write what is new.
 */
import type { HubDatabase, Transaction } from "../database/connect.ts";
import type { Credentials } from "../database/credentials.ts";
import { askForRows } from "../derive/ask.ts";
import { type FileState, hubSessionId, type PushAnswer, type PushHeader } from "../protocol.ts";
import { requireScope } from "./access.ts";
import { type Body, checkBodies } from "./bodies.ts";
import { lockSession } from "./locks.ts";
import { findMachine, noteMachine } from "./machine-row.ts";
import { type KnownPieces, placeFile, type StoredFile, toFileState } from "./placing.ts";
import {
  knownPieces,
  markRemoved,
  type PlacedFile,
  type SessionRef,
  storedFiles,
  writePlaced,
} from "./raw-rows.ts";
import { addSession, findSession, noteFacts } from "./session-row.ts";

export async function receivePush(
  db: HubDatabase,
  who: Credentials,
  header: PushHeader,
  bodies: readonly Uint8Array[],
): Promise<PushAnswer> {
  const checked = await checkBodies(header, bodies);
  return db.as(who, (tx) => receive(tx, header, checked), { isPlannedOnce: true });
}

async function receive(
  tx: Transaction,
  header: PushHeader,
  bodies: ReadonlyMap<string, readonly Body[]>,
): Promise<PushAnswer> {
  const account = await requireScope(tx, "push");
  const session = hubSessionId(header.source, header.id, header.machine.id);
  const [, news, { isNew, team }, stored, known] = await Promise.all([
    lockSession(tx, account, session),
    findMachine(tx, account, header.machine),
    findSession(tx, account, session, header),
    storedFiles(tx, account, session),
    knownPieces(tx, { account, session }, header.files),
  ]);
  const placed = placeFiles(header, bodies, stored, known);
  const written = placed.filter((file) => !file.placed.isRepeated);
  const gone = header.removed.filter((path) => stored.get(path)?.isRemoved === false);
  const isTold = header.files.every(({ pieces }) => pieces.length === 0);
  const isChanged = isNew || written.length > 0 || gone.length > 0 || isTold;
  const ref: SessionRef = { account, session, team };
  const bytes = placed.reduce((sum, file) => sum + file.placed.file.current.size, 0);
  // They are done in the order in which they are begun here; what fails takes the others with it.
  const writing = [
    noteMachine(tx, account, header.machine, news),
    isNew && addSession(tx, account, session, header, { team, bytes }),
    writePlaced(tx, ref, written),
    gone.length > 0 && markRemoved(tx, ref, gone),
    isChanged && !isNew && noteFacts(tx, account, session, header),
  ];
  // Rows are made of what can be seen; more of a file that is not complete changes none.
  const isSeen =
    isNew || gone.length > 0 || written.length === 0 || written.some(({ pushed }) => pushed.more !== true);
  const asking = isChanged && isSeen && !header.isSealed && askForRows(tx, session);
  const [backfill] = await Promise.all([asking, ...writing]);
  return {
    created: isNew,
    events: placed.flatMap((file) => file.placed.added).reduce((sum, { events }) => sum + events, 0),
    backfill: backfill || "none",
    files: statesOf(header, placed, stored),
  };
}

const placeFiles = (
  header: PushHeader,
  bodies: ReadonlyMap<string, readonly Body[]>,
  stored: ReadonlyMap<string, StoredFile>,
  known: ReadonlyMap<string, KnownPieces>,
): PlacedFile[] =>
  header.files.map((pushed) => {
    const before = stored.get(pushed.path);
    const placed = placeFile(before, known.get(pushed.path) ?? new Map(), pushed);
    return { pushed, before, placed, bodies: bodies.get(pushed.path) ?? [] };
  });

function statesOf(
  { removed }: PushHeader,
  placed: readonly PlacedFile[],
  stored: ReadonlyMap<string, StoredFile>,
): FileState[] {
  const files = placed.map((file) => toFileState(file.pushed.path, file.placed.file));
  for (const path of removed) {
    const file = stored.get(path);
    if (file) files.push(toFileState(path, { ...file, isRemoved: true }));
  }
  return files;
}
