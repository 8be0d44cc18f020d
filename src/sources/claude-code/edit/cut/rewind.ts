/**
 * Rewinds a session in place by one more line, which says where the conversation ends. The turns that go stay in the
 * file as a branch that was left, as after a rewind in the program itself. Behind a compaction the program has forgotten
 * the row that the line would name, and what was typed while a tool ran hangs on the result of that, wherever the
 * conversation ends: there, the rows that go are taken out of the file.
 */
import { AppError } from "../../../../model/errors.ts";
import type { Draft } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { appendLines, replaceContent } from "../../../log/append-lines.ts";
import type { RewindRequest } from "../../../requests.ts";
import { droppedTurns } from "../../../summary/turn-names.ts";
import { SOURCE } from "../../scan.ts";
import { keptOf } from "../../tree/faults.ts";
import { copyRows } from "../copy/copy-rows.ts";
import { endLine } from "../copy/notes.ts";
import { rewindFiles } from "../rewind-files/rewind-files.ts";
import { openTranscript, rowsUpTo, type Transcript } from "../transcript.ts";

export async function rewind(fs: SessionFs, artifact: Artifact, request: RewindRequest): Promise<Draft> {
  const transcript = await openTranscript(fs, artifact);
  const { rows, path, turns, idOf, turnOf } = transcript;
  const end = rowsUpTo(artifact, transcript, request.to);
  const session = { source: SOURCE, id: artifact.id, path: artifact.path };
  const kept = new Set(rows.slice(0, end));
  const leaf = path.findLast((row) => kept.has(row));
  if (leaf === undefined) throw nothingLeft(artifact);
  const gone = rows.length - end;
  if (gone > 0 && isBroken(transcript)) throw brokenCompaction(artifact);
  const cutBehind = async (last: number): Promise<Pick<Draft, "basis" | "steps">> => {
    const mark = endLine(artifact.id, endOf(transcript, last), true);
    if (!isForgotten(transcript, last) && !comesBack(transcript, rows.slice(end), last))
      return appendLines(fs, artifact.path, mark, request.now);
    const left = { id: artifact.id, isSame: true, keeps: (row: number) => kept.has(row) };
    const pieces = await copyRows(fs, artifact.path, transcript, left);
    return replaceContent(fs, artifact.path, [...pieces, { text: mark }], request.now);
  };
  const change = gone === 0 ? { basis: [], steps: [] } : await cutBehind(leaf);
  const changed = await rewindFiles(fs, artifact, transcript, { ...request, end });
  const last = turnOf(leaf);
  const isCut = end < rows.length && turnOf(rows[end] ?? leaf) === last;
  const first = rows[end];
  return {
    session,
    basis: [...change.basis, ...changed.basis],
    steps: [...change.steps, ...changed.steps],
    losses: [
      ...(isCut ? [`the end of turn ${last}`] : []),
      ...droppedTurns(turns, last + 1),
      ...changed.losses,
    ],
    files: changed.files,
    ...(request.files && { withFiles: true }),
    removed: { events: gone, ...(first !== undefined && { from: idOf(first) }) },
  };
}

/** What a compaction preserved follows its summary, so the conversation then ends with that. */
function endOf({ table, idOf, isLive }: Transcript, row: number): string {
  const id = idOf(row);
  const [, { boundary }] = [...table.details].findLast(([, each]) => each.boundary?.anchor === id) ?? [0, {}];
  return boundary?.preserved.findLast((one) => isLive(table.find(table.names.of(one)))) ?? id;
}

/** A compaction comes after it in the file. */
const isForgotten = ({ table }: Transcript, row: number): boolean =>
  [...table.details].some(([at, { boundary }]) => boundary !== undefined && at > row && table.isLast(at));

/** The program tells again what hangs on the last message of a conversation. */
function comesBack({ table, path }: Transcript, gone: readonly number[], leaf: number): boolean {
  const isMessage = (row: number): boolean => table.kind(row) === "user" || table.kind(row) === "assistant";
  const last = path.slice(0, path.indexOf(leaf) + 1).findLast(isMessage);
  const isGone = new Set(gone.filter((row) => !isMessage(row)));
  return [...isGone].some((row) => {
    let above = table.find(table.parent(row));
    for (const seen = new Set<number>(); isGone.has(above) && !seen.has(above); ) {
      seen.add(above);
      above = table.find(table.parent(above));
    }
    return above === last || above === leaf;
  });
}

/** Of such a compaction the program takes up less, or more, than it was about; where it ends then nobody can say. */
function isBroken({ table }: Transcript): boolean {
  const [, { boundary }] = [...table.details].findLast(([, each]) => each.boundary) ?? [0, {}];
  if (!boundary) return false;
  const { anchor, preserved } = boundary;
  const named = anchor === undefined ? preserved : [anchor, ...preserved];
  return keptOf(table, named).length < named.length;
}

const brokenCompaction = ({ id }: Artifact): AppError =>
  new AppError("unreadable", `A compaction of session ${id} has lost messages that it names`, {
    say: "Repair the session first",
    remedy: { action: "rescue", session: `${SOURCE}:${id}` },
  });

const nothingLeft = ({ id }: Artifact): AppError =>
  new AppError("turn-not-found", `No row of session ${id} would be left`, {
    say: "Name a later row or a turn",
    remedy: { action: "show", session: `${SOURCE}:${id}` },
  });
