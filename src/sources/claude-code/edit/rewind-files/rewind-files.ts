/** Handles the files that dropped turns changed: they are kept, or restored from the states that the program noted. */
import { join } from "node:path";
import { AppError } from "../../../../model/errors.ts";
import type { Entry } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { formatKey } from "../../../../model/values/id.ts";
import { readGit } from "../../../../platform/disk/git-folder.ts";
import { isPersonal } from "../../../../platform/disk/personal-folder.ts";
import { hashOf } from "../../../../platform/fs/file-hash.ts";
import { entryAt } from "../../../../platform/fs/fs-links.ts";
import { isErrno, type SessionFs } from "../../../../platform/fs/session-fs.ts";
import { decide } from "../../../files/back.ts";
import { lookPresent } from "../../../files/present.ts";
import { type FilesBack, insideOf, takeFilesBack, toFile } from "../../../files/steps.ts";
import type { RewindRequest } from "../../../requests.ts";
import { fileHistory } from "../../locate.ts";
import { openRows } from "../../tree/row-reader.ts";
import type { Transcript } from "../transcript.ts";
import { type FileHistory, readFileHistory } from "./file-history.ts";
import { type Backup, type DroppedTurn, type ToldStory, tellStories } from "./stories.ts";
import { editOf, isOpaque, type TurnEdit } from "./turn-edits.ts";

const NO_FILES: FilesBack = { basis: [], steps: [], losses: [], files: [] };

/** `end`: how many rows of the conversation stay. */
export async function rewindFiles(
  fs: SessionFs,
  artifact: Artifact,
  transcript: Transcript,
  request: RewindRequest & { readonly end: number },
): Promise<FilesBack> {
  const history = await readFileHistory(fs, artifact.path, transcript.size);
  if (!history) {
    if (request.files) throw nothingRecorded(artifact, request);
    return NO_FILES;
  }
  const { workspace } = transcript.facts;
  const turns = await droppedTurnsOf(fs, artifact, transcript, request.end);
  const backups = await readBackups(fs, artifact, history, turns);
  const told = tellStories(turns, history, workspace, (name) => backups.get(name));
  const stories = await withoutUntouched(fs, told);
  if (!request.files)
    return {
      ...NO_FILES,
      files: stories.flatMap((story) => (story.isDoubtful ? [] : [toFile(story, "unchanged")])),
    };
  const folders: string[] = [];
  const root = workspace === undefined ? undefined : (await readGit(fs, workspace))?.root;
  for (const each of [workspace, root])
    if (each !== undefined && !(await isPersonal(fs, each, request.userHome))) folders.push(each);
  const entries = new Map([...backups.values()].map(({ hash, entry }) => [hash, entry]));
  return takeFilesBack(fs, stories, {
    session: artifact,
    program: "Claude Code",
    findBackup: async (hash) => entries.get(hash),
    to: request.to,
    now: request.now,
    isInside: await insideOf(fs, folders),
    outside: request.outside ?? false,
    strict: request.strict ?? false,
    ...(workspace !== undefined && { workspace }),
  });
}

/** A file that nothing is known to have changed matters only where it is not what it was. */
async function withoutUntouched(fs: SessionFs, stories: readonly ToldStory[]): Promise<ToldStory[]> {
  const kept: ToldStory[] = [];
  for (const story of stories)
    if (!story.isDoubtful || decide(story, await lookPresent(fs, story.path)).does !== "nothing")
      kept.push(story);
  return kept;
}

/** What goes, message by message of the user: at each of them the program may have noted states. */
async function droppedTurnsOf(
  fs: SessionFs,
  { path }: Artifact,
  { rows, table, facts, idOf }: Transcript,
  end: number,
): Promise<DroppedTurn[]> {
  const reader = openRows(fs, path, { maxLine: Number.POSITIVE_INFINITY });
  const found: { prompt: string; edits: TurnEdit[]; isOpaque: boolean }[] = [];
  try {
    for (const row of rows.slice(end)) {
      const isResult = table.answers(row).length > 0;
      if (table.kind(row) === "user" && !isResult)
        found.push({ prompt: idOf(row), edits: [], isOpaque: false });
      if (!isResult) continue;
      // Behind a cut in the middle of a turn, no state was noted.
      const last = found.at(-1) ?? { prompt: "", edits: [], isOpaque: false };
      if (found.length === 0) found.push(last);
      const record = (await reader.load(table, row))?.record ?? {};
      const edit = editOf(record, facts.workspace);
      if (edit) last.edits.push(edit);
      last.isOpaque ||= isOpaque(record);
    }
  } finally {
    await reader.close();
  }
  return found;
}

interface KeptBackup extends Backup {
  readonly entry: Entry;
}

/** The program's copies that the turns need, by their names; those that are gone, or cannot be read, are none. */
async function readBackups(
  fs: SessionFs,
  { root, id }: Artifact,
  { at }: FileHistory,
  turns: readonly DroppedTurn[],
): Promise<ReadonlyMap<string, KeptBackup>> {
  const names = new Set(
    turns.flatMap(({ prompt }) =>
      [...(at.get(prompt)?.values() ?? [])].flatMap(({ backup }) => backup ?? []),
    ),
  );
  const found = new Map<string, KeptBackup>();
  for (const name of names) {
    const path = join(fileHistory(root, id), name);
    try {
      const entry = await entryAt(fs, path);
      if (entry?.kind !== "file") continue;
      const head = Buffer.from(await fs.read(path, { start: 0, end: Math.min(entry.size, HEAD) }));
      found.set(name, {
        ...{ entry, hash: await hashOf(fs, path), mode: entry.mode & PERMISSIONS },
        isCrlf: head.includes("\r\n"),
      });
    } catch (error) {
      if (!isErrno(error, "ENOENT", "EACCES", "EPERM", "EISDIR")) throw error;
    }
  }
  return found;
}

const [HEAD, PERMISSIONS] = [64 << 10, 0o777];

const nothingRecorded = (artifact: Artifact, { to }: RewindRequest): AppError =>
  new AppError(
    "not-supported",
    `Claude Code recorded no file states in session ${artifact.id}, so its files cannot be restored; it does so only in its terminal`,
    {
      say: "Rewind only the conversation",
      remedy: { action: "rewind", session: formatKey(artifact), args: { to } },
    },
  );
