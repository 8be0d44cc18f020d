/** Reads one session: the log that it goes on from, where there is one, and its own. */
import { countsAgainst, type Problem, type ProblemCode } from "../../model/problem.ts";
import type { Artifact, Parent, Session } from "../../model/session/session.ts";
import { toRepositoryName } from "../../model/values/repository.ts";
import { isTimely, ODD_TIME, toFileTime } from "../../model/values/time.ts";
import { eachLine, type Line } from "../../platform/fs/lines.ts";
import { reasonOf, type SessionFs } from "../../platform/fs/session-fs.ts";
import { handedTo } from "../handed-work.ts";
import { megabytes, originOf } from "../log/jsonl.ts";
import { hashTail } from "../log/tail-hash.ts";
import type { ReadOptions, ReadSink } from "../source.ts";
import { resumeCommand, SOURCE } from "./locate.ts";
import { createFold, emptyState, type Fold, type FoldState } from "./log/fold.ts";
import { judge } from "./log/records.ts";
import { timeOfUnneeded } from "./log/skim.ts";
import { type Segment, type Segments, segmentsOf } from "./segments.ts";

/** What of the records before a place decides how those behind it are read: which model answers. */
async function stateBefore(fs: SessionFs, path: string, place: number): Promise<FoldState | undefined> {
  for (const most of place === 0 ? [] : [64 << 10, 4 << 20]) {
    const start = Math.max(0, place - most);
    let bytes: Buffer;
    try {
      bytes = Buffer.from(await fs.read(path, { start, end: place }));
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      return undefined; // the reading itself says why
    }
    const found = bytes.lastIndexOf(SETTINGS);
    const from = bytes.lastIndexOf("\n", found) + 1;
    if (found < 0 || (from === 0 && start > 0)) continue;
    const model = /"model":"([^"\\]+)"/.exec(bytes.toString("utf8", found, bytes.indexOf("\n", found)))?.[1];
    return model === undefined ? undefined : { ...emptyState(), model };
  }
  return undefined;
}

const SETTINGS = '"type":"turn_context"';

/** What is kept of one tool result unless the caller wants more. */
const TEXT_LIMIT = 64 << 10;

/** What is known where a reading stops, as plain JSON. */
interface ReadState {
  readonly fold: FoldState;
  /** Those of single records, which stay whatever follows. */
  readonly problems: number;
}

