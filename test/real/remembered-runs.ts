/**
 * Runs of a real program, remembered. Starting one takes a second of CPU, and most runs of the tests ask what an earlier
 * run has asked: the same version, with the same words, on the same files. What the program did to its files is remembered
 * with what it printed and sent, so that the next question finds the same files again. Nothing of ours is remembered: it
 * is compared with these answers in every run. RETHREAD_FULL=1 asks the program itself, and a fresh clone has to.
 */
import { hash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { readLock } from "./installing.ts";

const FOLDER = join(import.meta.dirname, "node_modules", ".cache", "runs");
/** Then the program is asked again, as what it does may depend on the date. */
const LONGEST_MS = 7 * 24 * 3_600_000;
const isUsed = process.env.RETHREAD_FULL === undefined && process.platform === "linux";

/** Folders of the program by their names; what it says about them is remembered without their places. */
export type Places = Readonly<Record<string, string>>;

interface SavedFile {
  readonly path: string;
  readonly mode: number;
  readonly mtimeMs: number;
  /** Bytes as Latin-1, so that places can be replaced in any file. */
  readonly content: string;
}

interface Saved<T> {
  readonly result: T;
  readonly files: readonly SavedFile[];
}

export interface Question<T> {
  /** Whatever decides what the program does, besides its version and its files. */
  readonly about: unknown;
  readonly places: Places;
  /** More places whose names are not part of question or answer; their files do not matter. */
  readonly otherPlaces?: Places;
  /** The sources of the driver that talks to it. */
  readonly drivers: readonly string[];
  ask(): Promise<T>;
}

export async function remembered<T>({
  about,
  places,
  otherPlaces = {},
  drivers,
  ask,
}: Question<T>): Promise<T> {
  if (!isUsed) return ask();
  const { hide, show } = createMask({ ...places, ...otherPlaces, tmp: tmpdir() });
  const before = filesIn(places, hide);
  const key = hash(
    "sha256",
    JSON.stringify([
      process.arch,
      readLock(),
      [import.meta.filename, ...drivers].map((path) => readFileSync(path, "utf8")),
      hide(JSON.stringify(about)),
      before.map(({ path, content }) => [path, content]),
    ]),
  );
  const path = join(FOLDER, `${key}.zst`);
  const saved = read<T>(path, show);
  if (saved) {
    putBack(places, saved.files);
    return saved.result;
  }
  const result = await ask();
  write(path, hide(JSON.stringify({ result, files: filesIn(places, hide) } satisfies Saved<T>)));
  return result;
}

/** Replaces the places by their names and back. Claude Code names folders after paths with each sign as a dash. */
function createMask(places: Places): { hide(text: string): string; show(text: string): string } {
  const dashed = (path: string): string => path.replaceAll(/[^A-Za-z0-9]/g, "-");
  const pairs = Object.entries(places)
    .flatMap(([name, path]) => [
      [path, `<<${name}>>`],
      [dashed(path), `<<-${name}>>`],
    ])
    // A place may lie within another.
    .sort(([a = ""], [b = ""]) => b.length - a.length) as [string, string][];
  return {
    hide: (text) => pairs.reduce((masked, [path, name]) => masked.replaceAll(path, name), text),
    show: (text) => pairs.reduce((shown, [path, name]) => shown.replaceAll(name, path), text),
  };
}

function filesIn(places: Places, hide: (text: string) => string): SavedFile[] {
  const paths = Object.values(places).flatMap((place) =>
    readdirSync(place, { recursive: true, encoding: "utf8" }).map((name) => join(place, name)),
  );
  return [...new Set(paths)]
    .flatMap((path): SavedFile[] => {
      // Another program may be at work in the same home.
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (!stats?.isFile()) return [];
      const content = hide(readFileSync(path, "latin1"));
      return [{ path: hide(path), mode: stats.mode & 0o777, mtimeMs: stats.mtimeMs, content }];
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The files as the program left them; what it took away goes. */
function putBack(places: Places, files: readonly SavedFile[]): void {
  const kept = new Set(files.map(({ path }) => path));
  for (const { path } of filesIn(places, (text) => text)) if (!kept.has(path)) rmSync(path);
  for (const { path, mode, mtimeMs, content } of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { encoding: "latin1", mode });
    utimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
  }
}

function read<T>(path: string, show: (text: string) => string): Saved<T> | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats || Date.now() - stats.mtimeMs > LONGEST_MS) return undefined;
  return JSON.parse(show(zstdDecompressSync(readFileSync(path)).toString("utf8")));
}

function write(path: string, text: string): void {
  mkdirSync(FOLDER, { recursive: true });
  for (const name of readdirSync(FOLDER)) {
    const stats = statSync(join(FOLDER, name), { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > LONGEST_MS) rmSync(join(FOLDER, name), { force: true });
  }
  // Workers may ask the same at the same time.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, zstdCompressSync(text));
  renameSync(draft, path);
}
