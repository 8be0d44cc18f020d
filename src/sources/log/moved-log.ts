/** Rewrites the paths in a log of JSON lines whose folder has moved; every other byte stays the same. */
import type { Piece } from "../../model/plan.ts";
import { append } from "../../model/values/lists.ts";
import { isWindowsPath } from "../../model/values/paths.ts";
import { createMentionFinder, type Relocation, type Substitution } from "../../model/values/relocate.ts";
import { eachLine, type Line } from "../../platform/fs/lines.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { jsonEdits } from "../../platform/json/rewrite.ts";
import { eachString, type StringValue } from "../../platform/json/strings.ts";
import { decodeLine, type JsonObject } from "./jsonl.ts";

export interface PathCounts {
  /** Paths in calls, which the model receives with the conversation. */
  toolCalls: number;
  attachments: number;
  /** Folders that records say they were written in, where these follow by themselves. */
  folders: number;
  /** Paths in all other records. */
  others: number;
  /** How often other text names the folder. */
  mentions: number;
}

export interface MovedLog extends Readonly<PathCounts> {
  /** The same log as a whole when nothing in it changes. */
  readonly pieces: readonly Piece[];
  /** Lines too long to be looked through. */
  readonly passed: readonly number[];
}

/** A string that is a path, or holds paths of the program's own, as it is afterwards. */
export interface MovedString {
  readonly text: string;
  readonly as: "toolCalls" | "attachments" | "folders" | "others";
  /** How many paths in it; one unless it is said. */
  readonly count?: number;
  /** What else is in it are words, which may name the folder, too. */
  readonly isWords?: boolean;
}

/** What becomes of a string, by the names that lead to it. Strings that are kept are not looked through for words, either. */
export type MoveString = (names: readonly string[], value: string) => MovedString | "words" | "kept";

export interface LogRules {
  readonly withText: boolean;
  /** Nothing for a record that stays as it is. */
  of(record: JsonObject): MoveString | undefined;
  /** The record as it is to be where it cannot be told string by string; undefined for all that can. */
  whole?(record: JsonObject): JsonObject | undefined;
  /** Other folders whose names are to be found. */
  readonly alsoAbout?: readonly string[];
  /** Words that name this folder, or something below it, stay. */
  readonly except?: string;
}

export const passedLines = (lines: readonly number[]): string[] =>
  lines.map((line) => `paths in line ${line} of the log, which is too long to search`);

/** Longer lines would have to be held whole. */
const LONGEST_LINE = 64 << 20;

export async function moveLog(
  fs: SessionFs,
  path: string,
  size: number,
  relocation: Relocation,
  rules: LogRules,
): Promise<MovedLog> {
  const found: PathCounts = { toolCalls: 0, attachments: 0, folders: 0, others: 0, mentions: 0 };
  const passed: number[] = [];
  const edits: Substitution[] = [];
  const findMentions = createRawFinder(relocation, rules.except);
  const mayHold = createClue([relocation.from, ...(rules.alsoAbout ?? [])]);

  const visitString = (line: Line, move: MoveString, { path: names, start, end }: StringValue): void => {
    const at = line.end - line.bytes.length;
    if (!mayHold(line.bytes.subarray(start, end))) return;
    const raw = line.bytes.toString("utf8", start, end);
    if (raw.includes("\ufffd")) return; // bytes that are no text would not survive being read and written
    const moved = move(names, JSON.parse(raw) as string);
    if (moved === "kept") return;
    if (moved !== "words") {
      found[moved.as] += moved.count ?? 1;
      const text = JSON.stringify(moved.text);
      const mentions = moved.isWords ? findMentions(text) : [];
      found.mentions += mentions.length;
      const all = rules.withText ? substitute(text, mentions) : text;
      edits.push({ start: at + start, end: at + end, text: all });
      return;
    }
    for (const mention of findMentions(raw)) {
      found.mentions++;
      if (!rules.withText) continue;
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
      const decoded = decodeLine(line, rules.whole !== undefined);
      if (decoded.kind !== "record") return; // damaged: `doctor` tells of it, and it stays as it is
      const whole = decoded.replaced ? undefined : rules.whole?.(decoded.record);
      if (whole !== undefined) {
        const at = line.end - line.bytes.length;
        const inside = jsonEdits(line.bytes, whole) ?? [];
        append(
          edits,
          inside.map(({ start, end, text }) => ({ start: at + start, end: at + end, text })),
        );
        return;
      }
      const move = rules.of(decoded.record);
      if (move) eachString(line.bytes, (value) => visitString(line, move, value));
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

/** Most lines can be passed over: a part of the folder's name that no JSON writes otherwise is not in them. */
function createClue(folders: readonly string[]): (bytes: Buffer) => boolean {
  const checks = folders.map((folder): ((bytes: Buffer) => boolean) => {
    const runs = folder.match(/[A-Za-z0-9]+/g) ?? [];
    const clue = runs.reduce((longest, run) => (run.length > longest.length ? run : longest), "");
    if (!isWindowsPath(folder)) return (bytes) => bytes.includes(clue);
    return (bytes) => bytes.toString("latin1").toLowerCase().includes(clue.toLowerCase());
  });
  return (bytes) => checks.some((check) => check(bytes));
}

/** In JSON, where backslashes are found however often they are doubled. */
function createRawFinder({ from, to }: Relocation, except?: string): (raw: string) => Substitution[] {
  const find = createMentionFinder({ from: inJson(from), to: inJson(to) });
  const spared = except === undefined ? undefined : inJson(except);
  return (raw) => find(raw).filter(({ start }) => spared === undefined || !isBelow(raw.slice(start), spared));
}

const isBelow = (text: string, folder: string): boolean =>
  text.startsWith(folder) && !/^[\p{L}\p{N}_-]/u.test(text.slice(folder.length));

const inJson = (folder: string): string =>
  folder.includes("\\") ? folder : JSON.stringify(folder).slice(1, -1);

export const substitute = (text: string, places: readonly Substitution[]): string =>
  places.reduceRight(
    (changed, { start, end, text: there }) => changed.slice(0, start) + there + changed.slice(end),
    text,
  );

export function toPieces(file: string, size: number, edits: readonly Substitution[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end, text } of edits) {
    if (start > at) pieces.push({ file, start: at, end: start });
    pieces.push({ text });
    at = end;
  }
  return at < size ? [...pieces, { file, start: at, end: size }] : pieces;
}
