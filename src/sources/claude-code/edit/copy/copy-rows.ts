/**
 * Copies rows of a transcript under another id. They stay in the order of the file and keep their bytes, but for the id
 * of the session and the links across rows that are left out.
 */
import type { Piece } from "../../../../model/plan.ts";
import { eachLine, type Line } from "../../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { asObject, decodeLine, type JsonObject } from "../../../log/jsonl.ts";
import { createPieces, type MemberTexts, type Pieces } from "../../../log/pieces.ts";
import { NONE, type RowTable } from "../../tree/row-table.ts";
import { keepPreserved } from "../preserved.ts";
import { keptBefore, type Transcript } from "../transcript.ts";
import { endLine, keepsNote, titleLine } from "./notes.ts";

export interface CopyOf {
  /** Of the copy, or of the session itself where rows are only to be left out. */
  readonly id: string;
  /** It is the same session: all that is said about it stays, but for where it ends. */
  readonly isSame?: boolean;
  /** Which rows of the conversation stay. */
  keeps(row: number): boolean;
  /** Other values for members of a row, as JSON; null for those that go. */
  change?(row: number, line: Line): MemberTexts;
  /** The same where a row, or another line, has the member. */
  readonly everywhere?: MemberTexts;
  /** What stands before the first row, as a row that the first one follows: its id and its line. */
  readonly front?: { readonly id: string; readonly line: string };
  readonly title?: string;
}

export async function copyRows(
  fs: SessionFs,
  path: string,
  transcript: Transcript,
  of: CopyOf,
): Promise<readonly Piece[]> {
  const { table, rows, size, idOf } = transcript;
  const stays = (row: number): boolean => row !== NONE && transcript.isLive(row) && of.keeps(row);
  const byStart = new Map(rows.filter(of.keeps).map((row) => [table.start(row), row]));
  const keepsId = (id: string): boolean => stays(rowOf(table, id));
  const everywhere: MemberTexts = {
    // Sessions that were made without a terminal do not show in the program's list.
    ...(!of.isSame && { sessionId: JSON.stringify(of.id), entrypoint: '"cli"' }),
    ...of.everywhere,
  };
  const live = new Set(rows.map((row) => table.start(row)));
  const isWanted = (line: Line): boolean =>
    of.isSame
      ? !live.has(line.start) && staysInPlace(line)
      : isKeptNote(line, (note) => keepsNote(note, keepsId));
  const pieces = createPieces(path);
  let isBegun = false;
  const visit = (line: Line): void => {
    const row = byStart.get(line.start);
    if (row === undefined && !isWanted(line)) return;
    if (!isBegun && row !== undefined) pieces.write(of.front?.line ?? "");
    isBegun ||= row !== undefined;
    if (line.cut > 0)
      pieces.keep(line.start, line.end); // too long to be held, so too long to be changed
    else if (row === undefined && of.isSame) pieces.keep(line.start, line.end);
    else if (row === undefined) pieces.set(line, {}, everywhere);
    else {
      const links = linksOf(transcript, row, stays, of.front?.id);
      const preserved = preservedOf(transcript, row, line, stays);
      pieces.set(line, { ...links, ...preserved, ...of.change?.(row, line) }, everywhere);
    }
    endLineOf(line, pieces);
  };
  const maxLine = Number.POSITIVE_INFINITY;
  await eachLine(fs, path, visit, { start: 0, end: size, maxLine });
  const leaf = transcript.path.findLast(stays);
  const last = rows.reduce((latest, row) => (of.keeps(row) ? Math.max(latest, row) : latest), NONE);
  if (leaf !== undefined && last !== leaf) pieces.write(endLine(of.id, idOf(leaf)));
  if (of.title !== undefined) pieces.write(titleLine(of.id, of.title));
  return pieces.all();
}

/** Branches that were left stay, and so does what is damaged; a compaction on one would make the program forget the rest. */
function staysInPlace(line: Line): boolean {
  const decoded = decodeLine(line);
  if (decoded.kind !== "record") return true;
  const { type, subtype } = decoded.record;
  return type !== "last-prompt" && subtype !== "compact_boundary";
}

function isKeptNote(line: Line, isWanted: (record: JsonObject) => boolean): boolean {
  const decoded = decodeLine(line);
  return decoded.kind === "record" && !isRow(decoded.record.type) && isWanted(decoded.record);
}

/** Rows that are not in the conversation: of a branch that was left, or written again later. */
const isRow = (type: unknown): boolean =>
  type === "user" ||
  type === "assistant" ||
  type === "system" ||
  type === "attachment" ||
  type === "progress";

/** Links of a row to rows that are left out lead to those before them instead. */
function linksOf(
  transcript: Transcript,
  row: number,
  stays: (row: number) => boolean,
  front: string | undefined,
): MemberTexts {
  const { table } = transcript;
  const before = (): string => JSON.stringify(keptBefore(transcript, row, stays) ?? front ?? null);
  const named = table.parent(row);
  const { boundary, logicalParent } = table.details.get(row) ?? {};
  // Nothing comes before a boundary for the model, and for people the row that it names.
  if (boundary && named === NONE)
    return logicalParent === undefined || stays(rowOf(table, logicalParent))
      ? {}
      : { logicalParentUuid: before() };
  if (named === NONE) return front === undefined ? {} : { parentUuid: JSON.stringify(front) };
  return stays(table.find(named)) ? {} : { parentUuid: before() };
}

const rowOf = (table: RowTable, id: string): number =>
  table.names.has(id) ? table.find(table.names.of(id)) : NONE;

/** Of the rows that a compaction preserved, it names those that stay: one that is missing would cost all of them. */
function preservedOf(
  { table }: Transcript,
  row: number,
  line: Line,
  stays: (row: number) => boolean,
): MemberTexts {
  const { preserved = [] } = table.details.get(row)?.boundary ?? {};
  const kept = preserved.filter((id) => stays(rowOf(table, id)));
  if (kept.length === preserved.length) return {};
  const decoded = decodeLine(line, true);
  const metadata = decoded.kind === "record" ? asObject(decoded.record.compactMetadata) : undefined;
  return metadata ? { compactMetadata: JSON.stringify(keepPreserved(metadata, kept)) } : {};
}

/** A last line without its line feed gets one: more follows. */
function endLineOf(line: Line, pieces: Pieces): void {
  if (line.ended) pieces.keep(line.end, line.end + 1);
  else pieces.write("\n");
}
