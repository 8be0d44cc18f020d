/** The rows of raw files and their pieces. Every statement names the account, so that it reaches one partition only. */
import { changeAll, type Rows, type Transaction } from "../database/connect.ts";
import { prepared } from "../database/prepared.ts";
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

const FILES = prepared(
  `SELECT path, generation, size, encode(sha256, 'hex') AS sha256, events, next_generation, next_size,
      encode(next_sha256, 'hex') AS next_sha256, next_events, removed_at IS NOT NULL AS is_removed
     FROM hub.raw_files WHERE account_id = $1 AND session_id = $2 ORDER BY path`,
);

export async function storedFiles(
  tx: Transaction,
  account: string,
  session: string,
): Promise<Map<string, StoredFile>> {
  const rows = await tx.query(FILES, [account, session]);
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

const PIECES = prepared(
  `SELECT r.path, r.start, r.bytes, encode(r.sha256, 'hex') AS sha256
     FROM hub.raw_events r JOIN unnest($3::text[], $4::integer[], $5::bigint[]) AS p (path, generation, start)
       ON p.path = r.path AND p.generation = r.generation AND p.start = r.start
    WHERE r.account_id = $1 AND r.session_id = $2`,
);

/** Those pieces of a push that begin where the hub has one, by the path of their file. */
export async function knownPieces(
  tx: Transaction,
  { account, session }: Omit<SessionRef, "team">,
  files: readonly PushedFile[],
): Promise<ReadonlyMap<string, KnownPieces>> {
  const starts = files.flatMap(({ path, generation, pieces }) =>
    pieces.map(({ start }) => ({ path, generation, start })),
  );
  const known = new Map<string, Map<number, { bytes: number; sha256: string }>>();
  if (starts.length === 0) return known;
  const rows = await tx.query(PIECES, [
    account,
    session,
    starts.map(({ path }) => path),
    starts.map(({ generation }) => generation),
    starts.map(({ start }) => start),
  ]);
  for (const row of rows) {
    const path = String(row.path);
    const own = known.get(path) ?? new Map();
    own.set(Number(row.start), { bytes: Number(row.bytes), sha256: String(row.sha256) });
    known.set(path, own);
  }
  return known;
}

/** What was decided about one file of a push. */
export interface PlacedFile {
  readonly pushed: PushedFile;
  readonly before: StoredFile | undefined;
  readonly placed: Placed;
  readonly bodies: readonly Body[];
}

/** Removes the pieces that no reader will ask for again, and writes what is new; all of it is sent at once. */
export async function writePlaced(
  tx: Transaction,
  ref: SessionRef,
  files: readonly PlacedFile[],
): Promise<void> {
  await Promise.all([
    ...files.flatMap((file) => removeOld(tx, ref, file)),
    ...insertPieces(
      tx,
      ref,
      files.flatMap(({ pushed, placed, bodies }) =>
        bodies
          .filter(({ piece }) => placed.added.includes(piece))
          .map((body) => ({ ...body, path: pushed.path, generation: pushed.generation })),
      ),
    ),
    ...writeFiles(tx, ref, files),
  ]);
}

function removeOld(
  tx: Transaction,
  { account, session }: SessionRef,
  { pushed: { path, generation }, before, placed: { file, restart } }: PlacedFile,
): Promise<number>[] {
  const removing: Promise<number>[] = [];
  if (restart !== undefined)
    removing.push(
      tx.change(
        "DELETE FROM hub.raw_events WHERE account_id = $1 AND session_id = $2 AND path = $3 AND generation = $4 AND start >= $5",
        [account, session, path, generation, restart],
      ),
    );
  const { current, next } = file;
  const kept = next ? [current.generation, next.generation] : [current.generation];
  if (before && (before.next || before.current.generation !== current.generation))
    removing.push(
      tx.change(
        "DELETE FROM hub.raw_events WHERE account_id = $1 AND session_id = $2 AND path = $3 AND generation <> ALL ($4::integer[])",
        [account, session, path, kept],
      ),
    );
  return removing;
}

interface NewPiece extends Body {
  readonly path: string;
  readonly generation: number;
}

const insertOf = (count: number): string => {
  const rows = Array.from({ length: count }, (_, row) => {
    const own = Array.from({ length: 7 }, (_, column) => `$${4 + row * 7 + column}`);
    return `($1, $2, $3, ${own.join(", ")})`;
  });
  return `INSERT INTO hub.raw_events (account_id, session_id, team_id, path, generation, start, bytes, events, sha256, body)
     VALUES ${rows.join(", ")}`;
};
/** Most pushes bring one piece or two. */
const INSERT_FEW = [1, 2].map((count) => prepared(insertOf(count)));

function insertPieces(
  tx: Transaction,
  { account, session, team }: SessionRef,
  pieces: readonly NewPiece[],
): Promise<number>[] {
  const inserting: Promise<number>[] = [];
  for (let at = 0; at < pieces.length; at += ROWS_AT_ONCE) {
    const some = pieces.slice(at, at + ROWS_AT_ONCE);
    inserting.push(
      tx.change(INSERT_FEW[some.length - 1] ?? insertOf(some.length), [
        ...[account, session, team],
        ...some.flatMap(({ path, generation, piece, body }) => [
          ...[path, generation, piece.start, piece.bytes, piece.events, Buffer.from(piece.sha256, "hex")],
          Buffer.from(body.buffer, body.byteOffset, body.byteLength),
        ]),
      ]),
    );
  }
  return inserting;
}

const NEW_STATES = `json_to_recordset($4::json) AS n (path text, generation integer, size bigint, sha256 text, events bigint,
  mode integer, mtime_ms double precision, next_generation integer, next_size bigint, next_sha256 text,
  next_events bigint, is_removed boolean)`;
/** With rows that are there already left out, Citus inserts them; otherwise it copies, which row-level security does not allow. */
const ADD_FILES = prepared(
  `INSERT INTO hub.raw_files (account_id, session_id, team_id, path, generation, size, sha256, events, mode, mtime_ms,
      next_generation, next_size, next_sha256, next_events)
   SELECT $1, $2, $3, n.path, n.generation, n.size, decode(n.sha256, 'hex'), n.events, n.mode, n.mtime_ms,
      n.next_generation, n.next_size, decode(n.next_sha256, 'hex'), n.next_events
     FROM ${NEW_STATES} ON CONFLICT DO NOTHING`,
);
const CHANGE_FILES = prepared(
  `UPDATE hub.raw_files f SET team_id = $3, generation = n.generation, size = n.size, sha256 = decode(n.sha256, 'hex'),
      events = n.events, mode = n.mode, mtime_ms = n.mtime_ms, next_generation = n.next_generation,
      next_size = n.next_size, next_sha256 = decode(n.next_sha256, 'hex'), next_events = n.next_events,
      removed_at = CASE WHEN n.is_removed THEN f.removed_at END
     FROM ${NEW_STATES}
    WHERE f.account_id = $1 AND f.session_id = $2 AND f.path = n.path`,
);

function writeFiles(
  tx: Transaction,
  { account, session, team }: SessionRef,
  files: readonly PlacedFile[],
): Promise<number>[] {
  const { added = [], changed = [] } = Object.groupBy(files, ({ before }) => (before ? "changed" : "added"));
  const write = (sql: string, some: readonly PlacedFile[]): Promise<number>[] =>
    some.length === 0
      ? []
      : [changeAll(tx, some.length, sql, [account, session, team, JSON.stringify(some.map(toNewState))])];
  return [...write(ADD_FILES, added), ...write(CHANGE_FILES, changed)];
}

const toNewState = ({ pushed, placed: { file } }: PlacedFile): object => ({
  path: pushed.path,
  ...{ generation: file.current.generation, size: file.current.size, sha256: file.current.sha256 },
  ...{ events: file.current.events, mode: pushed.mode, mtime_ms: pushed.mtimeMs, is_removed: file.isRemoved },
  ...(file.next && {
    ...{ next_generation: file.next.generation, next_size: file.next.size },
    ...{ next_sha256: file.next.sha256, next_events: file.next.events },
  }),
});

/** Files that are no longer part of the session. */
export async function markRemoved(
  tx: Transaction,
  { account, session }: SessionRef,
  paths: readonly string[],
): Promise<void> {
  await tx.change(
    "UPDATE hub.raw_files SET removed_at = now() WHERE account_id = $1 AND session_id = $2 AND path = ANY ($3)",
    [account, session, paths],
  );
}
