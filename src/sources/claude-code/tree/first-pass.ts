/** The first pass over a transcript: reads every line once, and keeps only what decides its shape. */

import type { Problem, ProblemCode } from "../../../model/problem.ts";
import { printed } from "../../../model/text/printed.ts";
import { inBrief } from "../../../model/values/json.ts";
import { isOddTime, ODD_TIME, toMs } from "../../../model/values/time.ts";
import { eachLine, type Line } from "../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import { type NotedOrigin, originIn } from "../../handed-work.ts";
import { asObject, asString, type JsonObject, TOO_DEEP_TO_SHOW } from "../../log/jsonl.ts";
import { isChained, isSideNote } from "../records.ts";
import { type Decode, decodeWhole } from "../skim.ts";
import type { Content } from "./row-reader.ts";
import { createRowTable, NONE, type RowTable } from "./row-table.ts";
import { type Row, toRow } from "./rows.ts";

/** `last-prompt`: the row the program considered the end of the conversation when it wrote it. */
export interface LeafMark {
  readonly leaf: string;
  readonly explicit: boolean;
  /** Whether a chained row was written after it. */
  readonly followed: boolean;
}

export interface Titles {
  custom?: string;
  generated?: string;
  summary?: string;
  lastPrompt?: string;
}

export interface FirstPass extends Facts {
  readonly rows: RowTable;
  /** The end of the last complete line; undefined when the file has more after it. */
  readonly stop: { readonly offset: number; readonly lines: number } | undefined;
}

/** What a transcript says about itself. */
export interface Facts {
  readonly mark?: LeafMark;
  /** Whether the program marked where the conversation ends, and whether it was rewound. */
  readonly marks?: "plain" | "rewound";
  /** Before which rows it was rewound, by number, and to which row, where the mark names one that is there. */
  readonly rewinds?: readonly { readonly at: number; readonly leaf: string }[];
  readonly titles: Titles;
  readonly workspace?: string;
  readonly branch?: string;
  readonly producer?: string;
  readonly forkedFrom?: string;
  readonly origin?: NotedOrigin;
  /** The session that the first row says it belongs to. */
  readonly session?: string;
  /** Milliseconds. */
  readonly firstTime?: number;
  readonly lastTime?: number;
}

export interface FirstPassOptions {
  /** Not the session's own file: named in every origin. */
  readonly agentFile?: boolean;
  /** The log of a sub-agent: its rows are its own main line. */
  readonly isAgent?: boolean;
  readonly maxLine?: number;
  readonly decode?: Decode;
  /** Is shown every chained row that speaks, by its number, with its content. */
  readonly keep?: (row: number, content: Content) => void;
  /** Only what follows: the row that it goes on from, and what was said before. */
  readonly from?: {
    readonly offset: number;
    readonly lines: number;
    readonly row: Row;
    readonly facts: Facts;
  };
  /** Only these bytes; rows before them are taken to be missing. */
  readonly range?: { readonly start: number; readonly end: number; readonly line: number };
}

export type Report = (problem: Omit<Problem, "source" | "session">) => void;

