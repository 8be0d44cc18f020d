/** Moves a session to another folder: rewrites every path field, and text only if asked to. */
import { AppError } from "../../../../model/errors.ts";
import type { Draft } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { createMentionFinder, type Relocation, relocate } from "../../../../model/values/relocate.ts";
import { toFileDate } from "../../../../model/values/time.ts";
import { type GitFolder, readGit } from "../../../../platform/disk/git-folder.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { type MovedLog, passedLines, substitute } from "../../../log/moved-log.ts";
import type { MoveRequest } from "../../../requests.ts";
import { LOG, SOURCE } from "../../workspace/locate.ts";
import { WORKSPACE_FILE } from "../../workspace/workspace.ts";
import { openFolder, type SessionFolder, textOf } from "../copy/folder.ts";
import { readMetadata } from "../copy/identity.ts";
import { repositoryOf } from "../copy/noted-folder.ts";
import { changeFields, type Scalars } from "../copy/workspace-text.ts";
import { replaceFile, replaceText } from "../cut/replace.ts";
import { SNAPSHOT_INDEX } from "../rewind-files/snapshots.ts";
import { moveLog } from "./log.ts";
import { type FormerFolder, formerFolder, widen } from "./relocation.ts";
import { moveSnapshots } from "./snapshots.ts";

type Part = Pick<Draft, "basis" | "steps">;

export async function move(fs: SessionFs, artifact: Artifact, request: MoveRequest): Promise<Draft> {
  const folder = await openFolder(fs, artifact);
  const { text } = await readMetadata(fs, artifact, folder);
  const former = await formerFolder(fs, artifact, text);
  if (!former) throw nowhere(artifact);
  const { to, now } = request;
  const relocation =
    request.from === undefined ? widen({ from: former.cwd, to }, former.gitRoot) : { from: request.from, to };
  const cwd = relocate(former.cwd, relocation) ?? former.cwd;
  const isHere = (await fs.exists(cwd)) && (await fs.stat(cwd)).kind === "folder";

  const log = await moveLog(fs, artifact.path, (await fs.stat(artifact.path)).size, relocation, request.text);
  const snapshots = moveSnapshots((await textOf(fs, folder, SNAPSHOT_INDEX)) ?? "", relocation);
  const notes = await moveNotes(fs, folder, relocation);
  const fields = toMovedFields(former, cwd, relocation, isHere ? await readGit(fs, cwd) : undefined);
  const parts: Part[] = [
    ...replaceLog(folder, log),
    ...(snapshots ? [replaceText(folder, SNAPSHOT_INDEX, snapshots.text, now)] : []),
    ...(request.text ? notes.map(({ name, text }) => replaceText(folder, name, text, now)) : []),
    replaceText(
      folder,
      WORKSPACE_FILE,
      changeFields(text, { ...fields, updated_at: now.toISOString() }),
      now,
    ),
  ];
  const isSame = relocation.from === relocation.to;
  return {
    session: { source: SOURCE, id: artifact.id, path: artifact.path },
    basis: isSame ? [] : parts.flatMap(({ basis }) => basis),
    steps: isSame ? [] : parts.flatMap(({ steps }) => steps),
    losses: passedLines(log.passed),
    move: {
      ...relocation,
      isHere,
      toolCalls: log.toolCalls,
      attachments: log.attachments,
      fileStates: snapshots?.files ?? 0,
      others: log.others,
      mentions: notes.reduce((sum, { mentions }) => sum + mentions, log.mentions),
      withText: request.text,
    },
  };
}

const nowhere = ({ id }: Artifact): AppError =>
  new AppError("not-supported", `Session ${id} does not record its folder, so it cannot be moved`, {
    say: "Make a copy for the new folder",
    remedy: { action: "clone", session: `copilot-cli:${id}`, asks: { to: "folder" } },
  });

/** Moving is no work in the session: it stays where it is in lists that go by time, but for the moment that tells the files apart. */
function replaceLog(folder: SessionFolder, { pieces }: MovedLog): Part[] {
  const log = folder.entries.find((entry) => folder.nameOf(entry) === LOG);
  const isSame = pieces.every((piece) => "file" in piece);
  if (log?.kind !== "file" || isSame) return [];
  return [replaceFile(folder, LOG, pieces, toFileDate(log.mtimeMs + 1))];
}

/** The plan and the summaries of compactions, which are text as the conversation is. */
async function moveNotes(
  fs: SessionFs,
  folder: SessionFolder,
  relocation: Relocation,
): Promise<{ name: string; text: string; mentions: number }[]> {
  const findMentions = createMentionFinder(relocation);
  const names = folder.entries.map((entry) => folder.nameOf(entry));
  const notes = [];
  for (const name of names.filter((each) => /^(plan|checkpoints\/\d[^/]*)\.md$/.test(each))) {
    const text = (await textOf(fs, folder, name)) ?? "";
    const mentions = findMentions(text);
    if (mentions.length > 0)
      notes.push({ name, text: substitute(text, mentions), mentions: mentions.length });
  }
  return notes;
}

/**
 * Repository and branch stay what they are, as a move changes neither; only where the new folder belongs to another
 * repository on GitHub, it is that one from now on.
 */
function toMovedFields(former: FormerFolder, cwd: string, relocation: Relocation, git?: GitFolder): Scalars {
  const gitRoot = git?.root ?? relocate(former.gitRoot ?? "", relocation);
  const repository = repositoryOf(git?.origin);
  const isOther = git !== undefined && repository !== undefined && repository !== former.repository;
  return {
    cwd,
    ...((gitRoot ?? former.gitRoot) !== undefined && { git_root: gitRoot }),
    ...(isOther && { repository, host_type: "github", branch: git.branch }),
  };
}
