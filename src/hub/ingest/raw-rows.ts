/** The rows of raw files and their pieces. Every statement names the account, so that it reaches one partition only. */
import type { Rows, Transaction } from "../database/connect.ts";
import type { PushedFile } from "../protocol.ts";
import type { Body } from "./bodies.ts";
import type { KnownPieces, Placed, StoredFile } from "./placing.ts";

export interface SessionRef {
  readonly account: string;
  readonly session: string;
  /** The team that sees the session. */
  readonly team: string | null;
}

type Row = Rows[number];

/** Bodies are sent as parameters of their own: as an array they would be sent as text, twice as long. */
const ROWS_AT_ONCE = 64;

const FILE_COLUMNS = `path, generation, size, encode(sha256, 'hex') AS sha256, events, next_generation, next_size,
  encode(next_sha256, 'hex') AS next_sha256, next_events, removed_at IS NOT NULL AS is_removed`;

export async function storedFiles(
  tx: Transaction,
  account: string,
  session: string,
): Promise<Map<string, StoredFile>> {
  const rows = await tx.query(
    `SELECT ${FILE_COLUMNS} FROM hub.raw_files WHERE account_id = $1 AND session_id = $2 ORDER BY path`,
    [account, session],
  );
  return new Map(rows.map((row) => [String(row.path), toStoredFile(row)]));
}

export const toStoredFile = (row: Row): StoredFile => ({
  current: {
    generation: Number(row.generation),
    size: Number(row.size),
    sha256: String(row.sha256),
    events: Number(row.events),
  },
  ...(row.next_generation !== null && {
    next: {
      generation: Number(row.next_generation),
      size: Number(row.next_size),
      sha256: String(row.next_sha256),
      events: Number(row.next_events),
    },
  }),
  isRemoved: row.is_removed === true,
});

/** Those pieces of a push that begin where the hub has one, by the path of their file. */
export async function knownPieces(
  tx: Transaction,
  { account, session }: SessionRef,
  files: readonly PushedFile[],
): Promise<ReadonlyMap<string, KnownPieces>> {
  const starts = files.flatMap(({ path, generation, pieces }) =>
    pieces.map(({ start }) => ({ path, generation, start })),
  );
  const known = new Map<string, Map<number, { bytes: number; sha256: string }>>();
  if (starts.length === 0) return known;
  const rows = await tx.query(
    `SELECT r.path, r.start, r.bytes, encode(r.sha256, 'hex') AS sha256
       FROM hub.raw_events r JOIN unnest($3::text[], $4::integer[], $5::bigint[]) AS p (path, generation, start)
         ON p.path = r.path AND p.generation = r.generation AND p.start = r.start
      WHERE r.account_id = $1 AND r.session_id = $2`,
    [
      account,
      session,
      starts.map(({ path }) => path),
      starts.map(({ generation }) => generation),
      starts.map(({ start }) => start),
    ],
  );
  for (const row of rows) {
    const path = String(row.path);
    const own = known.get(path) ?? new Map();
    own.set(Number(row.start), { bytes: Number(row.bytes), sha256: String(row.sha256) });
    known.set(path, own);
  }
  return known;
}

/** Writes what was decided about a file, and removes the pieces that no reader will ask for again. */
export async function writePlaced(
  tx: Transaction,
  ref: SessionRef,
  pushed: PushedFile,
  before: StoredFile | undefined,
  { file: { current, next, isRemoved }, added, restart }: Placed,
  bodies: readonly Body[],
): Promise<void> {
  const { account, session, team } = ref;
  if (restart !== undefined)
    await tx.change(
      "DELETE FROM hub.raw_events WHERE account_id = $1 AND session_id = $2 AND path = $3 AND generation = $4 AND start >= $5",
      [account, session, pushed.path, pushed.generation, restart],
    );
  const kept = next ? [current.generation, next.generation] : [current.generation];
  if (before && (before.next || before.current.generation !== current.generation))
    await tx.change(
      "DELETE FROM hub.raw_events WHERE account_id = $1 AND session_id = $2 AND path = $3 AND generation <> ALL ($4::integer[])",
      [account, session, pushed.path, kept],
    );
  await insertPieces(
    tx,
    ref,
    pushed,
    bodies.filter(({ piece }) => added.includes(piece)),
  );
  const values = [
    ...[account, session, pushed.path, current.generation, current.size, bytes(current.sha256)],
    ...[current.events, pushed.mode, pushed.mtimeMs, next?.generation ?? null, next?.size ?? null],
    ...[next ? bytes(next.sha256) : null, next?.events ?? null, team, isRemoved],
  ];
  await tx.change(
    before
      ? `UPDATE hub.raw_files SET generation = $4, size = $5, sha256 = $6, events = $7, mode = $8, mtime_ms = $9,
           next_generation = $10, next_size = $11, next_sha256 = $12, next_events = $13, team_id = $14,
           removed_at = CASE WHEN $15::boolean THEN coalesce(removed_at, now()) END
         WHERE account_id = $1 AND session_id = $2 AND path = $3`
      : `INSERT INTO hub.raw_files (account_id, session_id, path, generation, size, sha256, events, mode, mtime_ms,
           next_generation, next_size, next_sha256, next_events, team_id, removed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, CASE WHEN $15::boolean THEN now() END)`,
    values,
  );
}

async function insertPieces(
  tx: Transaction,
  { account, session, team }: SessionRef,
  { path, generation }: PushedFile,
  bodies: readonly Body[],
): Promise<void> {
  for (let at = 0; at < bodies.length; at += ROWS_AT_ONCE) {
    const some = bodies.slice(at, at + ROWS_AT_ONCE);
    const rows = some.map((_, index) => {
      const first = 6 + index * 5;
      return `($1, $2, $3, $4, $5, $${first}, $${first + 1}, $${first + 2}, $${first + 3}, $${first + 4})`;
    });
    await tx.change(
      `INSERT INTO hub.raw_events (account_id, session_id, path, generation, team_id, start, bytes, events, sha256, body)
       VALUES ${rows.join(", ")}`,
      [
        ...[account, session, path, generation, team],
        ...some.flatMap(({ piece, body }) => [
          ...[piece.start, piece.bytes, piece.events, bytes(piece.sha256)],
          Buffer.from(body.buffer, body.byteOffset, body.byteLength),
        ]),
      ],
    );
  }
}

const bytes = (hex: string): Buffer => Buffer.from(hex, "hex");
