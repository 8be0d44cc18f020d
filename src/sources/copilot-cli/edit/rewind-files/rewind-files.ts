/** Handles the files that dropped turns changed: they are kept, or restored as the program's own rewind does. */
import { AppError } from "../../../../model/errors.ts";
import type { Draft } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { isPersonal } from "../../../../platform/disk/personal-folder.ts";
import { eachLine } from "../../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { tellStories } from "../../../files/back.ts";
import { type FilesBack, insideOf, takeFilesBack, toFile } from "../../../files/steps.ts";
import { asString, decodeLine } from "../../../log/jsonl.ts";
import type { RewindRequest } from "../../../requests.ts";
import { SOURCE, under } from "../../workspace/locate.ts";
import { KEPT_FILES, type SessionFolder, textOf } from "../copy/folder.ts";
import { readMetadata } from "../copy/identity.ts";
import { readFields } from "../copy/workspace-text.ts";
import { cutSnapshots } from "../cut/cut-sidecars.ts";
import { replaceText } from "../cut/replace.ts";
import { createBackupCheck } from "../reduce/snapshots.ts";
import {
  backupName,
  isNewerIndex,
  isWholePath,
  type PromptSnapshot,
  readSnapshots,
  SNAPSHOT_INDEX,
  SNAPSHOTS,
  toTime,
} from "./snapshots.ts";

type Cut = RewindRequest & {
  /** Where the log ends. */
  readonly at: number;
};

export async function rewindFiles(
  fs: SessionFs,
  artifact: Artifact,
  folder: SessionFolder,
  cut: Cut,
): Promise<FilesBack> {
  const text = await textOf(fs, folder, SNAPSHOT_INDEX);
  if (text !== undefined && cut.files && isNewerIndex(text)) throw newerStates(artifact, cut);
  // They stay as they are then, so it need not be known what they say.
  if (text !== undefined && isNewerIndex(text)) return { basis: [], steps: [], losses: [], files: [] };
  const snapshots = text === undefined ? undefined : readSnapshots(text);
  if (text === undefined || !snapshots) {
    if (cut.files && !(await isTracking(fs, folder))) throw nothingRecorded(artifact, cut);
    return { basis: [], steps: [], losses: [], files: [] };
  }
  const dropped = await droppedPrompts(fs, artifact.path, cut.at, snapshots);
  const stories = tellStories(snapshots, (eventId) => dropped.has(eventId));
  if (!cut.files)
    return { basis: [], steps: [], losses: [], files: stories.map((story) => toFile(story, "unchanged")) };
  const fields = readFields((await readMetadata(fs, artifact, folder)).text);
  const [workspace, gitRoot] = [asString(fields.cwd), asString(fields.git_root)];
  const folders = KEPT_FILES.map((name) => under(folder.path, name));
  for (const each of [gitRoot, workspace])
    if (each && isWholePath(each) && !(await isPersonal(fs, each, cut.userHome))) folders.unshift(each);
  const back = await takeFilesBack(fs, stories, {
    session: { source: SOURCE, id: artifact.id },
    program: "Copilot CLI",
    findBackup: async (hash) => folder.entries.find((each) => folder.nameOf(each) === backupName(hash)),
    to: cut.to,
    now: cut.now,
    isInside: await insideOf(fs, folders),
    outside: cut.outside ?? false,
    strict: cut.strict ?? false,
    ...(workspace !== undefined && { workspace }),
  });
  const isKept = (eventId: string): boolean => !dropped.has(eventId);
  const pruned = snapshots.every(({ eventId }) => isKept(eventId))
    ? { basis: [], steps: [] }
    : prune(folder, text, isKept, cut.now);
  return {
    ...back,
    basis: [...back.basis, ...pruned.basis],
    steps: [...back.steps, ...pruned.steps],
  };
}

/** The program records changes from the first turn on, or never; a session may just have made none. */
async function isTracking(fs: SessionFs, folder: SessionFolder): Promise<boolean> {
  return /"tracking"\s*:\s*true/.test((await textOf(fs, folder, `${SNAPSHOTS}/tracking.json`)) ?? "");
}

const nothingRecorded = ({ id }: Artifact, { to }: Cut): AppError =>
  new AppError(
    "not-supported",
    `Copilot CLI recorded no file states in session ${id}, so its files cannot be restored`,
    {
      say: "Rewind only the conversation",
      remedy: { action: "rewind", session: `copilot-cli:${id}`, args: { to } },
    },
  );

const newerStates = ({ id }: Artifact, { to }: Cut): AppError =>
  new AppError(
    "format-newer",
    `The file states of session ${id} were written by a newer Copilot CLI than this rethread knows`,
    {
      say: "Update rethread, or rewind only the conversation",
      remedy: { action: "rewind", session: `copilot-cli:${id}`, args: { to } },
    },
  );

const PROMPT = Buffer.from('"user.message"');

interface Prompt {
  readonly start: number;
  readonly id: string;
  readonly time: number;
}

/** Every prompt that goes, and those that went before without their files: their states are still there. */
async function droppedPrompts(
  fs: SessionFs,
  path: string,
  at: number,
  snapshots: readonly PromptSnapshot[],
): Promise<Set<string>> {
  const prompts = await promptsOf(fs, path);
  const known = new Set(prompts.map(({ id }) => id));
  const latest = Math.max(...prompts.map(({ time }) => time));
  // What a compaction took out of the log is older than all that is left of it.
  const last = snapshots.findLastIndex(({ eventId }) => known.has(eventId));
  const gone = snapshots.slice(last + 1).filter(({ eventId, time }) => eventId !== "" && time > latest);
  return new Set([
    ...prompts.filter(({ start }) => start >= at).map(({ id }) => id),
    ...gone.map(({ eventId }) => eventId),
  ]);
}

/** Those included that begin no turn. */
async function promptsOf(fs: SessionFs, path: string): Promise<Prompt[]> {
  const prompts: Prompt[] = [];
  await eachLine(
    fs,
    path,
    (line) => {
      const decoded = decodeLine(line);
      if (decoded.kind !== "record") return;
      const { id, timestamp } = decoded.record;
      if (typeof id === "string") prompts.push({ start: line.start, id, time: toTime(timestamp) });
    },
    { pass: (bytes, from, end) => !bytes.subarray(from, end).includes(PROMPT) },
  );
  return prompts;
}

/** The states that led to the dropped prompts are of no use any more. */
function prune(
  folder: SessionFolder,
  text: string,
  keeps: (eventId: string) => boolean,
  now: Date,
): Pick<Draft, "basis" | "steps"> {
  const kept = cutSnapshots(text, keeps);
  if (kept === undefined) return { basis: [], steps: [] };
  const isOfNone = createBackupCheck(kept);
  const gone = folder.entries.filter((entry) => isOfNone(folder.nameOf(entry)));
  const index = replaceText(folder, SNAPSHOT_INDEX, kept, now);
  return {
    basis: [...index.basis, ...gone.map((entry) => ({ entry }))],
    steps: [...index.steps, ...gone.map(({ path }) => ({ does: "remove" as const, path }))],
  };
}
