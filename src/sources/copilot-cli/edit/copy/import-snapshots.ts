/**
 * Filters the recorded file states of an imported session. A rewind writes to the paths that they name, and the real
 * program to the recorded targets of links. So only states that the program itself would have recorded are included:
 * absolute paths in the session's folder, with content that matches its hash.
 */

import { writeJson } from "../../../../model/values/json.ts";
import { pathsLike } from "../../../../model/values/paths.ts";
import { relocate } from "../../../../model/values/relocate.ts";
import { isPersonal } from "../../../../platform/disk/personal-folder.ts";
import { realPath } from "../../../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../../log/jsonl.ts";
import type { IncomingFile } from "../../../requests.ts";
import { KNOWN_SNAPSHOTS } from "../../workspace/sidecars.ts";
import {
  backupName,
  backupsIn,
  HASH,
  parseIndex,
  SNAPSHOT_INDEX,
  SNAPSHOTS,
} from "../rewind-files/snapshots.ts";

export interface CheckedSnapshots {
  readonly files: readonly IncomingFile[];
  /** What is not included, in words. */
  readonly losses: readonly string[];
}

export interface SnapshotRequest {
  /** The folders that the session was about where it comes from, and what agents keep in its own folder here. */
  readonly folders: readonly string[];
  /** In which much else lies than one piece of work. */
  readonly userHome: string | undefined;
  /** The text of an included file. */
  readonly read: (path: string) => Promise<string | undefined>;
}

const BACKUPS = backupName("");
const TRACKING = `${SNAPSHOTS}/tracking.json`;

export async function checkSnapshots(
  fs: SessionFs,
  all: readonly IncomingFile[],
  { folders, userHome, read }: SnapshotRequest,
): Promise<CheckedSnapshots> {
  const [recorded = [], others = []] = split(all, ({ path }) => path.startsWith(`${SNAPSHOTS}/`));
  if (recorded.length === 0) return { files: all, losses: [] };
  const [text, tracking] = [await read(SNAPSHOT_INDEX), await read(TRACKING)];
  const index = text === undefined ? undefined : parseIndex(text);
  if (text !== undefined && index?.schema !== KNOWN_SNAPSHOTS)
    return { files: others, losses: ["recorded file states, whose format is not known"] };

  const owned: string[] = [];
  for (const folder of folders) if (!(await isPersonal(fs, folder, userHome))) owned.push(folder);
  const sound = await checkIndex(fs, index?.snapshots ?? [], owned);
  const isWhole = sound.odd + sound.outside.length === 0;
  const kept = isWhole ? text : index?.write(sound.snapshots);
  const needed = backupsIn(kept ?? "");
  const isSound = ({ path, sha256 }: IncomingFile): boolean => {
    if (path === SNAPSHOT_INDEX) return true;
    if (path === TRACKING) return parseIndex(tracking ?? "") !== undefined;
    const name = path.startsWith(BACKUPS) ? path.slice(BACKUPS.length) : "";
    return HASH.test(name) && name === sha256;
  };
  const [good = [], bad = []] = split(recorded, isSound);
  const isNeeded = ({ path }: IncomingFile): boolean =>
    isWhole || !path.startsWith(BACKUPS) || needed.has(path.slice(BACKUPS.length));
  return {
    files: [
      ...others,
      ...good
        .filter(isNeeded)
        .map((file) =>
          file.path === SNAPSHOT_INDEX && !isWhole && kept !== undefined ? withText(file, kept) : file,
        ),
    ],
    losses: [
      ...toLoss("recorded states of files outside the session's folder", sound.outside),
      ...(sound.odd > 0
        ? [`${sound.odd} recorded file states, which are not as Copilot CLI writes them`]
        : []),
      ...toLoss(
        "files of the recorded states whose content does not match their names",
        bad.map(({ path }) => path),
      ),
    ],
  };
}

function split<T>(all: readonly T[], isFirst: (each: T) => boolean): T[][] {
  return [all.filter(isFirst), all.filter((each) => !isFirst(each))];
}

interface Sound {
  readonly snapshots: readonly JsonObject[];
  readonly odd: number;
  readonly outside: readonly string[];
}

