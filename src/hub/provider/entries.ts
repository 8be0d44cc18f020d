/** The files and folders of sessions, as rows. Every function works within the transaction that it is given. */
import { randomInt } from "node:crypto";
import type { FileStat } from "../../platform/fs/session-fs.ts";
import type { Rows, Transaction } from "../database/connect.ts";
import { dropContent, insertPieces, joinTail, MANY, type Owner, putContent } from "./pieces.ts";
import { errno, folderOf, parentOf } from "./places.ts";

export interface EntryRow {
  readonly path: string;
  readonly isFolder: boolean;
  readonly ino: number;
  readonly mode: number;
  readonly mtimeMs: number;
  readonly birthMs: number;
  readonly size: number;
  readonly contentId?: string;
  readonly tailStart: number;
  readonly tailPieces: number;
}

const COLUMNS =
  "path, is_folder, ino, mode, mtime_ms, birth_ms, size, content_id, tail_start, tail_pieces" as const;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const LARGEST_INO = 2 ** 47;

export const toEntry = (row: Rows[number]): EntryRow => ({
  path: String(row.path),
  isFolder: row.is_folder === true,
  ino: Number(row.ino),
  mode: Number(row.mode),
  mtimeMs: Number(row.mtime_ms),
  birthMs: Number(row.birth_ms),
  size: Number(row.size),
  ...(row.content_id !== null && { contentId: String(row.content_id) }),
  tailStart: Number(row.tail_start),
  tailPieces: Number(row.tail_pieces),
});

export const toStat = (entry: EntryRow): FileStat => ({
  kind: entry.isFolder ? "folder" : "file",
  size: entry.size,
  mtimeMs: entry.mtimeMs,
  ino: entry.ino,
  mode: entry.mode,
  birthtimeMs: entry.birthMs,
});

export async function findEntry(tx: Transaction, owner: Owner, path: string): Promise<EntryRow | undefined> {
  const [row] = await tx.query(
    `SELECT ${COLUMNS} FROM hub.provider_entries WHERE account_id = $1 AND session_id = $2 AND path = $3`,
    [owner.account, owner.session, path],
  );
  return row && toEntry(row);
}

/** Many at once, of whichever sessions, by `session/path`. */
export async function findEntries(
  tx: Transaction,
  account: string,
  places: readonly { readonly session: string; readonly path: string }[],
): Promise<ReadonlyMap<string, EntryRow>> {
  const rows = await tx.query(
    `SELECT session_id, ${COLUMNS} FROM hub.provider_entries WHERE account_id = $1
        AND (session_id, path) IN (SELECT s, p FROM unnest($2::text[], $3::text[]) AS wanted (s, p))`,
    [account, places.map(({ session }) => session), places.map(({ path }) => path)],
  );
  return new Map(rows.map((row) => [`${row.session_id}/${row.path}`, toEntry(row)]));
}

export const listFolder = async (tx: Transaction, owner: Owner, path: string): Promise<EntryRow[]> =>
  (
    await tx.query(
      `SELECT ${COLUMNS} FROM hub.provider_entries WHERE account_id = $1 AND session_id = $2 AND parent = $3 ORDER BY path COLLATE "C"`,
      [owner.account, owner.session, path],
    )
  ).map(toEntry);

export const listSessions = async (tx: Transaction, account: string): Promise<string[]> =>
  (
    await tx.query(
      `SELECT session_id FROM hub.provider_entries WHERE account_id = $1 AND path = '' ORDER BY session_id COLLATE "C"`,
      [account],
    )
  ).map((row) => String(row.session_id));

const nameIn = ({ session }: Owner, path: string): string =>
  path === "" ? folderOf(session) : `${folderOf(session)}/${path}`;

async function insertEntry(
  tx: Transaction,
  { account, session }: Owner,
  entry: Pick<EntryRow, "path" | "isFolder" | "mode" | "mtimeMs"> & {
    readonly contentId?: string;
    readonly size?: number;
  },
): Promise<void> {
  const { path, isFolder, mode, mtimeMs, size = 0, contentId = null } = entry;
  await tx.change(
    `INSERT INTO hub.provider_entries (account_id, session_id, path, parent, is_folder, ino, mode, mtime_ms, birth_ms, size, content_id, tail_start)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10, $9)`,
    [
      account,
      session,
      path,
      parentOf(path),
      isFolder,
      randomInt(1, LARGEST_INO),
      mode,
      mtimeMs,
      size,
      contentId,
    ],
  );
}

/** With all folders above it. */
export async function makeFolder(
  tx: Transaction,
  owner: Owner,
  path: string,
  mtimeMs: number,
  mode = FOLDER_MODE,
): Promise<void> {
  const there = await findEntry(tx, owner, path);
  if (there?.isFolder) return;
  if (there) throw errno("ENOTDIR", nameIn(owner, path));
  const parent = parentOf(path);
  if (parent !== null) await makeFolder(tx, owner, parent, mtimeMs);
  await insertEntry(tx, owner, { path, isFolder: true, mode, mtimeMs });
}

async function needParent(tx: Transaction, owner: Owner, path: string): Promise<void> {
  const parent = parentOf(path);
  const there = parent === null ? undefined : await findEntry(tx, owner, parent);
  if (!there) throw errno("ENOENT", nameIn(owner, path));
  if (!there.isFolder) throw errno("ENOTDIR", nameIn(owner, path));
}

