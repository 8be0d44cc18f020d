/** Appends lines to a file, as its program does, or replaces its content. */
import { type Draft, type Piece, type Planned, sizeOfPieces } from "../../model/plan.ts";
import { lookThrough } from "../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";

/** What is there keeps its bytes. */
export async function appendLines(
  fs: SessionFs,
  path: string,
  lines: string,
  now: Date,
): Promise<Pick<Draft, "basis" | "steps">> {
  const entry = await lookThrough(fs, path);
  if (entry?.kind !== "file") return { basis: [], steps: [] };
  const { size } = entry;
  const last = size === 0 ? undefined : (await fs.read(path, { start: size - 1, end: size }))[0];
  const text = last === undefined || last === 10 ? lines : `\n${lines}`;
  const pieces = [...(size > 0 ? [{ file: path, start: 0, end: size }] : []), { text }];
  return replaceContent(fs, path, pieces, now);
}

export async function replaceContent(
  fs: SessionFs,
  path: string,
  pieces: readonly Piece[],
  now: Date,
): Promise<Pick<Draft, "basis" | "steps">> {
  const entry = await lookThrough(fs, path);
  if (entry?.kind !== "file") return { basis: [], steps: [] };
  const { mode } = entry;
  const planned: Planned = {
    ...{ kind: "file", path, mode, mtimeMs: now.getTime(), size: sizeOfPieces(pieces), pieces },
  };
  return { basis: [{ entry }], steps: [{ does: "replace", path, entries: [planned] }] };
}
