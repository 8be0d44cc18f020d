/**
 * The searchable files beside a session's log: the plan, the checkpoints, and the text files in `files/` and
 * `research/`. They are noted by size and time, and read only when one of the two has changed.
 */
import { isUtf8 } from "node:buffer";
import type { Artifact, SidecarChanges, SidecarMark, SidecarText } from "../../../model/session/session.ts";
import { pathsSpelledAs } from "../../../model/values/paths.ts";
import { toFileDate } from "../../../model/values/time.ts";
import { type SessionFs, type StatAnswer, statEach } from "../../../platform/fs/session-fs.ts";
import { CHECKPOINT_FOLDER, CHECKPOINT_INDEX, readCheckpointTitles } from "./checkpoints.ts";
import { folderOf, PLAN, under } from "./locate.ts";

/** No more of a file is searchable, in bytes: what is larger is data rather than notes. */
export const MOST_OF_FILE = 256 << 10;
/** No more files of a session are searchable, and none in deeper folders. */
export const MOST_FILES = 200;
const DEEPEST = 4;
/** Each is looked at on every refresh. */
export const MOST_FOLDERS = 200;

const FOLDERS = [CHECKPOINT_FOLDER, "files", "research"];
const TABLE = `${CHECKPOINT_FOLDER}/${CHECKPOINT_INDEX}`;

type Files = Readonly<Record<string, string>>;
/** The session's own folder has the empty name. */
type Folders = Readonly<Record<string, number>>;

export const pathOf = ({ path }: Pick<Artifact, "path">, name: string): string =>
  under(folderOf(path) ?? "", ...name.split("/"));

export function folders({ path }: Artifact): string[] {
  const folder = folderOf(path);
  return folder === undefined ? [] : FOLDERS.map((name) => under(folder, name));
}

export async function note(
  fs: SessionFs,
  artifact: Artifact,
  before?: SidecarMark,
): Promise<SidecarMark | undefined> {
  const folder = folderOf(artifact.path);
  if (folder === undefined) return undefined;
  return (before && (await noteKnown(fs, folder, before))) ?? noteAll(fs, folder);
}

/** Nothing when a folder has changed, so that files may have been added or removed. */
async function noteKnown(
  fs: SessionFs,
  folder: string,
  before: SidecarMark,
): Promise<SidecarMark | undefined> {
  const known = Object.entries(JSON.parse(before.folders) as Folders);
  const files = Object.entries(JSON.parse(before.files) as Files);
  // Thousands of sessions are looked at before every question, and these names need no tidying.
  const start = folder + pathsSpelledAs(folder).sep;
  const paths = [...known, ...files].map(([name]) => (name === "" ? folder : start + name));
  const stats = await statEach(fs, paths);
  if (!known.every(([, mtimeMs], at) => timeOfFolder(stats[at]) === mtimeMs)) return undefined;
  const ofFiles = stats.slice(known.length);
  if (files.every(([, mark], at) => markOf(ofFiles[at]) === mark)) return before;
  return { files: toFiles(files.map(([name], at) => [name, ofFiles[at]])), folders: before.folders };
}

async function noteAll(fs: SessionFs, folder: string): Promise<SidecarMark> {
  const times = new Map<string, number>();
  // What a link leads to is not the session's own: anything of this machine.
  const own = (await entriesOf(fs, folder)).filter(({ isLink }) => !isLink).map(({ name }) => name);
  const names: string[] = own.filter((name) => name === PLAN);
  const list = async (name: string, depth: number): Promise<void> => {
    // Whatever comes now comes after all files that are searchable.
    if (names.length >= MOST_FILES || times.size > MOST_FOLDERS) return;
    const path = under(folder, name);
    const [stat] = await statEach(fs, [path]);
    const time = timeOfFolder(stat);
    if (time === undefined) return;
    times.set(name, time);
    const entries = (await entriesOf(fs, path))
      .filter(({ isLink }) => !isLink)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) if (entry.kind === "file") names.push(`${name}/${entry.name}`);
    if (depth < DEEPEST)
      for (const entry of entries)
        if (entry.kind === "folder") await list(`${name}/${entry.name}`, depth + 1);
  };
  const [around] = await statEach(fs, [folder]);
  times.set("", timeOfFolder(around) ?? 0);
  for (const name of FOLDERS) if (own.includes(name)) await list(name, 1);
  const chosen = names.slice(0, MOST_FILES);
  const stats = await statEach(
    fs,
    chosen.map((name) => under(folder, name)),
  );
  return {
    files: toFiles(chosen.map((name, place) => [name, stats[place]])),
    folders: JSON.stringify(Object.fromEntries(times)),
  };
}

