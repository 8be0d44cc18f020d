/** Keeps the archive up to date with a scan: copies new and changed sessions, and marks those that are gone. */
import { AppError } from "../model/errors.ts";
import { type Artifact, isWhole, type SourceId } from "../model/session/session.ts";
import { formatKey } from "../model/values/id.ts";
import { isAtOrBelow } from "../model/values/paths.ts";
import type { Catalog } from "../sources/catalog.ts";
import { failedOn, toProblem } from "../sources/isolation.ts";
import { isStoreFault } from "../store/faults.ts";
import type { Archive, Copy } from "../store/state/archive.ts";
import { type KeptFile, keepFile } from "../store/vault/kept-file.ts";
import type { Pace } from "./refresh.ts";
import type { FateOf } from "./vanished.ts";

export interface ArchivePlan {
  /** To be copied, because they are new or not as they were. */
  readonly copy: readonly Artifact[];
  /** Their files are gone since the last time. */
  readonly vanished: readonly Artifact[];
  /** Their files are back as they were. */
  readonly returned: readonly Artifact[];
  /** Their copies are no longer wanted. */
  readonly forget: readonly Artifact[];
}

export interface Sight {
  /** What a scan found, copies of sessions that are gone included. */
  readonly artifacts: readonly Artifact[];
  readonly scanned: readonly SourceId[];
  readonly fateOf: FateOf;
}

export function planArchive(
  sight: Sight,
  archived: readonly Artifact[],
  isOn: boolean,
  /** Whether what was kept of one can still be read; to be asked where there is time for it. */
  isReadable: (artifact: Artifact) => boolean = () => true,
): ArchivePlan {
  const present = sight.artifacts.filter((artifact) => artifact.vanishedAt === undefined);
  const here = new Map(present.map((artifact) => [placeOf(artifact), artifact]));
  const before = new Map(archived.map((artifact) => [placeOf(artifact), artifact]));
  // What is left of a session in another file is no reason to give up the copy of all of it.
  const alive = new Set(present.filter(isWhole).map(formatKey));
  const copied = new Set(archived.filter(isWhole).map(formatKey));
  const absent = archived.filter(
    (artifact) => !here.has(placeOf(artifact)) && sight.scanned.includes(artifact.source),
  );
  // One that moved is copied from its new place.
  const isUnwanted = (artifact: Artifact): boolean =>
    alive.has(formatKey(artifact)) || sight.fateOf(artifact) === "remove";
  const isDue = (artifact: Artifact): boolean =>
    (isWhole(artifact) || !copied.has(formatKey(artifact))) &&
    !(isSame(artifact, before.get(placeOf(artifact))) && isReadable(artifact));
  return {
    copy: isOn ? present.filter(isDue) : [],
    vanished: absent.filter(
      (artifact) =>
        artifact.vanishedAt === undefined && !isUnwanted(artifact) && sight.fateOf(artifact) === "keep",
    ),
    returned: archived.filter((artifact) => artifact.vanishedAt !== undefined && here.has(placeOf(artifact))),
    forget: absent.filter(isUnwanted),
  };
}

const placeOf = ({ source, path }: Artifact): string => `${source}\0${path}`;

const isSame = (artifact: Artifact, before: Artifact | undefined): boolean =>
  before !== undefined &&
  JSON.stringify([artifact.fingerprint, artifact.listed]) ===
    JSON.stringify([before.fingerprint, before.listed]);

/** So many sessions share one transaction, as each waits for the disk. */
const BATCH = 64;

/** Gives back how many sessions were copied. */
export async function archiveSessions(
  catalog: Catalog,
  archive: Archive,
  plan: ArchivePlan,
  now: () => Date,
  { onProgress, isTimeUp, isThorough, problem }: Pace,
): Promise<number> {
  /** One session that cannot be copied keeps no other from it; the next refresh tries it again. */
  const copyOne = async (
    artifact: Artifact,
    before: readonly KeptFile[],
  ): Promise<KeptFile[] | undefined> => {
    try {
      return await copyFiles(catalog, archive, artifact, before);
    } catch (error) {
      if (isStoreFault(error)) throw error;
      problem?.(toProblem(error, failedOn(artifact)));
      return undefined;
    }
  };
  for (const artifact of plan.returned) archive.setVanished(artifact, undefined);
  for (const artifact of plan.vanished) archive.setVanished(artifact, now().toISOString());
  const totalBytes = plan.copy.reduce((sum, { fingerprint }) => sum + fingerprint.size, 0);
  let [copied, bytes] = [0, 0];
  for (let at = 0; at < plan.copy.length && !isTimeUp(); at += BATCH) {
    const copies: Copy[] = [];
    for (const artifact of plan.copy.slice(at, at + BATCH)) {
      const files = await copyOne(artifact, archive.filesOf(artifact));
      if (files) copies.push({ artifact, files });
      bytes += artifact.fingerprint.size;
      onProgress?.({ done: at + copies.length, total: plan.copy.length, bytes, totalBytes });
    }
    const torn = await archive.put(copies);
    for (const { artifact } of torn) {
      const files = await copyOne(artifact, []);
      if (files) await archive.put([{ artifact, files }]);
    }
    copied += copies.length;
  }
  for (const artifact of plan.forget) archive.forget(artifact);
  archive.sweep(isThorough ? "everywhere" : "released");
  return copied;
}

/** Nothing when its own file cannot be read now: then what was kept before stays, and the next refresh tries again. */
async function copyFiles(
  catalog: Catalog,
  archive: Archive,
  artifact: Artifact,
  before: readonly KeptFile[],
): Promise<KeptFile[] | undefined> {
  const files: KeptFile[] = [];
  const skipped: string[] = [];
  const paths = await catalog.files(artifact, (path) => void skipped.push(path));
  for (const path of paths) {
    const known = before.find((file) => file.path === path);
    try {
      files.push(await keepFile(archive.vault, catalog.fs, path, known));
    } catch (error) {
      // What fails on our side has a message for people. Else a file is gone or closed, which its reader reported.
      if (error instanceof AppError || !(error instanceof Error && "code" in error)) throw error;
      if (path === artifact.path) return undefined;
      if (known && error.code !== "ENOENT") files.push(known);
    }
  }
  // What is only out of reach now, behind a closed folder or a link to a disk that is not there, is not gone.
  const isOutOfReach = (path: string): boolean =>
    !paths.includes(path) && skipped.some((each) => isAtOrBelow(path, each));
  return [...files, ...before.filter(({ path }) => isOutOfReach(path))];
}
