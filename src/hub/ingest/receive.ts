/** Takes a push: all of it in one transaction, or nothing. What was sent before is acknowledged and not stored again. */
import type { HubDatabase, Transaction } from "../database/connect.ts";
import type { Credentials } from "../database/credentials.ts";
import { askForRows } from "../derive/ask.ts";
import { type FileState, hubSessionId, type PushAnswer, type PushHeader } from "../protocol.ts";
import { requireScope } from "./access.ts";
import { type Body, checkBodies } from "./bodies.ts";
import { lockSession } from "./locks.ts";
import { placeFile, toFileState } from "./placing.ts";
import { knownPieces, type SessionRef, storedFiles, writePlaced } from "./raw-rows.ts";
import { noteFacts, noteMachine, noteSession } from "./session-row.ts";

export async function receivePush(
  db: HubDatabase,
  who: Credentials,
  header: PushHeader,
  bodies: readonly Uint8Array[],
): Promise<PushAnswer> {
  const checked = await checkBodies(header, bodies);
  return db.as(who, async (tx) => {
    const account = await requireScope(tx, "push");
    const { source, id, machine, isSealed } = header;
    await lockSession(tx, account, hubSessionId(source, id, machine.id));
    await noteMachine(tx, account, machine);
    const { session, isCreated, team } = await noteSession(tx, account, header);
    const written = await writeFiles(tx, { account, session, team }, header, checked);
    const isNew = isCreated || written.isChanged || header.files.every(({ pieces }) => pieces.length === 0);
    if (isNew) await noteFacts(tx, account, session, header);
    const backfill = isNew && !isSealed ? await askForRows(tx, session) : "none";
    return { created: isCreated, events: written.events, backfill, files: written.files };
  });
}

async function writeFiles(
  tx: Transaction,
  ref: SessionRef,
  header: PushHeader,
  bodies: ReadonlyMap<string, readonly Body[]>,
): Promise<{ readonly files: FileState[]; readonly events: number; readonly isChanged: boolean }> {
  const stored = await storedFiles(tx, ref.account, ref.session);
  const known = await knownPieces(tx, ref, header.files);
  const files: FileState[] = [];
  let events = 0;
  let isChanged = false;
  for (const pushed of header.files) {
    const before = stored.get(pushed.path);
    const placed = placeFile(before, known.get(pushed.path) ?? new Map(), pushed);
    if (!placed.isRepeated) {
      await writePlaced(tx, ref, pushed, before, placed, bodies.get(pushed.path) ?? []);
      isChanged = true;
    }
    events += placed.added.reduce((sum, piece) => sum + piece.events, 0);
    files.push(toFileState(pushed.path, placed.file));
  }
  const gone = header.removed.filter((path) => stored.get(path)?.isRemoved === false);
  if (gone.length > 0) {
    await tx.change(
      "UPDATE hub.raw_files SET removed_at = now() WHERE account_id = $1 AND session_id = $2 AND path = ANY ($3)",
      [ref.account, ref.session, gone],
    );
    isChanged = true;
  }
  for (const path of header.removed) {
    const file = stored.get(path);
    if (file) files.push(toFileState(path, { ...file, isRemoved: true }));
  }
  return { files, events, isChanged };
}
