/** How a log ends: its last id, and what a crash in the middle of a write left there. */
import { isErrno, type SessionFs } from "../../../platform/fs/session-fs.ts";
import { asObject, asString, type JsonObject } from "../../log/jsonl.ts";
import { isUuid } from "../log/validate.ts";

export interface LogEnd {
  readonly size: number;
  /** The next line can follow as it is: there is nothing, or a line feed at the end. */
  readonly isEnded: boolean;
  readonly lastId: string | null;
  /** Bytes of half a record at the end. */
  readonly torn: number;
}

/** Enough for the last records of most logs. */
const WINDOW = 64 << 10;
const LF = 10;

export async function findEnd(fs: SessionFs, path: string): Promise<LogEnd> {
  const size = await sizeOf(fs, path);
  for (let window = WINDOW; ; window *= 4) {
    const start = Math.max(0, size - window);
    const bytes = start === size ? Buffer.alloc(0) : Buffer.from(await fs.read(path, { start, end: size }));
    const end = judgeEnd(bytes, start === 0);
    if (end) return { size, ...end };
  }
}

/** 0 where there is none. */
export async function sizeOf(fs: SessionFs, path: string): Promise<number> {
  try {
    return (await fs.stat(path)).size;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return 0;
    throw error;
  }
}

/** Nothing when it takes more than these last bytes to tell. */
function judgeEnd(bytes: Buffer, isWhole: boolean): Omit<LogEnd, "size"> | undefined {
  const lastFeed = bytes.lastIndexOf(LF);
  if (lastFeed < 0 && !isWhole) return undefined;
  const rest = bytes.subarray(lastFeed + 1);
  const isRecord = toRecord(rest) !== undefined;
  const torn = isRecord ? 0 : rest.length;
  const lastId = findLastId(bytes.subarray(0, bytes.length - torn), isWhole);
  if (lastId === undefined) return undefined;
  return { isEnded: rest.length === torn, lastId, torn };
}

/** The id of the last line that has one; null when no line has, nothing when there may be one before these bytes. */
function findLastId(bytes: Buffer, isWhole: boolean): string | null | undefined {
  for (let end = bytes.length; end > 0; ) {
    const feed = bytes.lastIndexOf(LF, end - 1);
    if (feed < 0 && !isWhole) return undefined;
    const id = asString(toRecord(bytes.subarray(feed + 1, end))?.id);
    if (id !== undefined && isUuid(id)) return id;
    end = feed;
  }
  return isWhole ? null : undefined;
}

function toRecord(line: Buffer): JsonObject | undefined {
  try {
    return asObject(JSON.parse(line.toString("utf8")));
  } catch {
    return undefined; // damage in the middle is for `rescue`; at the end it is what a crash left
  }
}

/** Takes half a record off the end: a new file with all the rest takes the place of the log in one rename. */
export async function takeOff(fs: SessionFs, path: string, { size, torn }: LogEnd): Promise<string> {
  const kept = size - torn;
  const lost = Buffer.from(await fs.read(path, { start: kept, end: size })).toString("utf8");
  const scratch = `${path}.tmp`;
  await fs.write(scratch, "", (await fs.stat(path)).mode);
  for await (const chunk of fs.chunks(path, { start: 0, end: kept })) await fs.append(scratch, chunk);
  await fs.rename(scratch, path);
  return lost;
}
