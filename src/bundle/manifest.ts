/** A manifest that came from anywhere: understood whole, or refused. Nothing below it is looked at before. */
import {
  BUNDLE_FORMAT,
  BUNDLE_VERSION,
  type BundledEntry,
  type BundleManifest,
  type BundlePart,
  nameInBundle,
} from "../model/bundle.ts";
import { damaged, newer, unsafe } from "./errors.ts";

/** Enough for a home with a quarter of a million files. */
export const LARGEST_MANIFEST = 64 << 20;

type Json = Readonly<Record<string, unknown>>;

export function parseManifest(text: string): BundleManifest {
  const value = parseJson(text);
  if (value.format !== BUNDLE_FORMAT || typeof value.version !== "number")
    throw damaged("its manifest does not say what it is");
  if (value.version > BUNDLE_VERSION) throw newer(value.version);
  if (value.version !== BUNDLE_VERSION)
    throw damaged(`its manifest has version ${value.version}, which does not exist`);
  const { kind, parts } = value;
  if ((kind !== "sessions" && kind !== "home") || !Array.isArray(parts))
    throw damaged("its manifest does not say what is in it");
  const manifest: BundleManifest = {
    format: BUNDLE_FORMAT,
    version: value.version,
    kind,
    madeAt: toText(value.madeAt),
    madeBy: toText(value.madeBy),
    parts: parts.map((part) => toPart(toObject(part), kind)),
  };
  if (kind === "home" && parts.length !== 1) throw damaged("its manifest does not name one home");
  refuseTwice(manifest.parts.map(({ folder }) => folder));
  refuseTwice(manifest.parts.map(({ source, id }) => `${source}:${id}`));
  // The folder of one part may lie in that of another.
  refuseTwice(manifest.parts.flatMap((part) => part.entries.map((entry) => nameInBundle(part, entry))));
  return manifest;
}

function parseJson(text: string): Json {
  try {
    return toObject(JSON.parse(text));
  } catch (error) {
    throw damaged("its manifest is not JSON", error);
  }
}

function toPart(part: Json, kind: BundleManifest["kind"]): BundlePart {
  const folder = toName(part.folder);
  if (!Array.isArray(part.entries)) throw damaged("its manifest does not say what is in it");
  const entries = part.entries.map((entry) => toEntry(toObject(entry)));
  refuseTwice(entries.map(({ path }) => path));
  const folders = new Set<string>();
  for (const entry of entries) {
    const above = entry.path.slice(0, Math.max(0, entry.path.lastIndexOf("/")));
    if (above !== "" && !folders.has(above))
      throw damaged(`${entry.path} is not inside a folder listed before it`);
    if (entry.kind === "folder") folders.add(entry.path);
  }
  const id = kind === "sessions" ? toId(part.id) : undefined;
  return {
    source: toSource(part.source),
    ...(id !== undefined && { id }),
    ...(typeof part.title === "string" && { title: part.title }),
    ...(kind === "home" && { sessions: toCount(part.sessions), rows: toRows(part.rows) }),
    folder,
    entries,
  };
}

/** By database and table. Their names become paths, so they are as safe as those. */
function toRows(value: unknown): NonNullable<BundlePart["rows"]> {
  const counts = (tables: unknown): Record<string, number> =>
    Object.fromEntries(Object.entries(toObject(tables)).map(([name, count]) => [name, toCount(count)]));
  return Object.fromEntries(
    Object.entries(toObject(value)).map(([name, tables]) => [toName(name), counts(tables)]),
  );
}

function toEntry({ kind, path, mode, mtimeMs, size, sha256 }: Json): BundledEntry {
  const look = { path: toName(path), mode: toCount(mode) & 0o777, mtimeMs: toTime(mtimeMs) };
  if (kind === "folder") return { kind, ...look };
  if (kind !== "file") throw unsafe(`${look.path} is neither a file nor a folder`);
  if (typeof sha256 !== "string" || !/^[0-9a-f]{64}$/.test(sha256))
    throw damaged(`its manifest has no hash of ${look.path}`);
  return { kind, ...look, size: toCount(size), sha256 };
}

const LONGEST_NAME = 255;
/** No system has longer paths, and this one is only the end of one. */
const LONGEST_PATH = 4096;
/** The last moment that a date can be. */
const LAST_MS = 8.64e15;

/** Whether a name means the same on every system, and cannot lead out of where it is put. */
export function isPortable(name: string): boolean {
  // Control characters have no business in a name that is shown to people.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\\\x00-\x1f\x7f]|^[A-Za-z]:/.test(name) || Buffer.byteLength(name) > LONGEST_PATH) return false;
  return name
    .split("/")
    .every((each) => !["", ".", ".."].includes(each) && Buffer.byteLength(each) <= LONGEST_NAME);
}

const LONGEST_SHOWN = 100;

function toName(value: unknown): string {
  const name = toText(value);
  if (isPortable(name)) return name;
  throw unsafe(`${JSON.stringify(name.slice(0, LONGEST_SHOWN))} is a path that leads outside`);
}

function toSource(value: unknown): string {
  const source = toText(value);
  if (/^[A-Za-z0-9][\w.-]{0,127}$/.test(source)) return source;
  throw unsafe(`${JSON.stringify(source.slice(0, LONGEST_SHOWN))} is not a source`);
}

/** Becomes the name of a folder. */
function toId(value: unknown): string {
  const id = toText(value);
  // People rename the files of sessions, so an id may be any name; those with a dot in front are for programs.
  if (isPortable(id) && !/^[.\s]|\/|\s$/.test(id)) return id;
  throw unsafe(`${JSON.stringify(id.slice(0, LONGEST_SHOWN))} is not an id`);
}

function toObject(value: unknown): Json {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Json;
  throw damaged("its manifest does not have the shape of a manifest");
}
function toText(value: unknown): string {
  if (typeof value === "string") return value;
  throw damaged("its manifest lacks a name or a time");
}
function toCount(value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw damaged("its manifest lacks a size, a mode or a count");
}
function toTime(value: unknown): number {
  if (typeof value === "number" && Math.abs(value) <= LAST_MS) return value;
  throw damaged("its manifest lacks a time");
}

function refuseTwice(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw unsafe(`${name} is in it twice`);
    seen.add(name);
  }
}
