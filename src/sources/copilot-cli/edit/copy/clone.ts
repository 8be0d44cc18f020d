/**
 * Clones a session's folder under a new id. Every line except session.start keeps its bytes, unless a reduction is
 * asked for.
 */
import type { Draft, Piece } from "../../../../model/plan.ts";
import type { Repair } from "../../../../model/plan-facts.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import type { Relocation } from "../../../../model/values/relocate.ts";
import type { Line } from "../../../../platform/fs/lines.ts";
import { throughPieces, withPiecedFile } from "../../../../platform/fs/pieced-file.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { type ChosenPaths, choosePaths } from "../../../files/copied-paths.ts";
import { originOf } from "../../../log/jsonl.ts";
import { type MovedLog, passedLines } from "../../../log/moved-log.ts";
import { type CloneRequest, drawWithin } from "../../../requests.ts";
import { toLosses } from "../../../rescue/losses.ts";
import type { Survey } from "../../../source.ts";
import { createReplay } from "../../context/replay.ts";
import { toMessages } from "../../context.ts";
import type { Judged } from "../../log/records.ts";
import { CHECKPOINT_FOLDER } from "../../workspace/checkpoints.ts";
import { LOG, SOURCE, under } from "../../workspace/locate.ts";
import { findOwner } from "../../workspace/locks.ts";
import { WORKSPACE_FILE } from "../../workspace/workspace.ts";
import { CHECKPOINT_TABLE } from "../cut/cut-sidecars.ts";
import { findOffsets } from "../cut/log-offsets.ts";
import { moveLog } from "../move/log.ts";
import { relocationTo } from "../move/relocation.ts";
import { moveSnapshots } from "../move/snapshots.ts";
import { readRowsFor, reduce } from "../reduce/reduce.ts";
import { copiedStates, createBackupCheck, snapshotsOf } from "../reduce/snapshots.ts";
import { placeholderFor } from "../reduce/turn-placeholder.ts";
import { rescueLog } from "../rescue/log.ts";
import { SNAPSHOT_INDEX } from "../rewind-files/snapshots.ts";
import {
  logBasis,
  newFolder,
  openFolder,
  planFolder,
  type SessionFolder,
  textOf,
  WRITTEN_ANEW,
} from "./folder.ts";
import { isInRepository, readMetadata, titleOf, toStartLine, toWorkspaceText } from "./identity.ts";
import { noteFolder } from "./noted-folder.ts";

/** A database that its program may be writing now cannot be copied as a file. */
const TASKS = /^session\.db(-wal)?$/;

export async function clone(disk: SessionFs, artifact: Artifact, request: CloneRequest): Promise<Draft> {
  const folder = await openFolder(disk, artifact);
  const { size: original } = await disk.stat(artifact.path);
  const listener = request.survey && createListener(disk, request.survey);
  const {
    repairs,
    paths,
    pieces: changed,
  } = await readCopied(disk, artifact, folder, request, listener?.seen);
  const fs = changed ? withPiecedFile(disk, artifact.path, changed) : disk;
  const fromDisk = (pieces: readonly Piece[]): readonly Piece[] =>
    changed ? throughPieces(pieces, artifact.path, changed) : pieces;
  const metadata = await readMetadata(fs, artifact, folder);
  const seen = await findOffsets(fs, artifact);
  const { start, size } = seen;
  if (repairs.length === 0) await listener?.tell(seen.turns.length);
  // With no turn left to copy, a start that is missing is what is wrong.
  if (repairs.length > 0 && seen.turns.length === 0) await findOffsets(disk, artifact);
  const isOpen = (await findOwner(fs, folder.path)) !== undefined;
  const place = request.workspace === undefined ? undefined : await noteFolder(fs, request.workspace);
  const identity = { ...request, ...(place && { place }) };
  const title = metadata.name || (await titleOf(fs, artifact));
  const name = request.name ?? request.copyName?.(title);
  const to = newFolder(artifact.root, request.id);
  const startLine = toStartLine(start.text, identity);
  const rows = request.reduce && (await readRowsFor(fs, artifact, seen, request.reduce));

  return drawWithin(request.reduce, async (reduction) => {
    const plan = planFolder(fs, folder, to, request.now);
    const losses = [...toLosses(repairs), ...passedLines(paths?.passed ?? [])];
    const placeholder = needsPlaceholder(request)
      ? placeholderFor(fs, artifact, { request, folder, seen, to })
      : undefined;
    const reduced =
      rows &&
      reduction &&
      (await reduce(fs, artifact, seen, rows, {
        reduction,
        start: startLine,
        ...(placeholder && { placeholder }),
      }));
    const made = placeholder?.checkpoint();
    const snapshots = reduced && (await snapshotsOf(fs, folder, reduced.keeps));
    const whole = [
      ...(start.start > 0 ? [{ file: artifact.path, start: 0, end: start.start }] : []),
      { text: startLine },
      { file: artifact.path, start: start.end, end: size },
    ];
    plan.add(LOG, fromDisk(reduced?.pieces ?? whole));
    const changes = {
      ...(name !== undefined && { name, user_named: request.name !== undefined }),
      ...(made && { summary_count: made.number }),
    };
    plan.add(WORKSPACE_FILE, [{ text: toWorkspaceText(metadata, identity, changes) }]);
    const isOfNone = createBackupCheck(snapshots);
    const copied = await copiedStates(fs, folder, to, snapshots);
    const recorded = paths && (copied ?? (await textOf(fs, folder, SNAPSHOT_INDEX)));
    const ofStates = paths?.chosen.count();
    const moved =
      recorded === undefined || !ofStates ? undefined : moveSnapshots(recorded, ofStates.relocation);
    const states = moved?.text ?? copied;
    for (const entry of folder.entries) {
      const name = folder.nameOf(entry);
      if (WRITTEN_ANEW.includes(name)) continue;
      if (made && name === CHECKPOINT_TABLE) continue;
      if (isOpen && TASKS.test(name)) losses.push(`the task list (${name}), because the session is open`);
      else if (name === SNAPSHOT_INDEX && states !== undefined) plan.add(name, [{ text: states }]);
      else if (!isOfNone(name)) await plan.copy(entry);
    }
    if (made) {
      plan.folder(CHECKPOINT_FOLDER);
      plan.add(made.name, [{ text: made.text }]);
      plan.add(CHECKPOINT_TABLE, [{ text: made.table }]);
    }
    if (place && !place.isInRepository && isInRepository(metadata))
      losses.push("repository and branch, because the new folder is not in a repository");
    return {
      session: { source: SOURCE, id: request.id, path: under(to, LOG) },
      basis: [...logBasis(folder, changed ? original : size), ...plan.basis()],
      steps: [{ does: "place", path: to, entries: plan.entries() }],
      ...(name !== undefined && { name }),
      losses,
      ...(!reduced && !changed && !place && { isWhole: true }),
      ...(repairs.length > 0 && { repairs }),
      ...(paths && {
        paths: paths.chosen.report({
          rewritten: paths.rewritten + (moved?.files ?? 0),
          kept: paths.kept + (ofStates?.kept() ?? 0),
        }),
      }),
      ...(reduced && { ledger: reduced.ledger }),
      ...(made && {
        checkpoint: {
          number: made.number,
          title: made.title,
          path: under(to, made.name),
          summary: made.text,
        },
      }),
    };
  });
}

