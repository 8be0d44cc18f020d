/** Lists files that sessions changed, each once, whatever way the sessions name it. */
import { isAtOrBelow } from "../../model/values/paths.ts";
import type { ChangedFileRow } from "../../store/file-edits.ts";
import { type Disk, fullPath } from "./same-file.ts";

export interface EditedFile {
  readonly path: string;
  /** The folder of a session that changed it. */
  readonly workspace?: string;
  readonly sessions: number;
  readonly lastAt?: string;
  /** It is there, so it can be looked at. */
  readonly exists: boolean;
}

export interface EditedFiles {
  /** The latest first; those that are gone come last. */
  readonly files: readonly EditedFile[];
}

export interface FilesRequest {
  /** A part of the path, in any case. */
  readonly text?: string;
  /** Only files in this folder or below it. */
  readonly folder?: string;
  readonly limit?: number;
}

export const MOST_FILES = 200;
/** One file may have several rows, and some are elsewhere. */
const ROWS = 5000;

export async function changedFiles(
  find: (text: string, limit: number) => readonly ChangedFileRow[],
  disk: Disk,
  { text = "", folder, limit = MOST_FILES }: FilesRequest,
): Promise<EditedFiles> {
  const rows = find(text, ROWS).flatMap((row) => {
    const path = fullPath(row);
    return path === undefined || (folder !== undefined && !isAtOrBelow(path, folder))
      ? []
      : [{ ...row, path }];
  });
  const files: EditedFile[] = [];
  for (const [path, own] of Map.groupBy(rows, (row) => row.path)) {
    if (files.length === limit) break;
    const [first] = own;
    files.push({
      path,
      sessions: new Set(own.flatMap(({ sessions }) => sessions)).size,
      exists: await disk.exists(path),
      ...(first?.workspace !== undefined && { workspace: first.workspace }),
      ...(first?.at !== undefined && { lastAt: first.at }),
    });
  }
  return { files: files.toSorted((a, b) => Number(b.exists) - Number(a.exists)) };
}
