/** What a home holds, read from its folder or from an archive: every file with its hash, as pieces of what is there now. */
import { join, posix } from "node:path";
import { isPortable } from "../../bundle/portable-name.ts";
import type { Basis, EditPlan, Planned } from "../../model/plan.ts";
import { setMember } from "../../model/values/member.ts";
import { isAtOrBelow } from "../../model/values/paths.ts";
import { isHeldBy } from "../../platform/disk/identity.ts";
import { isThere } from "../../platform/disk/own-files.ts";
import type { ScratchFile } from "../../platform/disk/scratch-file.ts";
import { lookAt } from "../../platform/disk/tree.ts";
import { createCountingFs } from "../../platform/fs/counting.ts";
import { hashOf } from "../../platform/fs/file-hash.ts";
import { isErrno } from "../../platform/fs/session-fs.ts";
import { spareMemory } from "../../platform/memory.ts";
import { copyDatabase, inspectDatabase, type RowCounts } from "../../platform/sqlite/copy.ts";
import type { Progress } from "../../query/heads.ts";
import type { Catalog, PlacedHome } from "../../sources/catalog.ts";
import type { OutputGuard } from "../export/output-guard.ts";
import { type HomeArchive, openHomeArchive } from "./archive.ts";
import type { MigrationFacts } from "./core.ts";
import { type HomeTree, readHome } from "./home-tree.ts";
import * as refuse from "./refusals.ts";
import { digestSessions, type SessionDigest } from "./sessions.ts";

export interface MigrationContext {
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
  readonly sessions: readonly SessionDigest[];
  readonly facts: Pick<MigrationFacts, "databases" | "leftOut" | "links">;
  /** A process that seems to have a session open, where that was to be ignored. */
  readonly user?: number;
}

/** Where it goes, and what may be. */
export interface Target {
  readonly path: string;
  readonly isArchive: boolean;
  readonly ignoreLock: boolean;
}

/** Fewer entries fit whatever the engine does. */
const MANY = 10_000;

export async function readFolder(
  { catalog, newScratch }: MigrationContext,
  home: PlacedHome,
  root: string,
  target: Target,
  progress: Progress,
): Promise<Contents> {
  const { source, label, layout } = home;
  const names = (await catalog.fs.exists(root))
    ? (await catalog.fs.readdir(root)).map(({ name }) => name)
    : [];
  if (!layout.isHome(names)) throw refuse.noHome(label, root);
  const at = catalog.at(source, root);
  let user: number | undefined;
  for (const { store, root: place } of at.vendorStores) {
    user ??= await store.findUser(catalog.fs, place);
    if (user !== undefined && !target.ignoreLock) throw refuse.running(label, user);
  }
  const tree = readHome(root, layout, !target.isArchive);
  refuseWhatCannotBe(tree, home, root, target);
  const { entries, links, leftOut } = tree;
  if (entries.length > MANY) spareMemory();
  const databases: Record<string, RowCounts> = {};
  const total = entries.reduce((sum, { entry }) => sum + (entry.kind === "file" ? entry.size : 0), 0);
  const fs = createCountingFs(catalog.fs, (bytes) => progress(Math.min(bytes, total), total));
  const planned = new Map<string, Planned>();
  const basis: Basis[] = links.map(({ entry }) => ({ entry }));
  for (const { path, entry } of entries) {
    if (entry.kind !== "file") {
      planned.set(path, { ...entry, path });
      continue;
    }
    basis.push({ entry });
    const { ino: _, ...look } = entry;
    let [file, size] = [entry.path, entry.size];
    if (layout.databases.includes(path)) {
      const copy = newScratch();
      setMember(databases, path, await copyWhole(entry.path, copy.path));
      [file, size] = [copy.path, (await catalog.fs.stat(copy.path)).size];
    }
    const sha256 = await hashOf(fs, file, size).catch((error: unknown) => {
      throw isErrno(error, "EACCES", "EPERM", "ENOENT") ? refuse.unreadable(entry.path, error) : error;
    });
    const pieces = size === 0 ? [] : [{ file, start: 0, end: size }];
    planned.set(path, { ...look, path, size, pieces, sha256 });
  }
  const { artifacts } = await at.scan();
  return {
    ...(user !== undefined && { user }),
    entries: [...planned.values()],
    basis,
    closed: artifacts.map(({ id, path }) => ({ source, id, path })),
    sessions: await digestSessions(at, root, (path, file) => {
      // Found by the source itself, so that nothing which it reads can be missing from what was walked through.
      const { sha256 } = planned.get(follow(planned, path)) ?? {};
      if (sha256 === undefined) throw refuse.changing(file);
      return sha256;
    }),
    facts: {
      databases,
      leftOut: Object.fromEntries(leftOut),
      links: links.map(({ path, target: to, becomes }) => ({ path, target: to, becomes })),
    },
  };
}

