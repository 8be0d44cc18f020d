/** Lists the vault's folder: blocks, and files that do not belong there. */
import { join } from "node:path";
import { type Entry, entriesIn } from "../../platform/disk/own-files.ts";

export interface VaultFiles {
  /** Of files that are where a block of that name belongs. */
  readonly hashes: readonly string[];
  /** Files that are neither blocks nor being written, and what else is there that is no file. */
  readonly strays: readonly string[];
}

export const vaultFolder = (home: string): string => join(home, "vault");

/** Of a block that is being written, before the mark of its process. */
export const TEMP = "tmp-";

export function listVault(home: string): VaultFiles {
  const folder = vaultFolder(home);
  const hashes: string[] = [];
  const strays: string[] = [];
  for (const { name, kind } of entriesIn(folder)) {
    if (kind === "folder" && /^[0-9a-f]{2}$/.test(name))
      for (const each of entriesIn(join(folder, name))) {
        const isBlock = each.kind === "file" && /^[0-9a-f]{64}$/.test(each.name);
        if (isBlock && each.name.startsWith(name)) hashes.push(each.name);
        else strays.push(...filesAt(join(folder, name, each.name), each.kind));
      }
    else if (kind !== "file" || !name.startsWith(TEMP)) strays.push(...filesAt(join(folder, name), kind));
  }
  return { hashes, strays };
}

/** Deep enough for any folder of ours that was moved, and no way into a loop of links. */
const MOST_DEEP = 4;

function filesAt(path: string, kind: Entry["kind"], depth = 0): string[] {
  const entries = kind === "folder" && depth < MOST_DEEP ? entriesIn(path) : [];
  if (entries.length === 0) return [path];
  return entries.flatMap((entry) => filesAt(join(path, entry.name), entry.kind, depth + 1));
}
