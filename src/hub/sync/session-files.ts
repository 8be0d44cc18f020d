/** The files of a session that can be sent, under the names that the hub has for them; and those that are left out. */
import { createHash } from "node:crypto";
import type { Artifact } from "../../model/session/session.ts";
import { reasonOf, type SessionFs, statEach } from "../../platform/fs/session-fs.ts";
import type { Catalog } from "../../sources/catalog.ts";

/** How a file is redacted: a record per line, one document, or as it is read. */
export type Manner = "jsonl" | "json" | "yaml" | "text";

export interface LocalFile {
  /** Below the source's root, with slashes. */
  readonly path: string;
  /** Where it is here. */
  readonly place: string;
  readonly manner: Manner;
  readonly mode: number;
  readonly mtimeMs: number;
  readonly size: number;
}

export interface LeftOut {
  readonly path: string;
  readonly why: string;
  /** How many were taken out of a file that leaves. */
  readonly pictures?: number;
}

export interface LocalFiles {
  readonly fs: SessionFs;
  readonly files: readonly LocalFile[];
  readonly leftOut: readonly LeftOut[];
}

/** As long as the hub takes; on other systems than Windows a name may hold what leads elsewhere there. */
const LONGEST_PATH = 1024;
const isTaken = (path: string): boolean =>
  path.length <= LONGEST_PATH && path.isWellFormed() && !/[\\\p{Cc}]/u.test(path);

const DATABASE = /\.(db|sqlite3?|vscdb)(-wal|-shm|-journal)?$/i;
/** A text or document is redacted as a whole, so it has to fit. */
const LARGEST_WHOLE = 64 << 20;

export async function findLocalFiles(catalog: Catalog, artifact: Artifact): Promise<LocalFiles> {
  const { files: places, skipped, fs } = await catalog.packing(artifact);
  const leftOut: LeftOut[] = skipped.map(({ path, why }) => ({ path, why }));
  const files: LocalFile[] = [];
  const stats = await statEach(fs, places);
  for (const [at, place] of places.entries()) {
    const stat = stats[at];
    const path = pathBelow(artifact.root, place);
    const manner = mannerOf(place);
    const why =
      stat === undefined
        ? "is gone"
        : stat instanceof Error
          ? `cannot be read: ${reasonOf(stat)}`
          : path === undefined
            ? "lies outside the agent's folder"
            : !isTaken(path)
              ? "has a name that the hub does not take"
              : DATABASE.test(place)
                ? "is a database"
                : manner !== "jsonl" && stat.size > LARGEST_WHOLE
                  ? "is too large to be redacted"
                  : undefined;
    if (why !== undefined) leftOut.push({ path: place, why });
    else if (path !== undefined && stat && !(stat instanceof Error))
      files.push({
        ...{ path, place, manner, mode: stat.mode & 0o777 },
        ...{ mtimeMs: Math.trunc(stat.mtimeMs), size: stat.size },
      });
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { fs, files, leftOut };
}

/** Changes when a file does. */
export function markOf({ files }: Pick<LocalFiles, "files">): string {
  const hash = createHash("sha256");
  for (const { path, size, mtimeMs } of files) hash.update(`${path}\0${size}\0${mtimeMs}\n`);
  return hash.digest("hex").slice(0, 32);
}

export const bytesOf = ({ files }: Pick<LocalFiles, "files">): number =>
  files.reduce((sum, { size }) => sum + size, 0);

function mannerOf(place: string): Manner {
  if (/\.jsonl$/i.test(place)) return "jsonl";
  if (/\.ya?ml$/i.test(place)) return "yaml";
  return /\.json$/i.test(place) ? "json" : "text";
}

/** A root may be written with either kind of slash. */
function pathBelow(root: string, place: string): string | undefined {
  const above = root.replace(/[\\/]+$/, "");
  if (!place.startsWith(above) || !/[\\/]/.test(place.charAt(above.length))) return undefined;
  const name = place.slice(above.length + 1);
  return root.includes("\\") && !root.includes("/") ? name.replaceAll("\\", "/") : name;
}