export async function firstPass(
  fs: SessionFs,
  path: string,
  report: Report,
  options: FirstPassOptions = {},
): Promise<FirstPass> {
  const rows = createRowTable(options.agentFile ? path : undefined);
  const { from } = options;
  const facts: Mutable<Facts> = { ...from?.facts, titles: { ...from?.facts.titles } };
  if (from) rows.add(from.row);
  let stop: FirstPass["stop"] = { offset: from?.offset ?? 0, lines: from?.lines ?? 0 };
  const decode = options.decode ?? decodeWhole;
  const say = (line: Line, code: ProblemCode, message: string): void =>
    report({ code, path, line: line.number, message });

  const visit = (line: Line): void => {
    stop = line.ended ? { offset: line.end + 1, lines: line.number } : undefined;
    const decoded = decode(line);
    if (decoded.kind === "bad") say(line, decoded.code, decoded.why);
    if (decoded.kind !== "record") return;
    if (decoded.replaced)
      say(line, "record-encoding", "the line has bytes that are not UTF-8; they are read as U+FFFD");
    if (decoded.isCut) say(line, "too-deep", TOO_DEEP_TO_SHOW);
    if (line.cut > 0)
      say(line, "too-large", `the line has ${line.end - line.start} bytes; long texts in it are cut here`);
    const { record } = decoded;
    if (isChained(record)) chain(decoded, line);
    else if (isSideNote(record)) note(record, facts, rows.size);
    else say(line, "record-unknown", `unknown row type ${inBrief(record.type)}${writtenBy(record)}`);
  };

  const chain = (content: Content, line: Line): void => {
    const { record } = content;
    const row = toRow(record, line, options.isAgent === true);
    if ("lacks" in row) {
      say(line, "record-invalid", `a row of type ${printed(record.type)} has no ${row.lacks}`);
      return;
    }
    const at = rows.add(row);
    if (!row.isMute) options.keep?.(at, content);
    // A boundary starts a new account of where the conversation ends.
    if (row.details?.boundary) delete facts.mark;
    else if (facts.mark && !row.sidechain) facts.mark = { ...facts.mark, followed: true };
    // The row keeps its time, by which the program chooses between branches.
    const time = toMs(row.time);
    if (time === undefined && isOddTime(record.timestamp)) say(line, "time-odd", ODD_TIME);
    remember(record, time, facts);
  };

  await eachLine(fs, path, visit, {
    ...(options.maxLine !== undefined && { maxLine: options.maxLine }),
    ...(from && { start: from.offset, number: from.lines + 1 }),
    ...(options.range && { ...options.range, number: options.range.line }),
  });
  listPreserved(rows);
  return { ...facts, rows, stop };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function remember(record: JsonObject, time: number | undefined, facts: Mutable<Facts>): void {
  if (time !== undefined) {
    if (facts.firstTime === undefined || time < facts.firstTime) facts.firstTime = time;
    if (facts.lastTime === undefined || time > facts.lastTime) facts.lastTime = time;
  }
  // Where the session began: later rows follow the shell through `cd`.
  const workspace = asString(record.cwd);
  if (facts.workspace === undefined && workspace) facts.workspace = workspace;
  const branch = asString(record.gitBranch);
  const session = asString(record.sessionId);
  if (facts.session === undefined && session) facts.session = session;
  // "HEAD" is what it writes for a detached head, and for a folder without git.
  if (branch && branch !== "HEAD") facts.branch = branch;
  const producer = asString(record.version);
  if (producer) facts.producer = producer;
  const origin = asString(asObject(record.forkedFrom)?.sessionId);
  if (origin) facts.forkedFrom = origin;
  const handed = originIn(record);
  if (handed) facts.origin = handed;
}

function note(record: JsonObject, facts: Mutable<Facts>, at: number): void {
  const keep = (key: keyof Titles, value: unknown): void => {
    const title = asString(value)?.trim();
    if (title) facts.titles[key] = title;
  };
  if (record.type === "custom-title") keep("custom", record.customTitle);
  else if (record.type === "ai-title") keep("generated", record.aiTitle);
  else if (record.type === "summary") keep("summary", record.summary);
  else if (record.type === "relocated") {
    // `/cd` takes the session to another folder; rows before that stay as they are.
    const workspace = asString(record.relocatedCwd);
    if (workspace) facts.workspace = workspace;
  } else if (record.type === "last-prompt") {
    keep("lastPrompt", record.lastPrompt);
    const leaf = asString(record.leafUuid);
    if (record.explicit === true || record.rewound === true) {
      facts.marks = "rewound";
      facts.rewinds = [...(facts.rewinds ?? []), { at, leaf: leaf ?? "" }];
    } else facts.marks ??= "plain";
    if (leaf !== undefined) facts.mark = { leaf, explicit: record.explicit === true, followed: false };
  }
}

const writtenBy = (record: JsonObject): string => {
  const version = asString(record.version);
  return version === undefined ? "" : `, written by Claude Code ${version}`;
};

/** Names each row that a compaction of an older release preserved, which says only where they begin and end. */
function listPreserved(rows: RowTable): void {
  for (const [row, details] of rows.details) {
    const { segment, ...boundary } = details.boundary ?? {};
    if (!segment || !details.boundary) continue;
    const kept = new Set<number>();
    const head = rows.names.of(segment.head);
    let at = rows.find(rows.names.of(segment.tail));
    for (; at !== NONE && !kept.has(at); at = rows.find(rows.parent(at))) {
      kept.add(at);
      if (rows.name(at) === head) break;
    }
    const isWhole = at !== NONE && rows.name(at) === head;
    const preserved = isWhole ? [...kept].reverse().map((one) => rows.names.text(rows.name(one))) : [];
    // The program forgets nothing where the way from one to the other is broken.
    rows.describe(row, { ...details, boundary: { ...boundary, preserved, forgets: isWhole } });
  }
}
