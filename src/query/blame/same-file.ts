/** Whether the file that a session names is the one that is asked about, whatever way leads there. */
import {
  foldPath,
  isAbsolutePath,
  isAtOrBelow,
  isWindowsPath,
  pathsLike,
  segmentsOf,
  wayFrom,
} from "../../model/values/paths.ts";
import { pathThere } from "../../model/values/workspace-place.ts";
import type { FileEditor } from "../../store/file-edits.ts";

/** The file, as the disk has it, and the folder that it has a place in. */
export interface FilePlace {
  /** Without links. */
  readonly path: string;
  /** The work tree that it is in, else the folder of sessions that it is in. */
  readonly root?: string;
  readonly repository?: string;
  /** Other work trees of the same repository. */
  readonly worktrees: readonly string[];
  /** Names that differ only in case are one. */
  readonly foldsCase: boolean;
}

export interface Disk {
  /** The path without links; what is not there keeps its name. */
  realPath(path: string): Promise<string>;
  exists(path: string): Promise<boolean>;
}

/** The path as one that can be compared. */
export const fullPath = (editor: Pick<FileEditor, "path" | "workspace">): string | undefined => {
  const [path, workspace] = [onItsMachine(editor.path), editor.workspace && onItsMachine(editor.workspace)];
  if (isAbsolutePath(path)) return pathsLike(path).normalize(path);
  return workspace === undefined || !isAbsolutePath(workspace)
    ? undefined
    : pathsLike(workspace).join(workspace, path);
};

/** What is reached over a connection has a path there. */
const onItsMachine = (place: string): string => pathThere(place) ?? place;

/**
 * The same path, or a path that leads to it; or the same place in another checkout: a work tree, another clone of the
 * repository, or a folder that is gone since, as a project that was moved or renamed.
 */
export async function isSameFile(editor: FileEditor, place: FilePlace, disk: Disk): Promise<boolean> {
  const path = fullPath(editor);
  if (path === undefined) return false;
  const spelled = (text: string): string => (place.foldsCase ? foldPath(text) : text);
  if (spelled(path) === spelled(place.path)) return true;
  const way = place.root === undefined ? undefined : wayFrom(place.root, place.path);
  const checkout = way === undefined ? undefined : rootOf(path, way);
  if (checkout !== undefined && (await isCheckout(checkout, editor, place, disk))) return true;
  return spelled(await disk.realPath(path)) === spelled(place.path);
}

/** The folder from which a path goes this way; nothing where it does not. */
function rootOf(path: string, way: string): string | undefined {
  const [own, wanted] = [segmentsOf(path), segmentsOf(way)];
  const head = own.slice(0, -wanted.length);
  const spelled = (name: string | undefined): string | undefined =>
    isWindowsPath(path) ? name?.toLowerCase() : name;
  return head.length > 0 && wanted.every((name, at) => spelled(own[head.length + at]) === spelled(name))
    ? head.join("/") || "/"
    : undefined;
}

async function isCheckout(
  folder: string,
  { repository, workspace }: FileEditor,
  place: FilePlace,
  disk: Disk,
): Promise<boolean> {
  if (place.worktrees.includes(folder)) return true;
  if (place.repository !== undefined && repository !== undefined) return repository === place.repository;
  // Without a remote, only a folder of the same session that is gone can be this one.
  return workspace !== undefined && isAtOrBelow(workspace, folder) && !(await disk.exists(folder));
}
