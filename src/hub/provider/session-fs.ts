/** SessionFs on the hub's database: all sessions of an account, readable, and writable as far as there are leases. */
import type { ByteRange, FolderEntry, SessionFs, StatAnswer } from "../../platform/fs/session-fs.ts";
import { type FileStat, refuseTooLarge } from "../../platform/fs/session-fs.ts";
import type { Rows, Transaction } from "../database/connect.ts";
import {
  appendEntry,
  type EntryRow,
  findEntries,
  findEntry,
  listFolder,
  listSessions,
  makeFolder,
  removeEntry,
  renameEntry,
  setTimes,
  toStat,
  writeEntry,
} from "./entries.ts";
import { type Owner, PIECE } from "./pieces.ts";
import { errno, nameOf, type Place, placeOf, refusal } from "./places.ts";

/** How statements are run: each call in a transaction of its own, or all within one. */
export interface Access {
  readonly account: string;
  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Rejects where there is no lease of that session. */
  write<T>(session: string, work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Whoever writes a file need not make its folder first. */
  readonly makesFolders?: boolean;
}

/** So many bytes are asked for at once. */
const WINDOW = 1 << 20;
const FOLDER: FileStat = { kind: "folder", size: 0, mtimeMs: 0, ino: 1, mode: 0o700 };

type Inside = Extract<Place, { session: string }>;

export function createProviderFs(
  { account, read, write, makesFolders = false }: Access,
  now: () => number = () => Date.now(),
): SessionFs {
  const ownerOf = ({ session }: Inside): Owner => ({ account, session });
  const inside = (path: string, otherwise: string): Inside => {
    const place = placeOf(path);
    if ("session" in place) return place;
    throw errno(refusal(path) ?? otherwise, path);
  };
  const entryAt = async (path: string, place: Inside): Promise<EntryRow> => {
    const entry = await read((tx) => findEntry(tx, ownerOf(place), place.path));
    if (entry) return entry;
    throw errno("ENOENT", path);
  };
  const changing = async <T>(
    path: string,
    work: (tx: Transaction, owner: Owner, path: string) => Promise<T>,
  ): Promise<T> => {
    const place = inside(path, "EACCES");
    return write(place.session, (tx) => work(tx, ownerOf(place), place.path));
  };
  /** `onSize` hears of the size before anything is given out, and may refuse it. */
  async function* windows(
    path: string,
    range: ByteRange | undefined,
    onSize: (size: number) => void = () => undefined,
  ): AsyncGenerator<Uint8Array> {
    const place = inside(path, isFolderAbove(path) ? "EISDIR" : "ENOENT");
    const { start = 0, end = Number.POSITIVE_INFINITY } = range ?? {};
    let content: string | undefined;
    if (start >= end) await entryAt(path, place); // nothing is wanted, but of a file that is there
    for (let at = start, last = end; at < last; at += WINDOW) {
      const rows = await read((tx) =>
        windowOf(tx, ownerOf(place), place.path, at, Math.min(at + WINDOW, last)),
      );
      const [first] = rows;
      if (!first) throw errno(content === undefined ? "ENOENT" : "ESTALE", path);
      if (first.is_folder) throw errno("EISDIR", path);
      if (content === undefined) onSize(Number(first.size));
      else if (first.content_id !== content) throw errno("ESTALE", path);
      content = String(first.content_id);
      // What is appended meanwhile is for the next reader.
      last = Math.min(last, Number(first.size));
      for (const { start: begin, body } of rows) {
        if (body === null) continue;
        const [from, bytes] = [Number(begin), body as Buffer];
        const piece = bytes.subarray(Math.max(0, at - from), Math.min(at + WINDOW, last) - from);
        if (piece.length > 0) yield piece;
      }
    }
  }
  return {
    hasDatabases: true,
    chunks: (path, range) => windows(path, range),
    async read(path, range) {
      const parts: Uint8Array[] = [];
      const check = (size: number): void =>
        refuseTooLarge(path, Math.min(range?.end ?? size, size) - (range?.start ?? 0));
      for await (const piece of windows(path, range, check)) parts.push(piece);
      return Buffer.concat(parts);
    },
    write: (path, data, mode) =>
      changing(path, (tx, owner, name) =>
        writeEntry(tx, owner, name, [Buffer.from(data as string)], {
          ...{ mtimeMs: now(), makesFolders },
          ...(mode !== undefined && { mode }),
        }),
      ),
    append: (path, data) =>
      changing(path, (tx, owner, name) =>
        appendEntry(tx, owner, name, Buffer.from(data as string), { mtimeMs: now(), makesFolders }),
      ),
    async exists(path) {
      const place = placeOf(path);
      if (!("session" in place)) return isFolderAbove(path);
      return (await read((tx) => findEntry(tx, ownerOf(place), place.path))) !== undefined;
    },
    async stat(path) {
      if (isFolderAbove(path)) return FOLDER;
      return toStat(await entryAt(path, inside(path, "ENOENT")));
    },
    async statEach(paths) {
      const places = paths.map(placeOf);
      const wanted = places.filter((place) => "session" in place);
      const found = await read((tx) => findEntries(tx, account, wanted));
      return places.map((place): StatAnswer => {
        if (!("session" in place)) return place.above === "nothing" ? undefined : FOLDER;
        const entry = found.get(`${place.session}/${place.path}`);
        return entry && toStat(entry);
      });
    },
    async mkdir(path) {
      if (isFolderAbove(path)) return;
      await changing(path, (tx, owner, name) => makeFolder(tx, owner, name, now()));
    },
    async readdir(path) {
      const place = placeOf(path);
      if (!("session" in place)) {
        if (place.above === "home") return [{ name: "session-state", kind: "folder" }];
        if (place.above === "nothing") throw errno(refusal(path) ?? "ENOENT", path);
        const sessions = await read((tx) => listSessions(tx, account));
        return sessions.map((name): FolderEntry => ({ name, kind: "folder" }));
      }
      const { isFolder } = await entryAt(path, place);
      if (!isFolder) throw errno("ENOTDIR", path);
      const entries = await read((tx) => listFolder(tx, ownerOf(place), place.path));
      return entries.map(
        (entry): FolderEntry => ({
          name: nameOf(entry.path),
          kind: entry.isFolder ? "folder" : "file",
        }),
      );
    },
    async rm(path) {
      await changing(path, removeEntry);
    },
    async rename(from, to) {
      const target = inside(to, "EACCES");
      if (inside(from, "ENOENT").session !== target.session) throw errno("EXDEV", to);
      await changing(from, (tx, owner, name) => renameEntry(tx, owner, name, target.path));
    },
    touch: (path, mtimeMs) => changing(path, (tx, owner, name) => setTimes(tx, owner, name, { mtimeMs })),
  };
}

const isFolderAbove = (path: string): boolean => {
  const place = placeOf(path);
  return "above" in place && place.above !== "nothing";
};

/** The entry and the rows that a range lies in, as of one moment. */
const windowOf = (
  tx: Transaction,
  { account, session }: Owner,
  path: string,
  start: number,
  end: number,
): Promise<Rows> =>
  tx.query(
    `SELECT e.is_folder, e.size, e.content_id, p.start, p.body
       FROM hub.provider_entries e
       LEFT JOIN hub.provider_pieces p ON p.account_id = e.account_id AND p.content_id = e.content_id
        AND p.start > $4::bigint - ${PIECE} AND p.start < $5::bigint
      WHERE e.account_id = $1 AND e.session_id = $2 AND e.path = $3 ORDER BY p.start`,
    [account, session, path, start, Number.isFinite(end) ? Math.trunc(end) : start + WINDOW],
  );
