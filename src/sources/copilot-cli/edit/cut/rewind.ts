/**
 * Rewinds a session in place: cuts the log and the checkpoints after a turn. Like the program's own rewind of a
 * conversation, but every kept line keeps its bytes. Both keep the file states of dropped prompts, unless the
 * workspace's files are restored as well.
 */
import { AppError } from "../../../../model/errors.ts";
import type { Draft } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { RewindRequest } from "../../../requests.ts";
import { droppedTurns } from "../../../summary/turn-names.ts";
import { LOG, SOURCE } from "../../workspace/locate.ts";
import { WORKSPACE_FILE } from "../../workspace/workspace.ts";
import { openFolder, type SessionFolder, textOf } from "../copy/folder.ts";
import { changeFields, hasFields } from "../copy/workspace-text.ts";
import { rewindFiles } from "../rewind-files/rewind-files.ts";
import { checkpointsBefore, findCut, range } from "./cut.ts";
import { CHECKPOINT_TABLE, checkpointOf, cutIndex } from "./cut-sidecars.ts";
import { countRecords, findOffsets, type LogOffsets } from "./log-offsets.ts";
import { replaceFile, replaceText } from "./replace.ts";

type Part = Pick<Draft, "basis" | "steps">;

export async function rewind(fs: SessionFs, artifact: Artifact, request: RewindRequest): Promise<Draft> {
  const { now } = request;
  const folder = await openFolder(fs, artifact);
  const seen = await findOffsets(fs, artifact);
  const { at, before } = await findCut(fs, artifact, seen, request.to);
  const kept = seen.turns.filter((turn) => turn.start < at).length;
  if (kept === 0) throw nothingLeft(artifact);
  const { start } = seen;
  // The program puts a session.start that stands elsewhere in front; behind the cut it would be lost.
  const front = start.start >= at ? [{ text: `${start.text}\n` }] : [];
  const log = replaceFile(folder, LOG, [...front, ...range(artifact.path, 0, at)], now);
  // The log first: it alone decides, and extra checkpoints do no harm.
  const parts = at < seen.size ? [log, ...(await cutCheckpoints(fs, folder, seen, at, now))] : [];
  const changed = await rewindFiles(fs, artifact, folder, { ...request, at });
  const basis = [...parts, changed].flatMap((part) => part.basis);
  return {
    session: { source: SOURCE, id: artifact.id, path: artifact.path },
    // A kept state of a file may be both read and taken away.
    basis: [...new Map(basis.map((each) => [each.entry.path, each])).values()],
    steps: [...parts, changed].flatMap(({ steps }) => steps),
    losses: [...cutTurn(seen, kept - 1, at), ...droppedTurns(seen.turns, kept), ...changed.losses],
    files: changed.files,
    removed: {
      events: await countRecords(fs, artifact.path, at, seen.size),
      ...(before !== undefined && { from: before }),
    },
    ...(request.files && { withFiles: true }),
  };
}

const nothingLeft = ({ id }: Artifact): AppError =>
  new AppError(
    "turn-not-found",
    `No turn of session ${id} comes before that event, so nothing would be left`,
    {
      say: "Name a later event or a turn",
      remedy: { action: "show", session: `${SOURCE}:${id}` },
    },
  );

/** Of a turn that the cut goes through, the end goes. */
const cutTurn = ({ turns, size }: LogOffsets, turn: number, at: number): string[] =>
  at < (turns[turn + 1]?.start ?? size) ? [`the end of turn ${turn}`] : [];

async function cutCheckpoints(
  fs: SessionFs,
  folder: SessionFolder,
  seen: LogOffsets,
  at: number,
  now: Date,
): Promise<Part[]> {
  const kept = checkpointsBefore(at, seen);
  if (!kept.isCut) return [];
  const [table, workspace] = [
    await textOf(fs, folder, CHECKPOINT_TABLE),
    await textOf(fs, folder, WORKSPACE_FILE),
  ];
  const counted = { summary_count: kept.count, updated_at: now.toISOString() };
  const dropped = folder.entries.filter((entry) => {
    const number = checkpointOf(folder.nameOf(entry));
    return number !== undefined && !kept.has(number);
  });
  return [
    ...(table === undefined ? [] : [replaceText(folder, CHECKPOINT_TABLE, cutIndex(table, kept.has), now)]),
    ...(workspace !== undefined && hasFields(workspace)
      ? [replaceText(folder, WORKSPACE_FILE, changeFields(workspace, counted), now)]
      : []),
    ...dropped.map((entry): Part => ({ basis: [{ entry }], steps: [{ does: "remove", path: entry.path }] })),
  ];
}
