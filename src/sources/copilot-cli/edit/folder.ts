/** A session's folder as it is, and the one that is to be made from it. */
import { AppError } from "../../../model/errors.ts";
import { type Basis, type Entry, type Piece, type Planned, sizeOfPieces } from "../../../model/plan.ts";
import type { Artifact } from "../../../model/session.ts";
import type { SessionFs } from "../../../platform/session-fs.ts";
import { readTree } from "../../../platform/tree.ts";
import { folderOf, LOG, stateFolder, under } from "../locate.ts";
import { WORKSPACE_FILE } from "../workspace.ts";

export type FileEntry = Extract<Entry, { kind: "file" }>;

export const PRIVATE = { folder: 0o700, file: 0o600 };

/** Of a process, of a moment, or of what a repair left: none of it is part of a session. */
const PASSING =
  /^(inuse\.\d+\.(lock|hold)|\.workspace-fork\.lock|session\.db-shm|events\.jsonl\.backup-before-.*)$/;

export interface SessionFolder {
  readonly path: string;
  /** All but locks and the like, the folder itself left out. */
  readonly entries: readonly Entry[];
  /** The entry's place in the folder, with forward slashes. */
  nameOf(entry: Entry): string;
}

export function openFolder(artifact: Artifact): SessionFolder {
  const path = folderOf(artifact.path);
  if (path === undefined)
    throw new AppError(
      "not-supported",
      `Session ${artifact.id} is an early version's file, which Copilot CLI no longer resumes`,
      `Read it, or write it to a file: rethread export copilot-cli:${artifact.id}`,
    );
  const nameOf = (entry: Entry): string => entry.path.slice(path.length + 1).replaceAll("\\", "/");
  const entries = readTree(path)
    .slice(1)
    .filter((entry) => !PASSING.test(nameOf(entry)));
  return { path, entries, nameOf };
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
  copy(entry: Entry): void;
  /** Made unless it was copied. */
  folder(name: string): void;
  add(name: string, pieces: readonly Piece[], look?: { mtimeMs?: number; mode?: number }): void;
  entries(): Planned[];
  basis(): Basis[];
}

export function planFolder(from: SessionFolder, to: string, now: Date): FolderPlan {
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
    copy(entry) {
      const name = from.nameOf(entry);
      if (entry.kind === "folder") folder(name);
      else if (entry.kind === "link") planned.push({ ...entry, path: under(to, name) });
      else {
        basis.push({ entry });
        // What others may read of a session is nobody's business in the copy; what may run still may.
        const look = { mtimeMs: Math.floor(entry.mtimeMs), mode: (entry.mode & 0o700) | PRIVATE.file };
        add(name, entry.size === 0 ? [] : [{ file: entry.path, start: 0, end: entry.size }], look);
      }
    },
    entries: () => planned,
    basis: () => basis,
  };
}

/** The log may go on meanwhile: what was read of it stays as it is. */
export function logBasis(folder: SessionFolder, size: number): Basis[] {
  const log = folder.entries.find((entry) => folder.nameOf(entry) === LOG);
  return log?.kind === "file" ? [{ entry: { ...log, size }, mayGrow: true }] : [];
}

export const isNamed = (name: string, ...folders: string[]): boolean =>
  folders.some((folder) => name === folder || name.startsWith(`${folder}/`));

export const WRITTEN_ANEW: readonly string[] = [LOG, WORKSPACE_FILE];
