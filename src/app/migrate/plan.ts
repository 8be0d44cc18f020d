/** What a migration will write: a folder with all that a home holds, or one archive of it. */
import { basename, dirname, join, resolve } from "node:path";
import { ignoreHolders } from "../../edit/apply/check.ts";
import type { BundledEntry, BundledFile, BundleManifest, BundlePart } from "../../model/bundle.ts";
import type { EditPlan, Entry, Planned, Step } from "../../model/plan.ts";
import { isAtOrBelow } from "../../model/values/paths.ts";
import { toFileMs } from "../../model/values/time.ts";
import { isHeldBy, realPathOf } from "../../platform/disk/identity.ts";
import { namesIn } from "../../platform/disk/own-files.ts";
import { lookAt } from "../../platform/disk/tree.ts";
import { hashOf } from "../../platform/fs/file-hash.ts";
import type { Progress } from "../../query/heads.ts";
import type { PlacedHome } from "../../sources/catalog.ts";
import { noProgramHere } from "../edit/refusals.ts";
import { bundleBytes, toManifest } from "../export/bundle.ts";
import { type Contents, type MigrationContext, readArchive, readFolder, type Target } from "./contents.ts";
import type { MigrateOf, Migration } from "./core.ts";
import * as refuse from "./refusals.ts";

const isArchive = (path: string): boolean => /\.(tar\.gz|tgz)$/i.test(path);

export async function planMigration(
  around: MigrationContext,
  { from, to, madeBy, ignoreLock = false }: MigrateOf,
  progress: Progress,
): Promise<Migration> {
  const { catalog, folder, guard, now } = around;
  const [home] = catalog.homes;
  if (!home) throw noProgramHere();
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

/** Paths of entries are relative to the target; that of a single file is empty. */
async function toSteps(
  target: string,
  entries: readonly Planned[],
  kind: "file" | "folder",
  /** What it is a copy of: a folder that has to be made gets the same owner. */
  original?: Pick<Planned, "uid" | "gid">,
): Promise<Pick<EditPlan, "steps" | "hideout">> {
  const { there, names } = lookInto(target);
  const placed = entries.map((entry) => ({
    ...entry,
    path: entry.path === "" ? target : join(target, entry.path),
  }));
  const beside = join(dirname(target), ".rethread");
  if (!there) {
    const { uid, gid } = original ?? {};
    const owner = uid === undefined || gid === undefined ? {} : { uid, gid };
    const root: Planned = { kind: "folder", path: target, mode: 0o700, mtimeMs: latest(entries), ...owner };
    const all = kind === "file" ? placed : [root, ...placed];
    return { steps: [{ does: "place", path: target, entries: all }], hideout: beside };
  }
  if (kind === "file" || there.kind !== "folder") throw refuse.isThere(target);
  if (names.length > 0) throw refuse.notEmpty(target, names);
  // The existing folder is kept; each entry is put into it separately.
  const steps = placed
    .filter(({ path }) => dirname(path) === target)
    .map(
      ({ path }): Step => ({
        does: "place",
        path,
        entries: placed.filter((each) => isAtOrBelow(each.path, path)),
      }),
    );
  return { steps, hideout: join(target, ".rethread") };
}

function lookInto(target: string): { there: Entry | undefined; names: readonly string[] } {
  try {
    const there = lookAt(target);
    return { there, names: there?.kind === "folder" ? namesIn(target) : [] };
  } catch (error) {
    throw error instanceof Error && "code" in error ? refuse.noPlace(target, error) : error;
  }
}

const latest = (entries: readonly Planned[]): number =>
  entries.reduce((last, entry) => Math.max(last, entry.kind === "link" ? 0 : Math.floor(entry.mtimeMs)), 0);
