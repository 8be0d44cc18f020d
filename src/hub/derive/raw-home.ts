/** The raw files of a session as a home in memory, so that the sources read them as they read a disk. */
import { createHash } from "node:crypto";
import { posix } from "node:path";
import { AppError } from "../../model/errors.ts";
import { createMemoryFs } from "../../platform/fs/memory.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { type PlacedSources, placeSources } from "../../sources/machine/placed-sources.ts";
import { SOURCES } from "../../sources/registry.ts";
import type { Environment } from "../../sources/source.ts";
import type { Rows, Transaction } from "../database/connect.ts";
import { prepared } from "../database/prepared.ts";
import { plainBytes } from "../ingest/bodies.ts";

export interface RawFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly mode: number;
  readonly mtimeMs: number;
  readonly pieces: readonly { readonly start: number; readonly bytes: number; readonly body: Uint8Array }[];
}

/** The machine that the sources see. */
export const HUB_ENVIRONMENT: Environment = { platform: "linux", homeDir: "/hub", vars: {} };
export const HUB_SOURCES: PlacedSources = placeSources(SOURCES, HUB_ENVIRONMENT);

/** The folder that the paths of a source's files are relative to. */
export function rootFor(source: string): string {
  const root = HUB_SOURCES.sources.find((each) => each.source === source)?.roots[0];
  if (root !== undefined) return root;
  throw new AppError(
    "not-supported",
    `This hub does not know the source ${source}`,
    "Update the hub to the version of the machine that pushed it",
  );
}

const RAW = prepared(
  `SELECT f.path, f.size, encode(f.sha256, 'hex') AS sha256, f.mode, f.mtime_ms, r.start, r.bytes, r.body
     FROM hub.raw_files f
     LEFT JOIN hub.raw_events r ON r.account_id = $1 AND r.session_id = $2 AND r.path = f.path
      AND r.generation = f.generation AND r.start < f.size
    WHERE f.account_id = $1 AND f.session_id = $2 AND f.removed_at IS NULL AND f.generation >= 0
    ORDER BY f.path, r.start`,
);

/** Complete files that were not removed, in one statement: of one moment. */
export async function readRaw(tx: Transaction, account: string, session: string): Promise<RawFile[]> {
  return toRawFiles(await tx.query(RAW, [account, session]));
}

function toRawFiles(rows: Rows): RawFile[] {
  const files = new Map<string, RawFile & { pieces: RawFile["pieces"][number][] }>();
  for (const row of rows) {
    const path = String(row.path);
    let file = files.get(path);
    if (!file) {
      const { mode, mtime_ms, size, sha256 } = row;
      file = {
        ...{ path, size: Number(size), sha256: String(sha256), mode: Number(mode) },
        ...{ mtimeMs: Number(mtime_ms), pieces: [] },
      };
      files.set(path, file);
    }
    if (row.start !== null)
      file.pieces.push({
        ...{ start: Number(row.start), bytes: Number(row.bytes), body: row.body as Uint8Array },
      });
  }
  return [...files.values()];
}

/** Every byte is compared with the hash that the machine gave for the whole file. */
export async function openRawHome(source: string, files: readonly RawFile[]): Promise<SessionFs> {
  const root = rootFor(source);
  const fs = createMemoryFs();
  for (const file of files) {
    const path = posix.join(root, file.path);
    await fs.mkdir(posix.dirname(path));
    await fs.write(path, await wholeFile(file), file.mode);
    await fs.touch?.(path, file.mtimeMs);
  }
  await fs.mkdir(root);
  // The databases that programs keep beside their sessions are not sent.
  return { ...fs, hasDatabases: false };
}

async function wholeFile({ path, size, sha256, pieces }: RawFile): Promise<Buffer> {
  const bytes = Buffer.concat(await Promise.all(pieces.map((piece) => plainBytes(path, piece, piece.body))));
  if (bytes.length === size && createHash("sha256").update(bytes).digest("hex") === sha256) return bytes;
  throw new AppError(
    "unreadable",
    `What the hub has of ${path} is not the file whose hash was sent`,
    "On its machine: `rethread sync --delete <session>`, `rethread sync forget --session <session>`, then `rethread sync`",
  );
}
