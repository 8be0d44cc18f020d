/** What a migration will write: a folder with all that a home holds, or one archive of it. */
import { basename, join, resolve } from "node:path";
import { ignoreHolders } from "../../edit/apply/check.ts";
import type { BundledEntry, BundledFile, BundleManifest, BundlePart } from "../../model/bundle.ts";
import type { EditPlan, Planned } from "../../model/plan.ts";
import { toFileMs } from "../../model/values/time.ts";
import { isHeldBy, realPathOf } from "../../platform/disk/identity.ts";
import { lookAt } from "../../platform/disk/tree.ts";
import { hashOf } from "../../platform/fs/file-hash.ts";
import type { Progress } from "../../query/heads.ts";
import type { PlacedHome } from "../../sources/catalog.ts";
import { bundleBytes, toManifest } from "../export/bundle.ts";
import { type Contents, type MigrationContext, readArchive, readFolder, type Target } from "./contents.ts";
import type { MigrateOf, Migration } from "./core.ts";
import * as refuse from "./refusals.ts";
import { toSteps } from "./target.ts";

const isArchive = (path: string): boolean => /\.(tar\.gz|tgz)$/i.test(path);

export async function planMigration(
  around: MigrationContext,
  { from, to, madeBy, ignoreLock = false }: MigrateOf,
  progress: Progress,
): Promise<Migration> {
  const { catalog, folder, guard, now } = around;
  const [home] = catalog.homes;
  if (!home) throw new Error("no source has a home");
  const source = resolve(folder, from ?? home.root);
  const target = resolve(folder, to);
  if (isArchive(source) && isArchive(target)) throw refuse.bothArchives();
  const isBack = isArchive(source);
  const place: Target = { path: target, isArchive: isArchive(target), ignoreLock };
  if (!isBack && (isHeldBy(target, source) || isHeldBy(source, target)))
    throw refuse.overlapping(source, target);
  guard.check(target, place.isArchive ? undefined : home.source);
  const contents = isBack
    ? await readArchive(around, home, source)
    : await readFolder(around, home, source, place, progress);
  const files = contents.entries.flatMap((entry) => (entry.kind === "file" ? [entry] : []));
  const { steps, hideout } = place.isArchive
    ? await toSteps(target, [await packed(around, home, source, contents, { now, madeBy })], "file")
    : await toSteps(
        target,
        contents.entries,
        "folder",
        isBack ? undefined : lookAt(realPathOf(source) ?? source),
      );
  const session = { source: home.source, id: "home", path: target };
  const plan: EditPlan = {
    kind: "migrate",
    title: source,
    from: { source: home.source, id: "home" },
    session,
    closed: contents.closed,
    basis: contents.basis,
    hideout,
    steps,
    losses: [],
    ...(contents.user !== undefined && { ignoring: [{ pid: contents.user }] }),
  };
  return {
    plan: ignoreLock && !isBack ? await ignoreHolders(catalog.at(home.source, source), plan) : plan,
    sessions: contents.sessions,
    facts: {
      ...contents.facts,
      from: source,
      to: target,
      isArchive: place.isArchive,
      sessions: contents.sessions.length,
      files: files.length,
      bytes: files.reduce((sum, { size }) => sum + size, 0),
      ...(!place.isArchive && { use: home.layout.useWith(target) }),
    },
  };
}

/** The archive itself, made in our own folder and put in its place as any other file. */
async function packed(
  { catalog, newScratch }: MigrationContext,
  { source }: PlacedHome,
  root: string,
  { entries, sessions, facts }: Contents,
  about: { now: Date; madeBy: string },
): Promise<Planned> {
  const part: BundlePart = {
    source,
    folder: "home",
    title: basename(root),
    sessions: sessions.length,
    rows: facts.databases,
    entries: entries.map(toBundled),
  };
  const manifest: BundleManifest = { ...toManifest("home", about), parts: [part] };
  const places = new Map(
    entries.flatMap(({ path, pieces = [] }) => {
      const [piece] = pieces;
      return piece && "file" in piece ? [[path, piece.file] as const] : [];
    }),
  );
  const scratch = newScratch();
  const packed = [
    { part, fs: catalog.fs, placeOf: ({ path }: BundledFile) => places.get(path) ?? join(root, path) },
  ];
  for await (const chunk of bundleBytes(manifest, packed)) scratch.write(chunk);
  const size = scratch.size();
  return {
    kind: "file",
    path: "",
    mode: 0o600,
    mtimeMs: about.now.getTime(),
    size,
    pieces: [{ file: scratch.path, start: 0, end: size }],
    sha256: await hashOf(catalog.fs, scratch.path),
  };
}

function toBundled(entry: Planned): BundledEntry {
  // Our tars have no links, because their targets could not be trusted when unpacking.
  if (entry.kind === "link") throw new Error(`${entry.path} is a link`);
  const { path, mode } = entry;
  const mtimeMs = toFileMs(entry.mtimeMs);
  if (entry.kind === "folder") return { kind: "folder", path, mode: mode & 0o777, mtimeMs };
  return { kind: "file", path, mode: mode & 0o777, mtimeMs, size: entry.size, sha256: entry.sha256 ?? "" };
}
