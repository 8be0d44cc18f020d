/** Builds entries from a backup: folders and links as recorded, files from the vault. */

import type { Basis, Entry, Planned } from "../../model/plan.ts";
import { isAtOrBelow } from "../../model/values/paths.ts";
import type { KeptFile } from "../../store/vault/kept-file.ts";

export const entriesBelow = (path: string, basis: readonly Basis[]): Entry[] =>
  basis.flatMap(({ entry }) => (isAtOrBelow(entry.path, path) ? [entry] : []));

export function fromBackup(path: string, basis: readonly Basis[], backup: readonly KeptFile[]): Planned[] {
  const kept = new Map(backup.map((file) => [file.path, file]));
  return entriesBelow(path, basis).map((entry) => {
    if (entry.kind !== "file") return entry;
    const file = kept.get(entry.path);
    if (!file) throw new Error(`no backup of ${entry.path}`);
    const { ino: _, ...recorded } = entry;
    const { mode, mtimeMs, size } = file;
    return { ...recorded, mode, mtimeMs, size, pieces: [{ blocks: file.blocks, size }] };
  });
}
