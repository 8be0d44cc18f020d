/** What a home holds, read from its folder or from an archive: every file with its hash, as pieces of what is there now. */
import { relative } from "node:path";
import { openBundle } from "../bundle/open.ts";
import { setMember } from "../model/member.ts";
import type { Basis, EditPlan, Planned } from "../model/plan.ts";
import { createCountingFs } from "../platform/counting-fs.ts";
import { copyDatabase, type RowCounts } from "../platform/database-copy.ts";
import { hashOf } from "../platform/file-hash.ts";
import { localFs } from "../platform/local-fs.ts";
import { spareMemory } from "../platform/memory.ts";
import type { ScratchFile } from "../platform/scratch-file.ts";
import { lookAt } from "../platform/tree.ts";
import type { Progress } from "../query/heads.ts";
import type { Catalog, PlacedHome } from "../sources/catalog.ts";
import { readHome } from "./home-tree.ts";
import type { MigrationFacts } from "./migrate-app.ts";
import * as refuse from "./migrate-refusals.ts";
import type { OutputGuard } from "./output-guard.ts";

export interface Surroundings {
  readonly catalog: Catalog;
  readonly now: Date;
  readonly folder: string;
  readonly guard: OutputGuard;
  readonly newScratch: () => ScratchFile;
}

/** A home as it will be written: paths are relative to it, and files are made of pieces. */
export interface Contents {
  readonly entries: readonly Planned[];
  readonly basis: readonly Basis[];
  readonly closed: EditPlan["closed"];
  readonly facts: Pick<MigrationFacts, "sessions" | "databases" | "leftOut">;
  /** A process that seems to have a session open, where that was to be ignored. */
  readonly user?: number;
}

/** Fewer entries fit whatever the engine does. */
const MANY = 10_000;

export async function readFolder(
  { catalog, newScratch }: Surroundings,
  { source, label, layout }: PlacedHome,
  root: string,
  { ignoreLock }: { readonly ignoreLock: boolean },
  progress: Progress,
): Promise<Contents> {
  const names = (await localFs.exists(root)) ? (await localFs.readdir(root)).map(({ name }) => name) : [];
  if (!layout.isHome(names)) throw refuse.noHome(label, root);
  const at = catalog.at(source, root);
  let user: number | undefined;
  for (const { store, root: place } of at.ownStores) {
    user ??= await store.findUser(localFs, place);
    if (user !== undefined && !ignoreLock) throw refuse.running(label, user);
  }
  const { entries, leftOut } = readHome(root, layout);
  if (entries.length > MANY) spareMemory();
  const { artifacts } = await at.scan();
  const databases: Record<string, RowCounts> = {};
  const total = entries.reduce((sum, entry) => sum + (entry.kind === "file" ? entry.size : 0), 0);
  const fs = createCountingFs(localFs, (bytes) => progress(Math.min(bytes, total), total));
  const planned: Planned[] = [];
  const basis: Basis[] = [];
  for (const entry of entries) {
    const path = relative(root, entry.path).replaceAll("\\", "/");
    if (entry.kind !== "file") {
      planned.push({ ...entry, path });
      continue;
    }
    basis.push({ entry });
    const { ino: _, ...look } = entry;
    let [file, size] = [entry.path, entry.size];
    if (layout.databases.includes(path)) {
      const copy = newScratch();
      setMember(databases, path, await copyWhole(entry.path, copy.path));
      [file, size] = [copy.path, (await localFs.stat(copy.path)).size];
    }
    const sha256 = await hashOf(fs, file, size);
    const pieces = size === 0 ? [] : [{ file, start: 0, end: size }];
    planned.push({ ...look, path, size, pieces, sha256 });
  }
  return {
    ...(user !== undefined && { user }),
    entries: planned,
    basis,
    closed: artifacts.map(({ id, path }) => ({ source, id, path })),
    facts: { sessions: artifacts.length, databases, leftOut: Object.fromEntries(leftOut) },
  };
}

async function copyWhole(from: string, to: string): Promise<RowCounts> {
  try {
    return await copyDatabase(from, to);
  } catch (error) {
    throw refuse.badDatabase(from, error);
  }
}

export async function readArchive(
  { newScratch }: Surroundings,
  home: PlacedHome,
  path: string,
): Promise<Contents> {
  if (!(await localFs.exists(path))) throw refuse.noHome(home.label, path);
  const bundle = await openBundle(localFs, path, newScratch());
  const { kind, parts } = bundle.manifest;
  const [part] = parts;
  if (kind !== "home" || !part || part.source !== home.source) throw refuse.noHomeInside(path);
  const origin = lookAt(path);
  return {
    entries: part.entries.map((entry): Planned => {
      if (entry.kind === "folder") return entry;
      return { ...entry, pieces: entry.size === 0 ? [] : [bundle.pieceOf(part, entry)] };
    }),
    basis: origin ? [{ entry: origin }] : [],
    closed: [],
    facts: { sessions: part.sessions ?? 0, databases: part.rows ?? {}, leftOut: {} },
  };
}
