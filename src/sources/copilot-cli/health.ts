/** Checks a Copilot home for stale locks, odd logs and missing files. */
import type { Problem, ProblemCode } from "../../model/problem.ts";
import { eachLine, type Line } from "../../platform/fs/lines.ts";
import { type FolderEntry, isErrno, type SessionFs } from "../../platform/fs/session-fs.ts";
import { createProcessLook, type ProcessLook } from "../../platform/process/process-look.ts";
import { orProblem } from "../isolation.ts";
import type { HealthLook, ScanSink } from "../source.ts";
import { judge } from "./log/records.ts";
import { listFolder } from "./scan.ts";
import { CHECKPOINT_FOLDER, CHECKPOINT_INDEX, readCheckpointFiles } from "./workspace/checkpoints.ts";
import { isRecoveryCopy, LOG, pidOfLock, SOURCE, stateFolder, under } from "./workspace/locate.ts";
import { stateOfLock } from "./workspace/locks.ts";
import { WORKSPACE_FILE } from "./workspace/workspace.ts";

export async function diagnose(
  fs: SessionFs,
  root: string,
  sink: Pick<ScanSink, "problem">,
  { opensNone = false, countsOnly = false }: HealthLook = {},
): Promise<void> {
  // Stale locks and missing files, which is all that can be seen from outside, are oddities.
  if (opensNone && countsOnly) return;
  // What cannot be listed was already reported by the scan.
  const quiet = { problem: () => undefined };
  const look = createProcessLook();
  for (const { name, kind } of await listFolder(fs, stateFolder(root), quiet)) {
    if (kind !== "folder" || name.startsWith(".")) continue;
    const folder = under(stateFolder(root), name);
    const on = { source: SOURCE, session: name, path: under(folder, LOG) };
    await orProblem(on, sink, async () => {
      const entries = await listFolder(fs, folder, quiet);
      const session: SessionPlace = { fs, root, id: name, folder, names: new Set(namesOf(entries)) };
      const problems = [
        ...(await findStaleLocks(session, look)),
        ...findMissing(session),
        ...(opensNone ? [] : await unlessGone(findInLog(session))),
        ...(opensNone ? [] : await unlessGone(findDroppedRecords(session))),
      ];
      for (const problem of problems) sink.problem({ source: SOURCE, session: name, ...problem });
    });
  }
}

interface SessionPlace {
  readonly fs: SessionFs;
  readonly root: string;
  readonly id: string;
  readonly folder: string;
  readonly names: ReadonlySet<string>;
}
type Found = Omit<Problem, "source" | "session">;

const namesOf = (entries: readonly FolderEntry[]): string[] => entries.map(({ name }) => name);
const rescueOf = ({ id }: SessionPlace): Pick<Problem, "remedy"> => ({
  remedy: { action: "rescue", session: `${SOURCE}:${id}` },
});

async function findStaleLocks(session: SessionPlace, look: ProcessLook): Promise<Found[]> {
  const { fs, folder, names } = session;
  const found: Found[] = [];
  for (const name of names) {
    const pid = pidOfLock(name);
    const state = pid === undefined ? "held" : await stateOfLock(fs, folder, name, pid, look);
    if (state === "held") continue;
    const why = state === "ended" ? "which no longer runs" : "which is another program";
    const message = `the lock names process ${pid}, ${why}`;
    const help = names.has(LOG) ? rescueOf(session) : {};
    found.push({ code: "lock-stale", path: under(folder, name), message, ...help });
  }
  return found;
}

function findMissing(session: SessionPlace): Found[] {
  if (!session.names.has(LOG) || session.names.has(WORKSPACE_FILE)) return [];
  const message = `${WORKSPACE_FILE} is missing, so the program takes the session's name and folder from the next prompt and the folder it is started in`;
  return [
    { code: "sidecar-missing", path: under(session.folder, WORKSPACE_FILE), message, ...rescueOf(session) },
  ];
}

/** What a closer look at the log tells: it is read once for all of that. */
async function findInLog(session: SessionPlace): Promise<Found[]> {
  if (!session.names.has(LOG)) return [];
  const path = under(session.folder, LOG);
  const compactions: Compaction[] = [];
  const odd = await lookCloser(session.fs, path, (compaction) => void compactions.push(compaction));
  return [
    ...odd.map((oddity) => ({ ...oddity, path, ...rescueOf(session) })),
    ...(await findLostCheckpoints(session, compactions)),
  ];
}

