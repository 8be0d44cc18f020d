/** What turns did to files, from the noted states before each of them and the changes that are kept with their calls. */
import { createHash } from "node:crypto";
import { basename, isAbsolute, join, resolve } from "node:path";
import type { FileState, FileStory } from "../../../files/back.ts";
import type { FileHistory, NotedState } from "./file-history.ts";
import type { TurnEdit } from "./turn-edits.ts";

/** One of the turns that go. */
export interface DroppedTurn {
  /** The row of its prompt. */
  readonly prompt: string;
  readonly edits: readonly TurnEdit[];
  /** It ran something that may have changed any file. */
  readonly isOpaque: boolean;
}

/** The program's copy of a file. */
export interface Backup {
  readonly hash: string;
  readonly mode: number;
  /** Its lines end with a carriage return, too. */
  readonly isCrlf: boolean;
}

export interface ToldStory extends FileStory {
  /** Nothing says that the turns changed it, but something they ran may have. */
  readonly isDoubtful: boolean;
}

export function tellStories(
  turns: readonly DroppedTurn[],
  { at, begun }: FileHistory,
  workspace: string | undefined,
  backupOf: (name: string) => Backup | undefined,
): ToldStory[] {
  const wholePath = (path: string): string | undefined =>
    isAbsolute(path) ? resolve(path) : workspace === undefined ? undefined : resolve(workspace, path);
  const files = new Map<string, Told>();
  for (const { prompt, edits, isOpaque } of turns) {
    for (const [named, noted] of at.get(prompt) ?? []) {
      const path = wholePath(named);
      if (path === undefined) continue;
      const told = files.get(path) ?? NOTHING;
      // A change before the first note: nobody knows what the file was.
      const before = told.before ?? (told.edits.length > 0 ? UNKNOWN : toState(path, noted, backupOf));
      const isBegun = begun.get(prompt)?.has(named) === true;
      // What is noted when a change begins is the state before it, and so is what is noted at a prompt.
      const latest = { state: toState(path, noted, backupOf), noted };
      files.set(path, { ...told, before, latest, since: isBegun ? "begun" : undefined });
    }
    for (const edit of edits) {
      const told = files.get(edit.path) ?? NOTHING;
      files.set(edit.path, { ...told, edits: [...told.edits, edit], since: edit });
    }
    for (const [path, told] of files)
      if (isOpaque && told.since === undefined) files.set(path, { ...told, since: "opaque" });
  }
  return [...files]
    .map(([path, told]) => toStory(path, told, backupOf))
    .filter(({ before, after, isDoubtful }) => isDoubtful || !isSame(before, after))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

interface Told {
  readonly before?: FileState;
  /** As it was last noted. */
  readonly latest?: { readonly state: FileState; readonly noted: NotedState };
  readonly edits: readonly TurnEdit[];
  /** What happened to it since then: a change that is kept, one that only began to be, or perhaps something. */
  readonly since?: TurnEdit | "begun" | "opaque" | undefined;
}

const NOTHING: Told = { edits: [] };
const UNKNOWN: FileState = { kind: "unknown", why: "not recorded" };

function toStory(
  path: string,
  { before = UNKNOWN, latest, edits, since }: Told,
  backupOf: (name: string) => Backup | undefined,
): ToldStory {
  const after = afterOf(path, latest, since, backupOf);
  const sum = (of: "linesAdded" | "linesRemoved"): number =>
    edits.reduce((lines, each) => lines + each[of], 0);
  const change =
    before.kind === "absent" ? "created" : after.kind === "absent" ? "deleted" : ("modified" as const);
  return {
    ...{ path, before, after, change },
    ...{ linesAdded: sum("linesAdded"), linesRemoved: sum("linesRemoved") },
    isDoubtful: since === "opaque" && isSame(before, after),
  };
}

function afterOf(
  path: string,
  latest: Told["latest"],
  since: Told["since"],
  backupOf: (name: string) => Backup | undefined,
): FileState {
  if (since === undefined || since === "opaque") return latest?.state ?? UNKNOWN;
  if (since === "begun" || since.text === undefined) return UNKNOWN;
  const isCrlf = latest?.noted.backup !== undefined && backupOf(latest.noted.backup)?.isCrlf === true;
  const text = isCrlf ? since.text.replace(/\r?\n/g, "\r\n") : since.text;
  const hash = createHash("sha256").update(text).digest("hex");
  const folder = latest?.noted.folder;
  // Only what was there before has a mode that matters.
  return { kind: "content", content: { hash, mode: 0, ...(folder !== undefined && placed(folder, path)) } };
}

function toState(
  path: string,
  { backup, folder }: NotedState,
  backupOf: (name: string) => Backup | undefined,
): FileState {
  if (backup === undefined) return { kind: "absent" };
  const found = backupOf(backup);
  if (!found) return { kind: "unknown", why: "the program's copy is gone" };
  const { hash, mode } = found;
  return { kind: "content", content: { hash, mode, ...(folder !== undefined && placed(folder, path)) } };
}

const placed = (folder: string, path: string): { readonly at?: string } =>
  isAbsolute(folder) ? { at: join(folder, basename(path)) } : {};

const isSame = (one: FileState, other: FileState): boolean => {
  if (one.kind === "content" && other.kind === "content") return one.content.hash === other.content.hash;
  return one.kind === other.kind && one.kind === "absent";
};
