/** Opens a session file of either form. */
import { isNewerThan } from "../../model/newer.ts";
import type { ProblemCode } from "../../model/problem.ts";
import { MAX_LINE } from "../../platform/lines.ts";
import type { SessionFs } from "../../platform/session-fs.ts";
import { openWindow } from "../../platform/window.ts";
import { readDocument } from "./document.ts";
import { createLoad } from "./load.ts";
import { replayLog } from "./mutation-log.ts";
import type { Load, Told } from "./told.ts";

export interface OpenSession {
  readonly told: Told;
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
  const options = { maxLine, hold: size <= 2 * maxLine };
  const isLog = path.endsWith(".jsonl");
  const told = judged(await (isLog ? replayLog : readDocument)(fs, path, options));
  const window = openWindow(fs, path);
  return { told, load: createLoad(fs, path, maxLine, window), isLog, close: () => window.close() };
}

/** The last version of sessions that we know. */
const KNOWN = 3;

/** By the rules of today one cannot say what is wrong with what a newer version wrote: only that it is newer. */
function judged(told: Told): Told {
  const { version } = told.head;
  const newer = isNewerThan(version, KNOWN)
    ? {
        code: "format-newer" as const,
        message: `sessions of version ${version} are newer than this rethread knows`,
      }
    : told.faults.find(({ code }) => code === "format-newer");
  if (!newer) return told;
  return { ...told, faults: [newer, ...told.faults.filter(({ code }) => !UNJUDGED.has(code))] };
}

const UNJUDGED: ReadonlySet<ProblemCode> = new Set(["format-newer", "record-invalid"]);

export const isNewer = ({ faults }: Pick<Told, "faults">): boolean =>
  faults.some(({ code }) => code === "format-newer");

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
