/** The byte offsets in a log that cutting and copying need: its start record, turns, compactions and clearings. */
import { AppError } from "../../../../model/errors.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { startsTurn } from "../../../../model/session/turns.ts";
import { eachLine, type Line } from "../../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { asString, decodeLine } from "../../../log/jsonl.ts";
import { beginningOf } from "../../../summary/turn-names.ts";
import { findTail, idIn } from "../../log/envelope.ts";
import { read } from "../../read.ts";

export interface TurnOffset {
  readonly start: number;
  readonly id?: string;
  readonly time?: string;
  /** How the prompt begins. */
  readonly text: string;
}

export interface Compaction {
  readonly start: number;
  readonly end: number;
  readonly checkpoint?: number;
}

export interface LogOffsets {
  /** The line with session.start, whole. */
  readonly start: { readonly text: string; readonly start: number; readonly end: number };
  /** The prompts that begin turns. */
  readonly turns: readonly TurnOffset[];
  readonly compactions: readonly Compaction[];
  /** Where all before it was last taken from the model's view. */
  readonly cleared?: number;
  /** All that is there now; what is appended later is not meant. */
  readonly size: number;
}

const START = Buffer.from('"session.start"');

export async function findOffsets(fs: SessionFs, artifact: Artifact): Promise<LogOffsets> {
  const turns: TurnOffset[] = [];
  const compactions: Compaction[] = [];
  let cleared: number | undefined;
  await read(
    fs,
    artifact,
    {
      event(event) {
        const { start, end } = event.origin;
        if (startsTurn(event))
          turns.push({
            start,
            ...(event.id !== undefined && { id: event.id }),
            ...(event.time !== undefined && { time: event.time }),
            text: beginningOf(event.text),
          });
        else if (event.kind === "clear" && event.agent === undefined) cleared = start;
        else if (event.kind === "compaction" && event.agent === undefined)
          compactions.push({
            start,
            end,
            ...(event.checkpoint !== undefined && { checkpoint: event.checkpoint }),
          });
      },
      problem: () => undefined, // what is damaged is copied as it is, and told by `show`
    },
    { skim: true },
  );
  const { size } = await fs.stat(artifact.path);
  return {
    start: await findStart(fs, artifact),
    turns,
    compactions,
    ...(cleared !== undefined && { cleared }),
    size,
  };
}

async function findStart(fs: SessionFs, { id, path }: Artifact): Promise<LogOffsets["start"]> {
  let found: LogOffsets["start"] | undefined;
  const visit = (line: Line): void => {
    if (found || !line.bytes.includes(START)) return;
    const decoded = decodeLine(line);
    if (decoded.kind !== "record" || decoded.record.type !== "session.start" || line.cut > 0) return;
    // Without a byte order mark, where the file begins with one: that stays where it is.
    found = { text: line.bytes.toString("utf8"), start: line.end - line.bytes.length, end: line.end };
  };
  await eachLine(fs, path, visit, { pass: () => found !== undefined });
  if (found) return found;
  throw new AppError(
    "unreadable",
    `The log of session ${id} has no session.start, so Copilot CLI would refuse any copy of it`,
    { say: "Repair it first", remedy: { action: "rescue", session: `copilot-cli:${id}` } },
  );
}

export interface Ids {
  /** Of the last record before `end`. */
  readonly last?: string;
  /** Where the wanted record begins, and its id as the log spells it. */
  readonly wanted?: { readonly start: number; readonly id: string };
}

/** The ids of records are mostly told from the bytes at the end of their lines. */
export async function findIds(fs: SessionFs, path: string, end: number, wanted?: string): Promise<Ids> {
  let [last, place]: [string | undefined, Ids["wanted"]] = [undefined, undefined];
  await eachLine(
    fs,
    path,
    (line) => {
      const id = idOf(line);
      if (id === undefined) return;
      if (id.toLowerCase() === wanted?.toLowerCase()) place ??= { start: line.start, id };
      last = id;
    },
    { start: 0, end },
  );
  return { ...(last !== undefined && { last }), ...(place !== undefined && { wanted: place }) };
}

/** How many records there are from a place on. */
export async function countRecords(fs: SessionFs, path: string, start: number, end: number): Promise<number> {
  let count = 0;
  await eachLine(fs, path, (line) => void (decodeLine(line).kind === "record" && count++), { start, end });
  return count;
}

function idOf(line: Line): string | undefined {
  const tail = findTail(line.bytes, 0, line.bytes.length);
  if (tail >= 0) return idIn(line.bytes, tail);
  const decoded = decodeLine(line);
  return decoded.kind === "record" ? asString(decoded.record.id) : undefined;
}

/** Whether what is written at this place begins a line. */
export async function beginsLine(fs: SessionFs, path: string, at: number): Promise<boolean> {
  return at === 0 || (await fs.read(path, { start: at - 1, end: at }))[0] === 10;
}