interface Listener {
  seen(line: Line, judged: Judged): void;
  /** How many turns there are was found out by another reading. */
  tell(turns: number): Promise<void>;
}

/** What the model hears of the original, from a reading that looks for damage. */
function createListener(disk: SessionFs, survey: Survey): Listener {
  const replay = createReplay(survey.hold);
  let isWhole = true;
  return {
    seen(line, { record, fault }) {
      // The model gets all of a long message.
      isWhole &&= line.cut === 0;
      if (record && fault?.code !== "record-encoding") replay.push(record, originOf(line));
    },
    async tell(turns) {
      if (isWhole) survey.take({ turns, messages: await toMessages(disk, replay.end()) });
    },
  };
}

interface Copied {
  readonly repairs: readonly Repair[];
  readonly paths?: {
    readonly chosen: ChosenPaths;
    readonly rewritten: number;
    readonly kept: number;
    /** Lines too long to search. */
    readonly passed: readonly number[];
  };
  readonly pieces?: readonly Piece[];
}

/** What the copy is made of instead of the log's own bytes: the log as a rescue would leave it, with its paths rewritten. */
async function readCopied(
  disk: SessionFs,
  artifact: Artifact,
  folder: SessionFolder,
  request: CloneRequest,
  seen: Listener["seen"] | undefined,
): Promise<Copied> {
  const { pieces: sound, repairs } = await rescueLog(disk, artifact, { asCopy: true, seen });
  const fs = repairs.length > 0 ? withPiecedFile(disk, artifact.path, sound) : disk;
  const repaired = repairs.length > 0 ? sound : undefined;
  const relocation = request.workspace && (await relocationTo(fs, artifact, folder, request.workspace));
  if (!relocation) return { repairs, ...(repaired && { pieces: repaired }) };
  const { size } = await fs.stat(artifact.path);
  const inLog = (each: Relocation): Promise<MovedLog> => moveLog(fs, artifact.path, size, each, false);
  const states = (await textOf(fs, folder, SNAPSHOT_INDEX)) ?? "";
  const chosen = await choosePaths(fs, relocation, request.paths ?? "existing", async (each) => {
    await inLog(each);
    moveSnapshots(states, each);
  });
  const count = chosen.count();
  const { pieces, toolCalls, attachments, others, passed } = await inLog(count.relocation);
  const rewritten = toolCalls + attachments + others;
  const moved = repaired ? throughPieces(pieces, artifact.path, repaired) : pieces;
  const isSame = !repaired && rewritten === 0;
  return {
    repairs,
    paths: { chosen, rewritten, kept: count.kept(), passed },
    ...(!isSame && { pieces: moved }),
  };
}

/** A note says how many turns were left out by number; under a budget there is no room for one. */
const needsPlaceholder = ({ reduce: wanted }: CloneRequest): boolean =>
  wanted?.summarize !== undefined || wanted?.reduction.dropOldest !== undefined;
