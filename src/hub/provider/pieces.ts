/**
 * The bytes of a file, in rows. Appending adds a row, however long the file is; once many small rows have gathered at its
 * end they become few large ones.
 */
import { randomUUID } from "node:crypto";
import type { Transaction } from "../database/connect.ts";
import type { EntryRow } from "./entries.ts";

/** No row has more bytes. */
export const PIECE = 256 << 10;
/** So many appends are kept as they came. */
export const MANY = 64;
/** More than this at the end of a file is in rows that are large enough. */
const LARGE_TAIL = 4 << 20;

export interface Owner {
  readonly account: string;
  readonly session: string;
}

/** Begins a new content; a file gets it when its entry names it. */
export async function putContent(
  tx: Transaction,
  owner: Owner,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<{ readonly id: string; readonly size: number }> {
  const id = randomUUID();
  let size = 0;
  let gathered: Buffer[] = [];
  let waiting = 0;
  const flush = async (): Promise<void> => {
    if (waiting === 0) return;
    await insertPieces(tx, owner, id, size, Buffer.concat(gathered, waiting));
    size += waiting;
    [gathered, waiting] = [[], 0];
  };
  for await (const chunk of bytes) {
    gathered.push(Buffer.from(chunk));
    waiting += chunk.length;
    if (waiting >= PIECE) await flush();
  }
  await flush();
  return { id, size };
}

export async function insertPieces(
  tx: Transaction,
  { account, session }: Owner,
  content: string,
  start: number,
  bytes: Buffer,
): Promise<number> {
  let pieces = 0;
  for (let at = 0; at < bytes.length; at += PIECE, pieces++) {
    const body = bytes.subarray(at, at + PIECE);
    await tx.change(
      "INSERT INTO hub.provider_pieces (account_id, session_id, content_id, start, bytes, body) VALUES ($1, $2, $3, $4, $5, $6)",
      [account, session, content, start + at, body.length, body],
    );
  }
  return pieces;
}

export async function dropContent(tx: Transaction, { account }: Owner, content: string): Promise<void> {
  await tx.change("DELETE FROM hub.provider_pieces WHERE account_id = $1 AND content_id = $2", [
    account,
    content,
  ]);
}

/** Makes large rows of the small ones at the end of a file. */
export async function joinTail(tx: Transaction, owner: Owner, entry: EntryRow): Promise<void> {
  if (entry.contentId === undefined) return;
  let [tailStart, tailPieces] = [entry.size, 0];
  if (entry.size - entry.tailStart <= LARGE_TAIL) {
    const key = [owner.account, entry.contentId, entry.tailStart];
    const rows = await tx.query(
      "SELECT body FROM hub.provider_pieces WHERE account_id = $1 AND content_id = $2 AND start >= $3 ORDER BY start",
      key,
    );
    await tx.change(
      "DELETE FROM hub.provider_pieces WHERE account_id = $1 AND content_id = $2 AND start >= $3",
      key,
    );
    const tail = Buffer.concat(rows.map(({ body }) => body as Buffer));
    await insertPieces(tx, owner, entry.contentId, entry.tailStart, tail);
    const rest = tail.length % PIECE;
    if (rest > 0) [tailStart, tailPieces] = [entry.size - rest, 1];
  }
  await tx.change(
    "UPDATE hub.provider_entries SET tail_start = $4, tail_pieces = $5 WHERE account_id = $1 AND session_id = $2 AND path = $3",
    [owner.account, owner.session, entry.path, tailStart, tailPieces],
  );
}
