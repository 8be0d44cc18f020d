/** Folders as they are at one moment, with all that is in them, so that a test can put that state back later. */
import {
  chmodSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

interface Item {
  readonly path: string;
  readonly ino: number;
  readonly mode: number;
  readonly mtimeMs: number;
  /** The bytes of a file, the target of a link, nothing of a folder. */
  readonly content?: Buffer | string;
}

/** By path; folders come before what is in them. */
export type Snapshot = ReadonlyMap<string, Item>;

export interface KeptFolders {
  take(): Snapshot;
  /** Files that exist with the same bytes stay the very same files, as plans know files by their inodes. */
  putBack(snapshot: Snapshot): void;
  remove(): void;
}

export function keepFolders(folders: readonly string[]): KeptFolders {
  // A second name for each file, beside each folder and so on its disk: a file that goes can come back as itself.
  const spares = new Map(folders.map((path) => [path, mkdtempSync(join(dirname(path), "rethread-kept-"))]));
  const spareOf = (folder: string, ino: number): string => join(spares.get(folder) ?? "", String(ino));
  return {
    take() {
      const items = folders.flatMap(itemsBelow);
      for (const folder of folders)
        for (const { path, ino, content } of items)
          if (Buffer.isBuffer(content) && path.startsWith(`${folder}/`) && !itemAt(spareOf(folder, ino)))
            linkSync(path, spareOf(folder, ino));
      return new Map(items.map((item) => [item.path, item]));
    },
    putBack(snapshot) {
      for (const folder of folders) {
        const within = [...snapshot.values()].filter(({ path }) => `${path}/`.startsWith(`${folder}/`));
        for (const item of itemsBelow(folder).toReversed()) {
          const wanted = snapshot.get(item.path);
          const isFolderStill = wanted && isFolder(wanted) && isFolder(item);
          if (!isFolderStill && !isSame(item, wanted)) rmSync(item.path, { recursive: true, force: true });
        }
        for (const wanted of within) if (!itemAt(wanted.path)) make(wanted, spareOf(folder, wanted.ino));
        for (const { path, content, mode, mtimeMs } of within.toReversed())
          if (content === undefined) {
            chmodSync(path, mode);
            utimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
          }
      }
    },
    remove() {
      for (const spare of spares.values()) rmSync(spare, { recursive: true, force: true });
    },
  };
}

const isFolder = ({ content }: Item): boolean => content === undefined;

function itemAt(path: string): Item | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  const { ino, mtimeMs } = stats;
  const content = stats.isDirectory()
    ? undefined
    : stats.isSymbolicLink()
      ? readlinkSync(path)
      : readFileSync(path);
  return { path, ino, mode: stats.mode & 0o7777, mtimeMs, ...(content !== undefined && { content }) };
}

function itemsBelow(path: string): Item[] {
  const item = itemAt(path);
  if (!item) return [];
  if (!isFolder(item)) return [item];
  return [
    item,
    ...readdirSync(path)
      .sort()
      .flatMap((name) => itemsBelow(join(path, name))),
  ];
}

const isSameContent = (one: Item["content"], other: Item["content"]): boolean =>
  Buffer.isBuffer(one) && Buffer.isBuffer(other) ? one.equals(other) : one === other;

const isSame = (one: Item | undefined, other: Item | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.ino === other.ino &&
  one.mode === other.mode &&
  (isFolder(one) || one.mtimeMs === other.mtimeMs) &&
  isSameContent(one.content, other.content);

function make({ path, content, mode, mtimeMs, ...wanted }: Item, spare: string): void {
  if (content === undefined) mkdirSync(path, { recursive: true });
  else if (typeof content === "string") {
    symlinkSync(content, path);
    lutimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
  } else if (isSame(itemAt(spare), { path, content, mode, mtimeMs, ...wanted })) linkSync(spare, path);
  else {
    writeFileSync(path, content);
    chmodSync(path, mode);
    utimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
  }
}

/** Whether a process that was killed at the one moment leaves what it leaves at the other. */
export const isSameSnapshot = (one: Snapshot, other: Snapshot): boolean =>
  one.size === other.size && [...one].every(([path, item]) => isSame(item, other.get(path)));

/** Databases keep times and salts of their own; of everything else two processes leave the same bytes. */
const isDatabase = (path: string): boolean => /\.(db|vscdb|lock)(-wal|-shm|-journal)?$/.test(path);

/** What can be compared between two processes: not the inodes, nor the times of what is being written. */
export const toComparable = (snapshot: Snapshot): Record<string, string> =>
  Object.fromEntries(
    [...snapshot].map(([path, { content, mode }]) => [
      path,
      content === undefined
        ? `folder ${mode.toString(8)}`
        : isDatabase(path)
          ? "database"
          : `${mode.toString(8)} ${content.toString("base64")}`,
    ]),
  );
