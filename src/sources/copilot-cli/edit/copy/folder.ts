/** Reads a session's folder, and drafts the new folder of a copy. */
import { dirname, isAbsolute, resolve } from "node:path";
import { AppError } from "../../../../model/errors.ts";
import { type Basis, type Entry, type Piece, type Planned, sizeOfPieces } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { isAtOrBelow } from "../../../../model/values/paths.ts";
import { readTreeThrough, realPath, realPlace } from "../../../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { folderOf, LOG, stateFolder, under } from "../../workspace/locate.ts";
import { WORKSPACE_FILE } from "../../workspace/workspace.ts";

export type FileEntry = Extract<Entry, { kind: "file" }>;

export const PRIVATE = { folder: 0o700, file: 0o600 };

/** Of a process, of a moment, or of what a repair left: none of it is part of a session. */
const PASSING =
  /^(inuse\.\d+\.(lock|hold)|\.workspace-fork\.lock|session\.db-shm|events\.jsonl\.backup-before-.*)$/;

/**
 * What the program writes by itself, as opposed to what agents keep in a session's folders: a link in its place is only
 * a way to it.
 */
const OWN =
  /^(events\.jsonl|workspace\.yaml|plan\.md|session\.db(-wal)?|files|research|(checkpoints|rewind-file-snapshots)(\/.*)?)$/;

export interface SessionFolder {
  readonly path: string;
  /** All but locks and the like, the folder itself left out. What belongs to the session is seen through links. */
  readonly entries: readonly Entry[];
  /** The entry's place in the folder, with forward slashes. */
  nameOf(entry: Entry): string;
}

export async function openFolder(fs: SessionFs, artifact: Artifact): Promise<SessionFolder> {
  const path = folderOf(artifact.path);
  if (path === undefined)
    throw new AppError(
      "not-supported",
      `Session ${artifact.id} has the format of an early version, which Copilot CLI no longer resumes`,
      {
        say: "Read it, or export it",
        remedy: { action: "export", session: `copilot-cli:${artifact.id}` },
      },
    );
  const nameIn = (inside: string): string => inside.slice(path.length + 1).replaceAll("\\", "/");
  const nameOf = (entry: Entry): string => nameIn(entry.path);
  const [, ...inside] = await readTreeThrough(fs, path, (each) => OWN.test(nameIn(each)));
  return { path, entries: inside.filter((entry) => !PASSING.test(nameOf(entry))), nameOf };
}

export const newFolder = (root: string, id: string): string => under(stateFolder(root), id);

/** The text of a small file in the folder, or nothing. */
export async function textOf(
  fs: SessionFs,
  folder: SessionFolder,
  name: string,
): Promise<string | undefined> {
  const entry = folder.entries.find((each) => folder.nameOf(each) === name);
  return entry?.kind === "file" ? Buffer.from(await fs.read(entry.path)).toString("utf8") : undefined;
}

/** Collects what the new folder is made of. */
export interface FolderPlan {
  copy(entry: Entry): Promise<void>;
  /** Made unless it was copied. */
  folder(name: string): void;
  add(name: string, pieces: readonly Piece[], look?: { mtimeMs?: number; mode?: number }): void;
  entries(): Planned[];
  basis(): Basis[];
}

export function planFolder(fs: SessionFs, from: SessionFolder, to: string, now: Date): FolderPlan {
  const mtimeMs = now.getTime();
  const planned: Planned[] = [{ kind: "folder", path: to, mode: PRIVATE.folder, mtimeMs }];
  const basis: Basis[] = [];
  const add: FolderPlan["add"] = (name, pieces, look = {}) =>
    void planned.push({
      kind: "file",
      path: under(to, name),
      mode: PRIVATE.file,
      mtimeMs,
      size: sizeOfPieces(pieces),
      ...look,
      pieces,
    });
  const folder = (name: string): void => {
    const path = under(to, name);
    if (!planned.some((entry) => entry.path === path))
      planned.push({ kind: "folder", path, mode: PRIVATE.folder, mtimeMs });
  };
  return {
    add,
    folder,
    async copy(entry) {
      const name = from.nameOf(entry);
      if (entry.kind === "folder") folder(name);
      else if (entry.kind === "link")
        planned.push({ ...entry, path: under(to, name), target: await targetFor(fs, entry, from.path, to) });
      else {
        basis.push({ entry });
        // The copy is readable only by its owner; executable files stay executable.
        const look = { mtimeMs: Math.floor(entry.mtimeMs), mode: (entry.mode & 0o700) | PRIVATE.file };
        add(name, entry.size === 0 ? [] : [{ file: entry.path, start: 0, end: entry.size }], look);
      }
    },
    entries: () => planned,
    basis: () => basis,
  };
}

/** A link in a copy leads to the copy of what it led to, or, outside the session's folder, to the very same place. */
async function targetFor(
  fs: SessionFs,
  { path, target }: Extract<Entry, { kind: "link" }>,
  from: string,
  to: string,
): Promise<string> {
  if (isAbsolute(target)) return isAtOrBelow(target, from) ? to + target.slice(from.length) : target;
  const leadsTo = resolve(dirname(await realPlace(fs, path)), target);
  if (isAtOrBelow(leadsTo, await realPath(fs, from))) return target;
  const copied = to + path.slice(from.length);
  return resolve(dirname(await realPlace(fs, copied)), target) === leadsTo ? target : leadsTo;
}

/** The log may grow meanwhile; the part that was read does not change. */
export function logBasis(folder: SessionFolder, size: number): Basis[] {
  const log = folder.entries.find((entry) => folder.nameOf(entry) === LOG);
  return log?.kind === "file" ? [{ entry: { ...log, size }, mayGrow: true }] : [];
}

export const isNamed = (name: string, ...folders: string[]): boolean =>
  folders.some((folder) => name === folder || name.startsWith(`${folder}/`));

/** What agents keep in a session's own folder; the rest is the program's. */
export const KEPT_FILES: readonly string[] = ["plan.md", "files", "research"];

export const WRITTEN_ANEW: readonly string[] = [LOG, WORKSPACE_FILE];