async function checkIndex(
  fs: SessionFs,
  snapshots: readonly JsonObject[],
  folders: readonly string[],
): Promise<Sound> {
  const outside = new Set<string>();
  let odd = 0;
  const kept: JsonObject[] = [];
  for (const snapshot of snapshots) {
    const { files } = snapshot;
    if (asString(snapshot.eventId) === undefined || (files !== undefined && !isObject(files))) {
      odd++;
      continue;
    }
    const all = Object.entries(asObject(files) ?? {});
    const left: [string, unknown][] = [];
    for (const [name, file] of all) {
      const state = await stateOf(fs, asObject(file), folders);
      if (state === "odd") odd++;
      if (state === "outside") outside.add(asString(asObject(file)?.path) ?? "");
      if (state === "sound") left.push([name, file]);
    }
    kept.push(left.length === all.length ? snapshot : withFiles(snapshot, Object.fromEntries(left)));
  }
  return { snapshots: kept, odd, outside: [...outside] };
}

/** With what is counted from its files. */
function withFiles(snapshot: JsonObject, files: JsonObject): JsonObject {
  const changed = { ...snapshot, files };
  const needed = backupsIn(writeJson({ snapshots: [changed] }));
  return {
    ...changed,
    ...(snapshot.fileCount !== undefined && { fileCount: Object.keys(files).length }),
    ...(snapshot.backupFiles !== undefined && {
      backupFiles: asArray(snapshot.backupFiles).filter((name) => needed.has(asString(name) ?? "")),
    }),
  };
}

type State = "sound" | "odd" | "outside";

async function stateOf(
  fs: SessionFs,
  file: JsonObject | undefined,
  folders: readonly string[],
): Promise<State> {
  const path = asString(file?.path);
  if (!file || path === undefined || !isPlainPath(path) || !isSameEncoded(file.encodedPath, path))
    return "odd";
  const images = [file.preimage, file.postimage].map((image) => asObject(image));
  if (images.some((image) => !image || !isSoundImage(image))) return "odd";
  const isInside = (at: string): boolean =>
    folders.some((folder) => relocate(at, { from: folder, to: "" }) !== undefined);
  if (!isInside(path)) return "outside";
  const places = images.flatMap((image) => [image, asObject(image?.resolved)]).flatMap(placeOf);
  const elsewhere = places.filter((place) => !isInside(place));
  if (elsewhere.length === 0) return "sound";
  const real = await realPath(fs, path);
  return elsewhere.every((place) => place === real) ? "sound" : "outside";
}

const placeOf = (image: JsonObject | undefined): string[] => {
  const place = asString(image?.resolvedPath);
  return place === undefined ? [] : [place];
};

/** Of kinds that we do not know nothing is ever restored, by us. */
function isSoundImage(image: JsonObject): boolean {
  if (asString(image.kind) === undefined) return false;
  return [image, asObject(image.resolved)].every((each) => {
    if (!each) return true;
    const { contentHash, backupFile, resolvedPath, encodedPath, target } = each;
    const isName = (value: unknown): boolean =>
      value === undefined || (typeof value === "string" && HASH.test(value));
    const isPath =
      resolvedPath === undefined || (typeof resolvedPath === "string" && isPlainPath(resolvedPath));
    const isText = target === undefined || (typeof target === "string" && !target.includes("\0"));
    return (
      isName(contentHash) &&
      isName(backupFile) &&
      isPath &&
      isText &&
      isSameEncoded(encodedPath, asString(resolvedPath))
    );
  });
}

/** Whole, and leading nowhere else than it says. */
function isPlainPath(path: string): boolean {
  const { isAbsolute, normalize } = pathsLike(path);
  return isAbsolute(path) && normalize(path) === path && !path.includes("\0");
}

/** The same path once more, byte for byte; another one would be meant for the program alone. */
function isSameEncoded(value: unknown, path: string | undefined): boolean {
  if (value === undefined) return true;
  const encoded = asObject(value);
  const bytes = Buffer.from(asString(encoded?.data) ?? "", "hex");
  const text = bytes.toString(encoded?.encoding === "unix-bytes" ? "utf8" : "utf16le");
  return path !== undefined && text === path;
}

function withText({ sha256: _, ...file }: IncomingFile, text: string): IncomingFile {
  return { ...file, pieces: [{ text }], size: Buffer.byteLength(text) };
}

/** So many are named, and the rest is counted. */
const NAMED = 3;

function toLoss(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  return [`${what}: ${names.slice(0, NAMED).join(", ")}${more}`];
}