/** The files of checkpoints that the log or the table of checkpoints names and that are not there. */
async function findLostCheckpoints(
  { fs, id, folder, names }: SessionPlace,
  compactions: readonly Compaction[],
): Promise<Found[]> {
  const quiet = { problem: () => undefined };
  const path = under(folder, CHECKPOINT_FOLDER);
  const entries = names.has(CHECKPOINT_FOLDER) ? await listFolder(fs, path, quiet) : [];
  const files = new Set(namesOf(entries));
  const numbers = new Set([...files].map((name) => Number.parseInt(name, 10)));
  const lost = new Map<number, { readonly name: string; readonly isInLog: boolean }>();
  if (files.has(CHECKPOINT_INDEX))
    for (const [number, name] of await readCheckpointFiles(fs, folder))
      if (!files.has(name)) lost.set(number, { name, isInLog: false });
  for (const { number, name } of compactions)
    if (!numbers.has(number)) lost.set(number, { name: lost.get(number)?.name ?? name, isInLog: true });
  return [...lost].map(([number, { name, isInLog }]) => ({
    code: "sidecar-missing",
    path: under(folder, CHECKPOINT_FOLDER, name),
    message: `the file of checkpoint ${number} is missing; ${isInLog ? "its summary is still in the log" : "its summary is in no other place"}`,
    remedy: isInLog
      ? { action: "checkpoint", session: `${SOURCE}:${id}`, args: { action: "list" } }
      : { action: "checkpoint", session: `${SOURCE}:${id}`, args: { action: "create" } },
  }));
}

const COMPACTION = Buffer.from('"session.compaction_complete"');

/** Of the main conversation, one that says which checkpoint it wrote. */
interface Compaction {
  readonly number: number;
  readonly name: string;
}

function toCompaction(record: ReturnType<typeof judge>["record"]): Compaction | undefined {
  const { checkpointNumber: number, checkpointPath, success } = record?.data ?? {};
  if (record?.type !== "session.compaction_complete" || success !== true) return undefined;
  if (typeof number !== "number" || typeof checkpointPath !== "string") return undefined;
  return { number, name: checkpointPath.split(/[\\/]/).at(-1) ?? "" };
}

/** Of what the program repaired itself there is a copy, seldom. */
async function findDroppedRecords(session: SessionPlace): Promise<Found[]> {
  const { fs, root, id, folder, names } = session;
  const copies = [...names].filter(isRecoveryCopy);
  if (copies.length === 0) return [];
  const path = under(folder, LOG);
  if (!names.has(LOG)) {
    const message = "the log is missing, but there is a copy from before the program repaired it";
    return [{ code: "records-dropped", path, message, ...rescueOf(session) }];
  }
  const { findDropped } = await import("./edit/rescue/recovery.ts");
  const fingerprint = { size: 0, mtimeMs: 0, ino: 0 };
  const dropped = await findDropped(fs, { source: SOURCE, id, root, path, fingerprint });
  if (dropped.length === 0) return [];
  const message = `the program dropped ${dropped.length === 1 ? "a record" : `${dropped.length} records`} when it repaired the log; its copy still has ${dropped.length === 1 ? "it" : "them"}`;
  return [{ code: "records-dropped", path, message, ...rescueOf(session) }];
}

/** A log that is gone or unreadable was already reported by the reader. */
async function unlessGone(looking: Promise<Found[]>): Promise<Found[]> {
  try {
    return await looking;
  } catch (error) {
    if (!isErrno(error, "ENOENT", "EACCES", "EPERM", "ELOOP", "EISDIR", "EIO")) throw error;
    return [];
  }
}

interface Oddity {
  readonly code: ProblemCode;
  readonly line: number;
  readonly message: string;
}

/** Byte order mark, line and paragraph separator, each of three bytes. */
const MARKS = ["\ufeff", "\u2028", "\u2029"].map((mark) => Buffer.from(mark));
const START = Buffer.from('"session.start"');

/** The first of each kind. Lines without anything of interest are passed over by their bytes alone. */
export async function lookCloser(
  fs: SessionFs,
  path: string,
  compaction: (found: Compaction) => void = () => undefined,
): Promise<Oddity[]> {
  const odd = new Map<ProblemCode, Oddity>();
  const note = (code: ProblemCode, line: number, message: string): void => {
    if (!odd.has(code)) odd.set(code, { code, line, message });
  };
  let [hasRecords, hasStart] = [false, false];
  const isMarked = (bytes: Buffer): boolean => MARKS.some((mark) => bytes.includes(mark));
  const pass = (bytes: Buffer, start: number, end: number): boolean => {
    const line = bytes.subarray(start, end);
    if (isMarked(line) || line.includes(COMPACTION) || (!hasStart && line.includes(START))) return false;
    hasRecords ||= line.length > 1;
    return true;
  };
  const visit = (line: Line): void => {
    const hadMark = line.cut === 0 && line.end - line.start > line.bytes.length;
    if (hadMark || isMarked(line.bytes))
      note("record-marked", line.number, "the line has a byte order mark or an unescaped line separator");
    const { record } = judge(line);
    const compacted = toCompaction(record);
    if (compacted) compaction(compacted);
    const isStart = !hasStart && record?.type === "session.start";
    if (isStart && hasRecords) note("session-start-late", line.number, "session.start is not at the start");
    hasStart ||= isStart;
    hasRecords ||= line.bytes.length > 1;
  };
  await eachLine(fs, path, visit, { pass });
  return [...odd.values()];
}
