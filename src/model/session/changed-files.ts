/** The files that a session changed, each once: agents spell one file in several ways. */
import { isAbsolutePath, withoutEndSeparators } from "../values/paths.ts";

export interface ChangedFile {
  readonly path: string;
  /** What was first done to it. */
  readonly action: "created" | "edited" | "deleted";
  /** In which turn. */
  readonly turn?: number;
  /** Over all edits; nothing where one of them was not counted. */
  readonly lines?: { readonly added: number; readonly removed: number };
}

/** A patch names its files from the folder on, the record of what it changed from the root on. */
export function joinSpellings(files: readonly ChangedFile[], workspace: string | undefined): ChangedFile[] {
  const root = workspace === undefined ? undefined : withoutEndSeparators(workspace);
  const placeOf = (path: string): string =>
    root === undefined || isAbsolutePath(path) ? path : `${root}/${path.replace(/^\.\//, "")}`;
  return [...Map.groupBy(files, ({ path }) => placeOf(path))].map(([path, same]) => {
    const [first] = same;
    const { turn, action = "edited" } = first ?? {};
    const lines = same.find((file) => file.lines)?.lines;
    return { path, action, ...(turn !== undefined && { turn }), ...(lines && { lines }) };
  });
}
