/** The pieces of logs that make up a session: a fork goes on from a place in another log instead of copying it. */
import { eachLine } from "../../platform/fs/lines.ts";
import { isErrno, type SessionFs } from "../../platform/fs/session-fs.ts";
import { findLog } from "./find-logs.ts";
import { judge, type SessionMeta, toMeta } from "./log/records.ts";

export interface Segment {
  readonly path: string;
  /** The byte after the last one that belongs to the session; all of the log without it. */
  readonly end?: number;
}

export interface Segments {
  /** Oldest first; the session's own log is the last one. */
  readonly list: readonly Segment[];
  /** The id of a log that is needed and not there. */
  readonly missing?: string;
  /** That log is there, but goes on from one that goes on from it: reading it again would tell everything twice. */
  readonly isCircle?: true;
  /** What is wrong with the places that logs name in others. */
  readonly faults: readonly string[];
}

/** No chain of forks is longer. */
const MOST = 100;

export async function segmentsOf(fs: SessionFs, root: string, path: string): Promise<Segments> {
  const list: Segment[] = [{ path }];
  const faults: string[] = [];
  for (let at = path; ; ) {
    const { base, badBase } = (await readMeta(fs, at)) ?? {};
    if (badBase) faults.push("it goes on from another log, but names no place in it");
    if (!base) return { list, faults };
    const found = list.length < MOST ? await findLog(fs, root, base.log) : undefined;
    if (found === undefined) return { list, faults, missing: base.log };
    if (list.some((each) => each.path === found)) return { list, faults, missing: base.log, isCircle: true };
    if (base.end > (await sizeOf(fs, found)))
      faults.push(`it goes on from byte ${base.end} of the log ${base.log}, which is shorter`);
    list.unshift({ path: found, end: base.end });
    at = found;
  }
}

/** Of a log that is not there any more, `read` tells. */
async function sizeOf(fs: SessionFs, path: string): Promise<number> {
  try {
    return (await fs.stat(path)).size;
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return Number.POSITIVE_INFINITY;
  }
}

/** The first line holds the instructions of the program, which are long; some are longer than this. */
const HEAD = 64 << 10;
const LONGEST_HEAD = 16 << 20;

/** Of a session's first record; nothing where it has none, or the log cannot be opened, of which `read` tells. */
export async function readMeta(fs: SessionFs, path: string): Promise<SessionMeta | undefined> {
  for (let end = HEAD; end <= LONGEST_HEAD; end *= 16) {
    let meta: SessionMeta | undefined;
    let lines = 0;
    try {
      await eachLine(
        fs,
        path,
        (line) => {
          if (!line.ended || lines++ > 0) return;
          const { record } = judge(line);
          if (record?.type === "session_meta") meta = toMeta(record.payload);
        },
        { start: 0, end },
      );
    } catch (error) {
      if (!(error instanceof Error && "code" in error) || isErrno(error, "ERR_ASSERTION")) throw error;
      return undefined;
    }
    if (lines > 0) return meta;
  }
  return undefined;
}