const entriesOf = async (fs: SessionFs, path: string) => {
  try {
    return await fs.readdir(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return []; // reported by the reader of the session
  }
};

const timeOfFolder = (stat: StatAnswer): number | undefined =>
  stat && !(stat instanceof Error) && stat.kind === "folder" ? stat.mtimeMs : undefined;

const markOf = (stat: StatAnswer): string | undefined =>
  stat && !(stat instanceof Error) && stat.kind === "file" ? `${stat.size} ${stat.mtimeMs}` : undefined;

const toFiles = (found: readonly (readonly [name: string, stat: StatAnswer])[]): string =>
  JSON.stringify(Object.fromEntries(found.map(([name, stat]) => [name, markOf(stat)])));

export function changes(before: SidecarMark | undefined, now: SidecarMark): SidecarChanges {
  const old = new Map(Object.entries(JSON.parse(before?.files ?? "{}") as Files));
  const files = new Map(Object.entries(JSON.parse(now.files) as Files));
  const names = [...new Set([...old.keys(), ...files.keys()])].filter(
    (name) => old.get(name) !== files.get(name),
  );
  // Titles stand in the table alone, and of two files with the same number the last one counts.
  const isNewTable = names.includes(TABLE);
  const numbers = new Set(names.map(numberOf));
  const isConcerned = (name: string): boolean => {
    const number = numberOf(name);
    return names.includes(name) || (number !== undefined && (isNewTable || numbers.has(number)));
  };
  return {
    changed: [...files.keys()].filter((name) => name !== TABLE && isConcerned(name)),
    gone: names.filter((name) => name !== TABLE && !files.has(name)),
  };
}

/** Of a checkpoint, as the program names its file. */
const numberOf = (name: string): number | undefined => {
  const digits = /^checkpoints\/(\d+)-[^/]*\.md$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

export async function readText(
  fs: SessionFs,
  artifact: Artifact,
  name: string,
): Promise<SidecarText | undefined> {
  try {
    const path = pathOf(artifact, name);
    const text = toText(await fs.read(path, { start: 0, end: MOST_OF_FILE }));
    if (text === undefined) return undefined;
    const number = numberOf(name);
    if (number === undefined) return { kind: "text", text };
    const titles = await readCheckpointTitles(fs, folderOf(artifact.path) ?? "", ignore, ignore);
    const title = titles.get(number);
    const { mtimeMs } = await fs.stat(path);
    return {
      kind: "checkpoint",
      text,
      number,
      at: toFileDate(mtimeMs).toISOString(),
      ...(title !== undefined && { title }),
    };
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return undefined; // gone since it was noted, or reported by the reader of the session
  }
}

/** What is wrong with the table is reported by the reader of the session. */
const ignore = (): void => undefined;

/** Nothing where it is no text: bytes that are not UTF-8, a NUL, or nothing but blanks. */
function toText(bytes: Uint8Array): string | undefined {
  // A character that the limit cuts in two is left out.
  let end = bytes.length;
  if (end === MOST_OF_FILE) while (end > MOST_OF_FILE - 4 && !isUtf8(bytes.subarray(0, end))) end--;
  const head = bytes.subarray(0, end);
  if (!isUtf8(head) || head.includes(0)) return undefined;
  const text = Buffer.from(head).toString("utf8");
  return text.trim() === "" ? undefined : text;
}
