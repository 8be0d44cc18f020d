/** Writes sessions into one bundle, with all that belongs to them. */
import { resolve } from "node:path";
import { gzip } from "../../bundle/gzip.ts";
import { pack } from "../../bundle/pack.ts";
import { isPortable } from "../../bundle/portable-name.ts";
import {
  BUNDLE_FORMAT,
  BUNDLE_VERSION,
  type BundledEntry,
  type BundledFile,
  type BundleManifest,
  type BundlePart,
  filesOf,
  nameInBundle,
} from "../../model/bundle.ts";
import { AppError } from "../../model/errors.ts";
import { toFileMs } from "../../model/values/time.ts";
import { createCountingFs } from "../../platform/fs/counting.ts";
import { hashOf } from "../../platform/fs/file-hash.ts";
import { reasonOf, type SessionFs } from "../../platform/fs/session-fs.ts";
import type { Progress, SessionEntry } from "../../query/heads.ts";
import type { Catalog } from "../../sources/catalog.ts";
import { writeNewFile } from "./file.ts";
import type { OutputGuard } from "./output-guard.ts";

export interface BundleRequest {
  readonly out: string;
  /** Where relative paths start. */
  readonly folder: string;
  readonly force: boolean;
  readonly guard: OutputGuard;
  readonly now: Date;
  /** This program and its version. */
  readonly madeBy: string;
  readonly progress?: Progress;
}

export interface BundleReport {
  readonly path: string;
  readonly manifest: BundleManifest;
  /** What is not included, in words. */
  readonly losses: readonly string[];
}

/** A part, and what its files are read through. */
export interface Packed {
  readonly part: BundlePart;
  readonly fs: SessionFs;
  /** Where a file of the part is. */
  readonly placeOf: (file: BundledFile) => string;
}

export async function exportBundle(
  catalog: Catalog,
  heads: readonly SessionEntry[],
  request: BundleRequest,
): Promise<BundleReport> {
  const losses: string[] = [];
  const packed: Packed[] = [];
  const count = counter(heads, request.progress);
  for (const head of heads) packed.push(await packSession(catalog, head, losses, count));
  const manifest: BundleManifest = {
    ...toManifest("sessions", request),
    parts: packed.map(({ part }) => part),
  };
  const path = resolve(request.folder, request.out);
  // Readable only by its owner, because nothing in it is redacted.
  const { guard, force: replace } = request;
  await writeNewFile(path, { guard, replace, mode: 0o600 }, async (write) => {
    for await (const chunk of bundleBytes(manifest, packed)) write(chunk);
  });
  return { path, manifest, losses };
}

export const toManifest = (
  kind: BundleManifest["kind"],
  { now, madeBy }: Pick<BundleRequest, "now" | "madeBy">,
): Omit<BundleManifest, "parts"> => ({
  format: BUNDLE_FORMAT,
  version: BUNDLE_VERSION,
  kind,
  madeAt: now.toISOString(),
  madeBy,
});

/** The bytes of the file. */
export function bundleBytes(manifest: BundleManifest, packed: readonly Packed[]): AsyncIterable<Uint8Array> {
  const byPart = new Map(packed.map((each) => [each.part, each]));
  const tar = pack(manifest, (part, file) => {
    const { fs, placeOf } = byPart.get(part) ?? fail(nameInBundle(part, file));
    return fs.chunks(placeOf(file), { start: 0, end: file.size });
  });
  return gzip(tar);
}

const fail = (name: string): never => {
  throw new Error(`${name} is in no part`);
};

/** What is being written while its program runs cannot be copied as a file. */
const DATABASE = /\.(db|sqlite|vscdb)(-wal|-journal)?$/;

async function packSession(
  catalog: Catalog,
  { artifact, session }: SessionEntry,
  losses: string[],
  count: (fs: SessionFs) => SessionFs,
): Promise<Packed> {
  const packing = await catalog.packing(artifact);
  const fs = count(packing.fs);
  const isOpen = (await catalog.owners([session])).has(session.path);
  const { folder } = packing;
  const isForeign = folder.includes("\\") && !folder.includes("/");
  const nameOf = (path: string): string => {
    const name = path.slice(folder.length + 1);
    return isForeign ? name.replaceAll("\\", "/") : name;
  };
  const paths = packing.files.filter((path) => {
    const isTorn = isOpen && DATABASE.test(path);
    if (isTorn) losses.push(`${path}, because the session is open in its program`);
    const isCarried = isPortable(nameOf(path));
    if (!isCarried) losses.push(`${path}, because its name is not valid on other systems`);
    return !isTorn && isCarried;
  });
  const { source, id } = artifact;
  const files: BundledFile[] = [];
  for (const path of paths) {
    const file = await describe(fs, path, nameOf(path)).catch((error: unknown) => {
      if (!(error instanceof Error && "code" in error) || path === artifact.path)
        throw unreadable(path, error);
      losses.push(`${path}, because it cannot be read: ${reasonOf(error)}`);
    });
    if (file) files.push(file);
  }
  for (const { path, why } of packing.skipped) losses.push(`${path}, because ${why}`);
  const part = {
    source,
    id,
    title: session.title,
    folder: `${source}/${id}`,
    entries: withFolders(files.sort((a, b) => (a.path < b.path ? -1 : 1))),
  };
  const places = new Map(paths.map((path) => [nameOf(path), path]));
  return { part, fs, placeOf: ({ path }) => places.get(path) ?? path };
}

/** A defect of ours stays one. */
const unreadable = (path: string, error: unknown): unknown =>
  error instanceof Error && "code" in error && !(error instanceof AppError)
    ? new AppError(
        "unreadable",
        `${path} cannot be read: ${reasonOf(error)}`,
        "Make it readable, then run the command again",
        error,
      )
    : error;

/** As it is now: what is appended to it later is not meant. */
export async function describe(fs: SessionFs, place: string, path: string): Promise<BundledFile> {
  const { size, mode, mtimeMs } = await fs.stat(place);
  const look = { mode: mode & 0o777, mtimeMs: toFileMs(mtimeMs) };
  return { kind: "file", path, ...look, size, sha256: await hashOf(fs, place, size) };
}

/** Each folder before what lies in it. */
function withFolders(files: readonly BundledFile[]): BundledEntry[] {
  const made = new Set<string>();
  return files.flatMap((file): BundledEntry[] => {
    const folders: BundledEntry[] = [];
    for (let cut = file.path.indexOf("/"); cut > 0; cut = file.path.indexOf("/", cut + 1)) {
      const path = file.path.slice(0, cut);
      if (made.has(path)) continue;
      made.add(path);
      folders.push({ kind: "folder", path, mode: 0o700, mtimeMs: file.mtimeMs });
    }
    return [...folders, file];
  });
}

/** Every byte is read twice: for its hash, and to be packed. Sidecars are not in the total, so it is a guess. */
function counter(
  heads: readonly SessionEntry[],
  progress: Progress | undefined,
): (fs: SessionFs) => SessionFs {
  if (!progress) return (fs) => fs;
  const total = 2 * heads.reduce((sum, { artifact }) => sum + artifact.fingerprint.size, 0);
  let before = 0;
  return (fs) => {
    let own = 0;
    return createCountingFs(fs, (bytes) => {
      before += bytes - own;
      own = bytes;
      progress(Math.min(before, total), total);
    });
  };
}

export const bytesIn = ({ parts }: BundleManifest): number =>
  parts.reduce((sum, part) => sum + filesOf(part).reduce((all, { size }) => all + size, 0), 0);