function refuseWhatCannotBe(
  { entries, links, folders }: HomeTree,
  { newSessionFolders }: PlacedHome,
  root: string,
  { path: target, isArchive }: Target,
): void {
  // Without the folder of all sessions, the copy would silently have none.
  for (const { path, target: to } of links) {
    const place = join(root, path);
    const holdsSessions = newSessionFolders(root).some((folder) => isAtOrBelow(folder, place));
    if (holdsSessions && !isThere(place)) throw refuse.deadEnd(place, to);
  }
  const holder = folders.find((folder) => isHeldBy(target, folder) || isHeldBy(folder, target));
  if (holder !== undefined) throw refuse.overlapping(holder, target);
  const odd = isArchive ? entries.find(({ path }) => !isPortable(path)) : undefined;
  if (odd) throw refuse.unportable(odd.path);
}

/** As many links as a system follows. */
const MOST_LINKS = 40;

/** Where a path leads in the copy, whose links all lead to something in it. */
function follow(planned: ReadonlyMap<string, Planned>, path: string): string {
  let at = path;
  for (let links = 0; links < MOST_LINKS; links++) {
    const parts = at.split("/");
    const cut = parts.findIndex((_, i) => planned.get(parts.slice(0, i + 1).join("/"))?.kind === "link");
    const link = cut < 0 ? undefined : planned.get(parts.slice(0, cut + 1).join("/"));
    if (link?.kind !== "link") return at;
    at = posix.join(posix.dirname(link.path), link.target, ...parts.slice(cut + 1));
  }
  return at;
}

async function copyWhole(from: string, to: string): Promise<RowCounts> {
  try {
    return await copyDatabase(from, to);
  } catch (error) {
    throw refuse.badDatabase(from, error);
  }
}

export async function readArchive(
  { catalog, newScratch }: MigrationContext,
  home: PlacedHome,
  path: string,
): Promise<Contents> {
  if (!(await catalog.fs.exists(path))) throw refuse.noHome(home.label, path);
  const archive = await openHomeArchive(catalog, home, path, newScratch());
  const { part, root } = archive;
  const kept = archive.entries.filter((entry) => home.layout.whyLeftOut(entry.path) === undefined);
  const hashes = new Map(kept.map((entry) => [entry.path, entry.sha256]));
  const sessions = await digestSessions(archive.catalog, root, (name) => hashes.get(name));
  const origin = lookAt(path);
  const claimed = part.sessions ?? 0;
  return {
    entries: kept,
    basis: origin ? [{ entry: origin }] : [],
    closed: [],
    sessions,
    facts: {
      databases: await databasesIn(archive, newScratch),
      links: [],
      leftOut: {
        ...Object.groupBy(
          archive.entries.flatMap(({ path: name }) => (hashes.has(name) ? [] : [name])),
          (name) => home.layout.whyLeftOut(name) ?? "",
        ),
        ...(claimed > sessions.length && {
          [`${claimed - sessions.length} of ${claimed} sessions, which the archive lists but does not contain`]:
            [],
        }),
      } as MigrationFacts["leftOut"],
    },
  };
}

/** Looked at before they are written anywhere. */
async function databasesIn(
  { part, entries, catalog }: HomeArchive,
  newScratch: () => ScratchFile,
): Promise<Record<string, RowCounts>> {
  const databases: Record<string, RowCounts> = {};
  for (const [name, rows] of Object.entries(part.rows ?? {})) {
    const [piece] = entries.find(({ path }) => path === name)?.pieces ?? [];
    const copy = newScratch();
    if (piece && "file" in piece)
      for await (const chunk of catalog.fs.chunks(piece.file, piece)) copy.write(chunk);
    try {
      const found = inspectDatabase(copy.path);
      if (JSON.stringify(found) !== JSON.stringify(rows))
        throw new Error("its rows are not the expected ones");
      setMember(databases, name, found);
    } catch (error) {
      throw refuse.badDatabaseInside(name, error);
    }
  }
  return databases;
}