export async function read(
  fs: SessionFs,
  artifact: Artifact,
  sink: ReadSink,
  options: ReadOptions = {},
): Promise<Session> {
  const before = options.from?.state as ReadState | undefined;
  let problems = before?.problems ?? 0;
  const report = (code: ProblemCode, message: string, more: Partial<Problem> = {}): void => {
    const about = { source: SOURCE, session: artifact.id, path: artifact.path };
    const problem: Problem = { code, message, ...about, ...more };
    if (countsAgainst(problem)) problems++;
    sink.problem(problem);
  };
  let path = artifact.path;
  const fold = createFold(
    {
      textLimit: options.textLimit ?? TEXT_LIMIT,
      withEdits: options.edits === true,
      onOrphan: (line) => report("result-orphan", "a tool result has no call before it", { path, line }),
    },
    before?.fold ?? (options.range && (await stateBefore(fs, artifact.path, options.range.start))),
  );
  const visit = (line: Line): void => {
    const isOwn = path === artifact.path;
    const { record, fault, hasOddTime } = judge(line);
    if (record || fault) fold.line(record?.time);
    const at = { path, line: line.number };
    if (line.start === 0 && line.bytes.length + line.cut < line.end)
      report("session-start-missing", "the log begins with a byte order mark, so Codex CLI refuses it", at);
    if (fault) report(fault.code, fault.why, at);
    if (hasOddTime) report("time-odd", ODD_TIME, at);
    if (!record) return;
    if (line.cut > 0) report("too-large", `a record of ${megabytes(line)} MB; its text was cut`, at);
    const origin = originOf(line, isOwn ? undefined : path);
    for (const event of fold.record(record, { origin, cut: line.cut, isInherited: !isOwn }))
      sink.event(event);
  };
  /** What skimming leaves out is not even made a line. */
  const pass = (bytes: Buffer, start: number, end: number): boolean => {
    const time = timeOfUnneeded(bytes, start, end);
    if (time !== undefined) fold.line(isTimely(time) ? time : undefined);
    return time !== undefined;
  };
  const how = {
    ...(options.maxLine !== undefined && { maxLine: options.maxLine }),
    ...(options.skim && { pass }),
  };

  try {
    const isWhole = !options.from && !options.range;
    const { list, missing, isCircle, faults }: Segments = isWhole
      ? await segmentsOf(fs, artifact.root, artifact.path)
      : { list: [{ path: artifact.path }], faults: [] };
    for (const fault of faults) report("chain-broken", fault);
    const why = isCircle ? "which goes on from it in turn" : "which is not there, so Codex CLI refuses it";
    if (missing !== undefined) report("chain-broken", `it goes on from the log ${missing}, ${why}`);
    for (const { path: base, end } of list.slice(0, -1) as readonly Required<Segment>[]) {
      path = base;
      await eachLine(fs, base, visit, { ...how, start: 0, end });
    }
    path = artifact.path;
    const { ended, ...place } = await eachLine(fs, path, visit, {
      ...how,
      ...(options.from && { start: options.from.offset, number: options.from.lines + 1 }),
      ...(options.range && { ...options.range, number: options.range.line }),
    });
    // A line without an end may be half of one.
    if (options.onBookmark && ended && missing === undefined && faults.length === 0) {
      const state: ReadState = { fold: fold.state(), problems };
      options.onBookmark({ ...place, guard: await hashTail(fs, path, place.offset), state });
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error; // a defect of ours, or of the sink
    report("session-unreadable", reasonOf(error), { path });
    return toSession(artifact, fold.state(), problems);
  }
  if (!options.range) reportWhole(fold, report);
  return toSession(artifact, fold.state(), problems);
}

function reportWhole(
  fold: Fold,
  report: (code: ProblemCode, message: string, more?: Partial<Problem>) => void,
) {
  const { lines, events, meta, hasLateStart, hasEarlyForm } = fold.state();
  if (lines === 0) report("session-empty", "the log is empty, so Codex CLI refuses it");
  else if (!meta || hasLateStart)
    report("session-start-missing", "the log does not begin with session_meta, so Codex CLI refuses it");
  else if (hasEarlyForm)
    report("session-hidden", "written by an early Codex CLI, which later ones do not resume");
  else if (events === 0) report("session-empty", "the log has no conversation");
  for (const [, { name, line }] of fold.unanswered())
    report("call-unanswered", `the call of "${name}" has no result`, { line });
}

function toSession(artifact: Artifact, state: FoldState, problems: number): Session {
  const { meta = {}, models, turns, firstTime, lastTime, firstPrompt, name } = state;
  const title = artifact.listed?.title ?? name ?? firstPrompt ?? meta.agentName;
  const createdAt = meta.startedAt ?? firstTime;
  const updatedAt = lastTime ?? toFileTime(artifact.fingerprint.mtimeMs);
  const repository = meta.repository === undefined ? undefined : toRepositoryName(meta.repository);
  const parent = parentOf(meta);
  return {
    source: SOURCE,
    id: artifact.id,
    title: title || "(no prompt)",
    turns,
    problems,
    models,
    path: artifact.path,
    bytes: artifact.fingerprint.size,
    ...(!state.hasEarlyForm && { resume: resumeCommand(artifact) }),
    ...(createdAt !== undefined && { createdAt }),
    ...(updatedAt !== undefined && { updatedAt }),
    ...(meta.folder !== undefined && { workspace: meta.folder }),
    ...(repository !== undefined && { repository }),
    ...(meta.branch !== undefined && { branch: meta.branch }),
    ...(meta.producer !== undefined && { producer: meta.producer }),
    ...(meta.agentName !== undefined && { agentName: meta.agentName }),
    ...(parent && { parent }),
    ...handedTo(artifact.id, meta.origin),
  };
}

/** A sub-agent's log names its parent as both. */
function parentOf({ startedBy, forkedFrom }: FoldState["meta"] & object): Parent | undefined {
  if (startedBy !== undefined) return { id: startedBy, kind: "agent" };
  return forkedFrom === undefined ? undefined : { id: forkedFrom, kind: "fork" };
}