export interface WriteHow {
  readonly mtimeMs: number;
  readonly mode?: number;
  /** The folders above a new file are made with it; otherwise they must be there. */
  readonly makesFolders?: boolean;
}

/** What a file is to hold from now on; it stays the same file. */
export async function writeEntry(
  tx: Transaction,
  owner: Owner,
  path: string,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  how: WriteHow,
): Promise<void> {
  const before = await findEntry(tx, owner, path);
  if (before?.isFolder) throw errno("EISDIR", nameIn(owner, path));
  if (!before && how.makesFolders) await makeFolder(tx, owner, parentOf(path) ?? "", how.mtimeMs);
  else if (!before) await needParent(tx, owner, path);
  const { id, size } = await putContent(tx, owner, bytes);
  const mode = how.mode ?? FILE_MODE;
  if (!before) {
    await insertEntry(tx, owner, { path, isFolder: false, mode, mtimeMs: how.mtimeMs, contentId: id, size });
    return;
  }
  await tx.change(
    `UPDATE hub.provider_entries SET content_id = $4, size = $5, mode = $6, mtime_ms = $7, tail_start = $5, tail_pieces = 0
      WHERE account_id = $1 AND session_id = $2 AND path = $3`,
    [owner.account, owner.session, path, id, size, mode, how.mtimeMs],
  );
  if (before.contentId !== undefined) await dropContent(tx, owner, before.contentId);
}

export async function appendEntry(
  tx: Transaction,
  owner: Owner,
  path: string,
  bytes: Buffer,
  how: WriteHow,
): Promise<void> {
  const [row] = await tx.query(
    `UPDATE hub.provider_entries SET size = size + $4, mtime_ms = $5, tail_pieces = tail_pieces + 1
      WHERE account_id = $1 AND session_id = $2 AND path = $3 AND NOT is_folder RETURNING ${COLUMNS}`,
    [owner.account, owner.session, path, bytes.length, how.mtimeMs],
  );
  if (!row) {
    await writeEntry(tx, owner, path, [bytes], how);
    return;
  }
  const entry = toEntry(row);
  await insertPieces(tx, owner, entry.contentId ?? "", entry.size - bytes.length, bytes);
  if (entry.tailPieces >= MANY) await joinTail(tx, owner, entry);
}

/** With all that is in it. Nothing where there is nothing. */
export async function removeEntry(
  tx: Transaction,
  { account, session }: Owner,
  path: string,
): Promise<number> {
  const below =
    "account_id = $1 AND session_id = $2 AND (path = $3 OR $3 = '' OR starts_with(path, $3 || '/'))";
  await tx.change(
    `DELETE FROM hub.provider_pieces WHERE account_id = $1 AND content_id IN (SELECT content_id FROM hub.provider_entries WHERE ${below})`,
    [account, session, path],
  );
  return tx.change(`DELETE FROM hub.provider_entries WHERE ${below}`, [account, session, path]);
}

/** A file takes the place of a file, a folder that of an empty one. */
export async function renameEntry(tx: Transaction, owner: Owner, from: string, to: string): Promise<void> {
  const [moved, there] = [await findEntry(tx, owner, from), await findEntry(tx, owner, to)];
  if (!moved) throw errno("ENOENT", nameIn(owner, from));
  if (from === to) return;
  if (from === "" || to.startsWith(`${from}/`)) throw errno("EINVAL", nameIn(owner, to));
  await needParent(tx, owner, to);
  if (there) {
    if (there.isFolder !== moved.isFolder)
      throw errno(there.isFolder ? "EISDIR" : "ENOTDIR", nameIn(owner, to));
    if (there.isFolder && (await listFolder(tx, owner, to)).length > 0)
      throw errno("ENOTEMPTY", nameIn(owner, to));
    await removeEntry(tx, owner, to);
  }
  const below = (await entriesBelow(tx, owner, from)).map(({ path }) => path);
  for (const path of below) {
    const name = to + path.slice(from.length);
    await tx.change(
      "UPDATE hub.provider_entries SET path = $4, parent = $5 WHERE account_id = $1 AND session_id = $2 AND path = $3",
      [owner.account, owner.session, path, name, parentOf(name)],
    );
  }
}

async function entriesBelow(tx: Transaction, { account, session }: Owner, path: string): Promise<EntryRow[]> {
  const rows = await tx.query(
    `SELECT ${COLUMNS} FROM hub.provider_entries WHERE account_id = $1 AND session_id = $2 AND (path = $3 OR starts_with(path, $3 || '/'))`,
    [account, session, path],
  );
  return rows.map(toEntry);
}

export async function setTimes(
  tx: Transaction,
  owner: Owner,
  path: string,
  { mtimeMs, mode }: { readonly mtimeMs: number; readonly mode?: number },
): Promise<void> {
  const changed = await tx.change(
    "UPDATE hub.provider_entries SET mtime_ms = $4, mode = coalesce($5, mode) WHERE account_id = $1 AND session_id = $2 AND path = $3",
    [owner.account, owner.session, path, mtimeMs, mode ?? null],
  );
  if (changed === 0) throw errno("ENOENT", nameIn(owner, path));
}
