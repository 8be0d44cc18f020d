/** A transcript, and the logs of its sub-agents, as they read in a copy for another folder; the files themselves stay. */
import type { Piece } from "../../../../model/plan.ts";
import type { CopiedPaths } from "../../../../model/plan-facts.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import type { Relocation } from "../../../../model/values/relocate.ts";
import { readGit } from "../../../../platform/disk/git-folder.ts";
import { eachLine, LONGEST_LINE } from "../../../../platform/fs/lines.ts";
import { throughPieces, withPiecedFile } from "../../../../platform/fs/pieced-file.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { choosePaths } from "../../../files/copied-paths.ts";
import { asObject, decodeLine } from "../../../log/jsonl.ts";
import { type MovedLog, moveLog, passedLines } from "../../../log/moved-log.ts";
import type { MemberTexts } from "../../../log/pieces.ts";
import type { CloneRequest } from "../../../requests.ts";
import { files } from "../../files.ts";
import { decodeSkimming } from "../../skim.ts";
import { firstPass } from "../../tree/first-pass.ts";
import { createStateMover } from "../move/file-states.ts";
import { rowRules } from "../move/rows.ts";

export interface ForFolder {
  /** Reads the rows with their new paths. */
  readonly fs: SessionFs;
  /** How long the transcript is as it lies there, where it reads otherwise. */
  readonly size?: number;
  /** What is made of these, as pieces of the files on disk. */
  fromDisk(pieces: readonly Piece[]): readonly Piece[];
  /** What every row says of the new folder. */
  readonly everywhere: MemberTexts;
  /** For sessions that do not record a folder: the new one. */
  readonly everyRow: MemberTexts;
  /** The files that hold states of files and are called otherwise in the copy. */
  readonly stateNames: ReadonlyMap<string, string>;
  readonly paths?: CopiedPaths;
  readonly losses: readonly string[];
}

export async function readForFolder(
  disk: SessionFs,
  artifact: Artifact,
  workspace: string,
  rule: NonNullable<CloneRequest["paths"]>,
): Promise<ForFolder> {
  const { path } = artifact;
  const facts = await firstPass(disk, path, () => undefined, { decode: decodeSkimming(0) });
  const { branch } = (await readGit(disk, workspace)) ?? {};
  const moved = await moveRows(disk, artifact, facts.workspace, workspace, rule);
  const { fs = disk } = moved ?? {};
  return {
    fs,
    fromDisk: moved?.fromDisk ?? ((pieces) => pieces),
    // "HEAD" is what it writes for a folder without git.
    everywhere: { gitBranch: JSON.stringify(branch ?? "HEAD") },
    everyRow: facts.workspace === undefined ? { cwd: JSON.stringify(workspace) } : {},
    stateNames: moved?.stateNames ?? new Map(),
    ...(moved && { paths: moved.paths, size: moved.size }),
    losses: [
      ...passedLines(moved?.passed ?? []),
      ...(facts.branch !== undefined && branch === undefined
        ? ["repository and branch, because the new folder is not in a repository"]
        : []),
    ],
  };
}

interface MovedRows {
  readonly fs: SessionFs;
  readonly size: number;
  fromDisk(pieces: readonly Piece[]): readonly Piece[];
  readonly stateNames: ReadonlyMap<string, string>;
  readonly paths: CopiedPaths;
  readonly passed: readonly number[];
}

/** Nothing where the session does not record its folder, or keeps it. */
async function moveRows(
  disk: SessionFs,
  artifact: Artifact,
  from: string | undefined,
  to: string,
  rule: NonNullable<CloneRequest["paths"]>,
): Promise<MovedRows | undefined> {
  if (from === undefined || from === to) return undefined;
  const sizes = new Map<string, number>();
  for (const path of await files(disk, artifact))
    if (path.endsWith(".jsonl")) sizes.set(path, (await disk.stat(path)).size);
  const inLogs = async (relocation: Relocation) => {
    const states = createStateMover(from, relocation);
    const rules = rowRules({ relocation, place: { from, to }, states, root: artifact.root, withText: false });
    const moved = new Map<string, MovedLog>();
    for (const [log, size] of sizes) moved.set(log, await moveLog(disk, log, size, { from, to }, rules));
    return { states, moved };
  };
  const chosen = await choosePaths(disk, { from, to }, rule, inLogs);
  const count = chosen.count();
  const { states, moved } = await inLogs(count.relocation);
  const all = [...moved.values()];
  const rewritten = all.reduce(
    (sum, { toolCalls, attachments, others }) => sum + toolCalls + attachments + others,
    0,
  );
  return {
    fs: [...moved].reduce((fs, [log, { pieces }]) => withPiecedFile(fs, log, pieces), disk),
    fromDisk: (pieces) =>
      [...moved].reduce((left, [log, each]) => throughPieces(left, log, each.pieces), pieces),
    size: sizes.get(artifact.path) ?? 0,
    stateNames: states.names,
    paths: chosen.report({ rewritten: rewritten + states.count(), kept: count.kept() }),
    passed: all.flatMap((each) => each.passed),
  };
}

const PROMPT = "prompt_snapshot";

export const PROMPT_LEFT_OUT = "the recorded system prompt, because Claude Code makes one for the new folder";

/** The system prompts that were recorded, by where they start: for another folder, the program makes its own. */
export async function findPrompts(fs: SessionFs, path: string): Promise<Set<number>> {
  const found = new Set<number>();
  await eachLine(
    fs,
    path,
    (line) => {
      if (!line.bytes.includes(PROMPT)) return;
      const decoded = decodeLine(line);
      const attachment = decoded.kind === "record" ? asObject(decoded.record.attachment) : undefined;
      if (attachment?.type === PROMPT) found.add(line.start);
    },
    { maxLine: LONGEST_LINE },
  );
  return found;
}
