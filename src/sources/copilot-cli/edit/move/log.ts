/** Rewrites the paths in a log whose folder has moved; every other byte stays the same. */

import type { Piece } from "../../../../model/plan.ts";
import { isWindowsPath } from "../../../../model/values/paths.ts";
import { createMentionFinder, type Relocation } from "../../../../model/values/relocate.ts";
import { eachLine, type Line } from "../../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { eachString, type StringValue } from "../../../../platform/json/strings.ts";
import { asString, decodeLine } from "../../../jsonl.ts";
import { roleOf } from "../../log/event-types.ts";
import { range } from "../cut/cut.ts";
import { isCopyOfRequest, movePath } from "./fields.ts";

export interface MovedLog {
  /** The same log as a whole when nothing in it changes. */
  readonly pieces: readonly Piece[];
  /** Paths in calls, which the model receives with the conversation. */
  readonly toolCalls: number;
  readonly attachments: number;
  /** Paths in all other records. */
  readonly others: number;
  /** How often other text names the folder. */
  readonly mentions: number;
  /** Lines too long to be looked through. */
  readonly passed: readonly number[];
}

export const passedLines = (lines: readonly number[]): string[] =>
  lines.map((line) => `paths in line ${line} of the log, which is too long to search`);

/** Longer lines would have to be held whole. */
const LONGEST_LINE = 64 << 20;

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export async function moveLog(
  fs: SessionFs,
  path: string,
  size: number,
  relocation: Relocation,
  withText: boolean,
): Promise<MovedLog> {
  const found = { toolCalls: 0, attachments: 0, others: 0, mentions: 0 };
  const passed: number[] = [];
  const edits: Edit[] = [];
  const findMentions = createMentionFinder({ from: inJson(relocation.from), to: inJson(relocation.to) });
  const mayHold = createClue(relocation.from);

  const visitString = (line: Line, type: string, { path: names, start, end }: StringValue): void => {
    const at = line.end - line.bytes.length;
    if (!mayHold(line.bytes.subarray(start, end))) return;
    const raw = line.bytes.toString("utf8", start, end);
    if (raw.includes("\ufffd")) return; // bytes that are no text would not survive being read and written
    const moved = movePath(names, JSON.parse(raw) as string, relocation);
    if (moved !== undefined) {
      edits.push({ start: at + start, end: at + end, text: JSON.stringify(moved) });
      found[kindOf(type, names)]++;
      return;
    }
    if (names.at(-1) === "checkpointPath") return;
    for (const mention of findMentions(raw)) {
      found.mentions++;
      if (!withText) continue;
      const before = at + start + Buffer.byteLength(raw.slice(0, mention.start));
      const length = Buffer.byteLength(raw.slice(mention.start, mention.end));
      edits.push({ start: before, end: before + length, text: mention.text });
    }
  };
  await eachLine(
    fs,
    path,
    (line) => {
      if (line.cut > 0) {
        passed.push(line.number);
        return;
      }
      const decoded = decodeLine(line);
      if (decoded.kind !== "record") return; // damaged: `doctor` tells of it, and it stays as it is
      const type = asString(decoded.record.type) ?? "";
      if (!isCopyOfRequest(type)) eachString(line.bytes, (value) => visitString(line, type, value));
    },
    {
      start: 0,
      end: size,
      maxLine: LONGEST_LINE,
      skipLong: true,
      pass: (bytes, start, end) => !mayHold(bytes.subarray(start, end)),
    },
  );
  return { pieces: toPieces(path, size, edits), ...found, passed };
}

function kindOf(type: string, names: readonly string[]): "toolCalls" | "attachments" | "others" {
  const role = roleOf(type);
  if (role === "answer" && names[1] === "toolRequests") return "toolCalls";
  return role === "prompt" && names[1] === "attachments" ? "attachments" : "others";
}

/** Most lines can be passed over: a part of the folder's name that no JSON writes otherwise is not in them. */
function createClue(folder: string): (bytes: Buffer) => boolean {
  const runs = folder.match(/[A-Za-z0-9]+/g) ?? [];
  const clue = runs.reduce((longest, run) => (run.length > longest.length ? run : longest), "");
  if (!isWindowsPath(folder)) return (bytes) => bytes.includes(clue);
  return (bytes) => bytes.toString("latin1").toLowerCase().includes(clue.toLowerCase());
}

/** Backslashes are found however often they are doubled. */
const inJson = (folder: string): string =>
  folder.includes("\\") ? folder : JSON.stringify(folder).slice(1, -1);

function toPieces(file: string, size: number, edits: readonly Edit[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end, text } of edits) {
    pieces.push(...range(file, at, start), { text });
    at = end;
  }
  return [...pieces, ...range(file, at, size)];
}
