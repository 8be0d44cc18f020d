/** Opens a session file of either form. */

import { AppError } from "../../../model/errors.ts";
import type { ProblemCode } from "../../../model/problem.ts";
import { isNewerThan } from "../../../model/session/newer.ts";
import { printed } from "../../../model/text/printed.ts";
import { LONGEST_LINE, MAX_LINE } from "../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import { openWindow } from "../../../platform/fs/window.ts";
import { readDocument } from "./document.ts";
import { createLoad } from "./load.ts";
import { replayLog } from "./mutation-log.ts";
import type { Load, ParsedSession } from "./parsed-session.ts";
import { checkBeginning, replayUsualLog, Surprise } from "./usual-log.ts";

export interface OpenSession {
  readonly parsed: ParsedSession;
  /** Reads what was left in the file. */
  readonly load: Load;
  readonly isLog: boolean;
  close(): Promise<void>;
}

/** Files up to twice the longest line are held in memory; of larger ones, one turn at a time. */
export async function openSession(
  fs: SessionFs,
  path: string,
  maxLine: number = MAX_LINE,
): Promise<OpenSession> {
  const { size } = await fs.stat(path);
  const longest = Math.min(maxLine, LONGEST_LINE);
  const options = { maxLine: longest, hold: isHeld(size, longest) };
  const isLog = path.endsWith(".jsonl");
  const parsed = judged(await (isLog ? replayLog : readDocument)(fs, path, options));
  const window = openWindow(fs, path);
  return { parsed, load: createLoad(fs, path, longest, window), isLog, close: () => window.close() };
}

/** The same for callers that write what they read again: one with a value too large to be held whole is refused. */
export function inWholeSession<T>(
  fs: SessionFs,
  path: string,
  work: (file: OpenSession) => Promise<T>,
): Promise<T> {
  const refuse = (): never => {
    throw new AppError(
      "unreadable",
      `${path} has a text of more than ${LONGEST_LINE >> 20} MB, which cannot be rewritten`,
      { say: "Read it, or export it", remedy: { action: "export" } },
    );
  };
  return inSession(
    fs,
    path,
    (file) => {
      if (file.parsed.faults.some(({ code }) => code === "too-large")) refuse();
      const load: Load = async (place) => {
        const loaded = await file.load(place);
        return loaded.cut > 0 ? refuse() : loaded;
      };
      return work({ ...file, load });
    },
    LONGEST_LINE,
  );
}

/** The last version of sessions that we know. */
const KNOWN = 3;

/** By the rules of today one cannot say what is wrong with what a newer version wrote: only that it is newer. */
function judged(parsed: ParsedSession): ParsedSession {
  const { version } = parsed.head;
  const newer = isNewerThan(version, KNOWN)
    ? {
        code: "format-newer" as const,
        message: `sessions of version ${printed(version)} are newer than this rethread knows`,
      }
    : parsed.faults.find(({ code }) => code === "format-newer");
  if (!newer) return parsed;
  return { ...parsed, faults: [newer, ...parsed.faults.filter(({ code }) => !UNJUDGED.has(code))] };
}

const UNJUDGED: ReadonlySet<ProblemCode> = new Set(["format-newer", "record-invalid"]);

export const isNewer = ({ faults }: Pick<ParsedSession, "faults">): boolean =>
  faults.some(({ code }) => code === "format-newer");

/**
 * The same for work that may begin anew: what VS Code has written is taken by the beginnings of its lines, until one turns
 * out to be something else.
 */
export async function inUsualSession<T>(
  fs: SessionFs,
  path: string,
  work: (file: OpenSession) => Promise<T>,
  maxLine: number = MAX_LINE,
): Promise<T> {
  const file = await openUsual(fs, path, maxLine);
  if (!file) return inSession(fs, path, work, maxLine);
  try {
    return await work(file);
  } catch (error) {
    if (!(error instanceof Surprise)) throw error;
  } finally {
    await file.close();
  }
  return inSession(fs, path, work, maxLine);
}

async function openUsual(fs: SessionFs, path: string, maxLine: number): Promise<OpenSession | undefined> {
  const { size } = await fs.stat(path);
  // What is held in memory is parsed once as it is.
  if (!path.endsWith(".jsonl") || isHeld(size, maxLine)) return undefined;
  const parsed = await replayUsualLog(fs, path, maxLine);
  if (!parsed) return undefined;
  const window = openWindow(fs, path);
  const load = createLoad(fs, path, maxLine, window, checkBeginning);
  return { parsed: judged(parsed), load, isLog: true, close: () => window.close() };
}

const isHeld = (size: number, longest: number): boolean => size <= 2 * longest;

/** Opens it for as long as the work takes. */
export async function inSession<T>(
  fs: SessionFs,
  path: string,
  work: (file: OpenSession) => Promise<T>,
  maxLine?: number,
): Promise<T> {
  const file = await openSession(fs, path, maxLine);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}
