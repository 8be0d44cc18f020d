/** rewind-file-snapshots/index.json: what each prompt did to files, as the program recorded it. */
import { isAbsolute } from "node:path";
import { isNewerThan, newerThanKnown } from "../../../../model/session/newer.ts";
import { writeJson } from "../../../../model/values/json.ts";
import type { FileChange, FileContent, FileState, Snapshot } from "../../../files/back.ts";
import { asArray, asNumber, asObject, asString, isObject, type JsonObject } from "../../../log/jsonl.ts";
import { KNOWN_SNAPSHOTS } from "../../workspace/sidecars.ts";

export const SNAPSHOTS = "rewind-file-snapshots";
export const SNAPSHOT_INDEX = `${SNAPSHOTS}/index.json`;
export const backupName = (hash: string): string => `${SNAPSHOTS}/backups/${hash}`;

/** On this machine; a NUL is part of no path. */
export const isWholePath = (path: string): boolean => isAbsolute(path) && !path.includes("\0");

export interface PromptSnapshot extends Snapshot {
  /** When the prompt came, in milliseconds; NaN where it is not noted. */
  readonly time: number;
}

export const toTime = (text: unknown): number => Date.parse(asString(text) ?? "");

/** Nothing when the text is not such an index. A path that is not whole could mean any file, and is none. */
export function readSnapshots(text: string): PromptSnapshot[] | undefined {
  const index = parseIndex(text);
  return index?.snapshots.map((snapshot) => ({
    eventId: asString(snapshot.eventId) ?? "",
    time: toTime(snapshot.timestamp),
    changes: Object.values(asObject(snapshot.files) ?? {}).flatMap((file) => toChange(asObject(file) ?? {})),
  }));
}

export interface SnapshotIndex {
  /** The version of its form, where it tells. */
  readonly schema?: number;
  readonly snapshots: readonly JsonObject[];
  /** Written as the program writes it. */
  write(snapshots: readonly JsonObject[]): string;
}

/** Throws where a newer version wrote it: cut or moved by the rules of today, it might say something else. */
export function parseKnownIndex(text: string): SnapshotIndex | undefined {
  const index = parseIndex(text);
  if (isNewerThan(index?.schema, KNOWN_SNAPSHOTS))
    throw newerThanKnown(`The record of file states (${SNAPSHOT_INDEX}, schema ${index?.schema})`);
  return index;
}

export const isNewerIndex = (text: string): boolean => isNewerThan(parseIndex(text)?.schema, KNOWN_SNAPSHOTS);

export function parseIndex(text: string): SnapshotIndex | undefined {
  const whole = parseObject(text);
  if (!whole) return undefined;
  const indent = /^\{\s*\n/.test(text) ? 2 : undefined;
  const schema = asNumber(whole.schema);
  return {
    ...(schema !== undefined && { schema }),
    snapshots: asArray(whole.snapshots).filter(isObject),
    write: (snapshots) => writeJson({ ...whole, snapshots }, indent),
  };
}

/** What is none is reported where the session is read; there is nothing to go by. */
function parseObject(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The kept bytes that an index still needs: those of what was there before, never of what came. */
export function backupsIn(text: string): ReadonlySet<string> {
  const files =
    parseIndex(text)?.snapshots.flatMap(({ files }) => Object.values(asObject(files) ?? {})) ?? [];
  const hashes = files.flatMap((file) => {
    const before = asObject(asObject(file)?.preimage) ?? {};
    return [before, asObject(before.resolved) ?? {}].flatMap(({ backupFile, contentHash }) =>
      [asString(backupFile), asString(contentHash)].filter((each) => each !== undefined),
    );
  });
  return new Set(hashes);
}

function toChange(file: JsonObject): FileChange[] {
  const path = asString(file.path);
  if (path === undefined || !isWholePath(path)) return [];
  return [
    {
      path,
      before: toState(asObject(file.preimage)),
      after: toState(asObject(file.postimage)),
      linesAdded: asNumber(file.linesAdded) ?? 0,
      linesRemoved: asNumber(file.linesRemoved) ?? 0,
    },
  ];
}

function toState(image: JsonObject | undefined): FileState {
  const unknown: FileState = { kind: "unknown", why: reasonOf(image) };
  if (image?.kind === "absent") return { kind: "absent" };
  if (image?.kind === "content") {
    const content = toContent(image);
    return content ? { kind: "content", content } : unknown;
  }
  const target = asString(image?.target);
  if (image?.kind !== "symlink" || target === undefined || target.includes("\0")) return unknown;
  const content = toContent(asObject(image.resolved));
  return { kind: "link", target, ...(content && { content }) };
}

/** In the program's words, such as `too-large`. */
const reasonOf = (image: JsonObject | undefined): string =>
  asString(image?.reason)?.replaceAll("-", " ") ?? "not recorded";

/** Hashes become names of files: nothing else may pass for one. */
export const HASH = /^[0-9a-f]{64}$/;
const [PERMISSIONS, USUAL_MODE] = [0o777, 0o644];

function toContent(image: JsonObject | undefined): FileContent | undefined {
  const hash = asString(image?.contentHash);
  if (!image || hash === undefined || !HASH.test(hash)) return undefined;
  const at = asString(image.resolvedPath);
  if (at !== undefined && !isWholePath(at)) return undefined;
  return {
    hash,
    ...(at !== undefined && { at }),
    mode: (asNumber(image.mode) ?? USUAL_MODE) & PERMISSIONS,
  };
}
