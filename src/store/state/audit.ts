/** Checks the vault and state.db: every block that a backup or an archived copy needs must exist and be intact. */
import { AppError } from "../../model/errors.ts";
import { isThere, readIfThere, sizeIfThere } from "../../platform/disk/own-files.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { nameOf, STORED_SIZE, unpackAny } from "../vault/block.ts";
import { openVault, type Vault } from "../vault/vault.ts";
import { type Need, namedBlocks, needsOf } from "./block-needs.ts";
import { unpackRows } from "./followups.ts";
import { removeUnnamed } from "./garbage.ts";
import { guarded, openStateIfThere } from "./open.ts";

export type { Need } from "./block-needs.ts";

export interface BadBlock {
  readonly hash: string;
  readonly path: string;
  /** One sentence. */
  readonly why: string;
  /** Nothing needs it when this is empty. */
  readonly needs: readonly Need[];
  /** A file that still has the same bytes, so that the block can be written again. */
  readonly copy?: string;
  readonly isRepaired: boolean;
}

export interface Audit {
  /** How many blocks there are or should be, and what those take that are whole. */
  readonly blocks: number;
  readonly bytes: number;
  readonly bad: readonly BadBlock[];
  /** What lies in the vault and is no block; nothing is done about it. */
  readonly strays: readonly string[];
  /** What is wrong with state.db. */
  readonly state: readonly string[];
}

export interface AuditOptions {
  /** Where files are looked for that still have the bytes of a bad block. */
  readonly fs: Pick<SessionFs, "read">;
  /** Writes bad blocks again where that is possible, and removes those that nothing needs. */
  readonly repair: boolean;
  readonly progress?: (done: number, total: number) => void;
}

const BREATH_MS = 25;

/** Reads every byte of the vault. The caller has the write lock if it repairs. */
export async function audit(folder: string, now: () => Date, options: AuditOptions): Promise<Audit> {
  const db = openStateIfThere(folder, now);
  const vault = openVault(folder);
  try {
    const hashes = [...new Set([...(db ? namedBlocks(db, folder) : []), ...vault.hashes()])].sort();
    const strays = vault.strays();
    const around: Surroundings = { db, folder, vault, options, strayBlocks: createStrayBlocks(strays) };
    const bad: BadBlock[] = [];
    let [bytes, paused] = [0, performance.now()];
    for (const [done, hash] of hashes.entries()) {
      const why = whyBad(vault, hash);
      if (why === undefined) bytes += vault.sizeOf(hash);
      else bad.push(...(await treat(hash, why, around)));
      options.progress?.(done + 1, hashes.length);
      // Reading never waits, so without a pause no signal would be heard.
      if (performance.now() - paused > BREATH_MS) {
        await new Promise((resolve) => setImmediate(resolve));
        paused = performance.now();
      }
    }
    return { blocks: hashes.length, bytes, bad, strays, state: db ? checkState(db, folder) : [] };
  } finally {
    vault.abandon();
    db?.close();
  }
}

/** Only looks whether each block that something needs is there with a size that a block can have; reads none. */
export function glance(folder: string, now: () => Date): Omit<BadBlock, "copy" | "isRepaired">[] {
  const db = openStateIfThere(folder, now);
  if (!db) return [];
  const vault = openVault(folder);
  try {
    return namedBlocks(db, folder).flatMap((hash) => {
      const size = vault.sizeOf(hash);
      if (size >= STORED_SIZE.least && size <= STORED_SIZE.most) return [];
      const why = isThere(vault.pathOf(hash)) ? `has ${size} bytes, which no block can have` : "is not there";
      return { hash, path: vault.pathOf(hash), why, needs: needsOf(db, folder, hash) };
    });
  } finally {
    db.close();
  }
}

function whyBad(vault: Vault, hash: string): string | undefined {
  try {
    vault.get(hash);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.message;
  }
}

interface Surroundings {
  readonly db: Database | undefined;
  readonly folder: string;
  readonly vault: Vault;
  readonly options: AuditOptions;
  readonly strayBlocks: StrayBlocks;
}

async function treat(
  hash: string,
  why: string,
  { db, folder, vault, options, strayBlocks }: Surroundings,
): Promise<BadBlock[]> {
  const needs = db ? needsOf(db, folder, hash) : [];
  const block = { hash, path: vault.pathOf(hash), why, needs };
  if (needs.length === 0) {
    // Another process let it go since it was listed.
    if (!vault.has(hash)) return [];
    if (db && options.repair) guarded(folder, () => removeUnnamed(db, vault, [hash]));
    return [{ ...block, isRepaired: !vault.has(hash) }];
  }
  const copy = (await findCopy(options.fs, hash, needs)) ?? strayBlocks.find(hash);
  if (!copy) return [{ ...block, isRepaired: false }];
  if (options.repair) {
    await vault.put(copy.bytes);
    await vault.flush();
  }
  return [{ ...block, copy: copy.path, isRepaired: options.repair }];
}

/** The files that were kept may still be there, unchanged as far as this block goes. */
async function findCopy(
  fs: Pick<SessionFs, "read">,
  hash: string,
  needs: readonly Need[],
): Promise<{ path: string; bytes: Uint8Array } | undefined> {
  for (const { path, start, end } of needs) {
    try {
      const bytes = await fs.read(path, { start, end });
      if (nameOf(bytes) === hash) return { path, bytes };
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error; // it is gone, or cannot be read
    }
  }
  return undefined;
}

/** SQLite's own check, and whether what it holds in forms of ours can still be read. */
function checkState(db: Database, folder: string): string[] {
  return guarded(folder, () => {
    const verdicts = db
      .prepare("PRAGMA integrity_check(20)")
      .all()
      .map(({ integrity_check: verdict }) => String(verdict));
    const plans = db.prepare("SELECT operation FROM journal WHERE NOT json_valid(plan)").all();
    const kept = db.prepare("SELECT operation, rows FROM errands WHERE rows IS NOT NULL").all();
    return [
      ...verdicts.filter((verdict) => verdict !== "ok"),
      ...plans.map(({ operation }) => `the plan of operation ${operation} cannot be read`),
      ...kept.flatMap(({ operation, rows }) =>
        unpackRows(rows) ? [] : [`the database rows kept by operation ${operation} cannot be read`],
      ),
    ];
  });
}

interface StrayBlocks {
  find(hash: string): { readonly path: string; readonly bytes: Buffer } | undefined;
}

/** Nothing is read before the first question. */
function createStrayBlocks(paths: readonly string[]): StrayBlocks {
  let pathOf: Map<string, string> | undefined;
  return {
    find(hash) {
      pathOf ??= new Map(
        paths.flatMap((path) => {
          const bytes = open(path);
          return bytes ? [[nameOf(bytes), path] as const] : [];
        }),
      );
      const path = pathOf.get(hash);
      const bytes = path === undefined ? undefined : open(path);
      return path !== undefined && bytes && nameOf(bytes) === hash ? { path, bytes } : undefined;
    },
  };
}

function open(path: string): Buffer | undefined {
  try {
    if ((sizeIfThere(path) ?? 0) > STORED_SIZE.most) return undefined;
    const stored = readIfThere(path);
    return stored && unpackAny(stored);
  } catch {
    return undefined; // a folder, or a file that cannot be read
  }
}
