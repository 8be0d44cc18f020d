/** Folds a session's log into events and the session's head, holding nothing but counters and open tool calls. */

import { countsAgainst, type Problem, type ProblemCode } from "../../model/problem.ts";
import { UPDATE } from "../../model/session/newer.ts";
import type { Artifact, CompactionEvent, Event, Session } from "../../model/session/session.ts";
import { inBrief } from "../../model/values/json.ts";
import { ODD_TIME } from "../../model/values/time.ts";
import { eachLine, type Line } from "../../platform/fs/lines.ts";
import { type FolderEntry, reasonOf, type SessionFs } from "../../platform/fs/session-fs.ts";
import { asString, originOf } from "../log/jsonl.ts";
import { noteTail } from "../log/tail-hash.ts";
import type { ReadOptions, ReadSink } from "../source.ts";
import { type AgentCalls, createAgents } from "./log/agents.ts";
import { type CallNotes, createCallNotes } from "./log/call-notes.ts";
import { toEvents } from "./log/events.ts";
import { createHead, type HeadFacts } from "./log/head.ts";
import { createLineTimes } from "./log/line-times.ts";
import { createNarrowReader } from "./log/narrow.ts";
import { createOpenCalls, type WaitingCalls } from "./log/open-calls.ts";
import { isNewerStart, judge } from "./log/records.ts";
import { tailOfUnwanted } from "./log/skim.ts";
import { createUsageOwnership, RECEIPT } from "./log/usage-ownership.ts";
import { readCheckpointTitles } from "./workspace/checkpoints.ts";
import { folderOf, SOURCE, under } from "./workspace/locate.ts";
import { findOwner } from "./workspace/locks.ts";
import { readSidecars } from "./workspace/sidecars.ts";
import { readWorkspace, WORKSPACE_FILE, type Workspace } from "./workspace/workspace.ts";

/** What is kept of one tool result unless the caller wants more: enough to read, little enough to hold many. */
const TEXT_LIMIT = 64 << 10;

export async function read(
  fs: SessionFs,
  artifact: Artifact,
  sink: ReadSink,
  options: ReadOptions = {},
): Promise<Session> {
  const before = options.from?.state as ReadState | undefined;
  let problems = before?.problems ?? 0;
  const report = (code: ProblemCode, message: string, more: Partial<Problem> = {}): void => {
    const problem: Problem = {
      code,
      source: SOURCE,
      session: artifact.id,
      path: artifact.path,
      message,
      ...more,
    };
    if (countsAgainst(problem)) problems++;
    sink.problem(problem);
  };

  const folder = folderOf(artifact.path);
  const unreadables: { path: string; why: string }[] = [];
  const unreadable = (path: string, why: string): void => void unreadables.push({ path, why });
  const newerFiles = new Map<string, string>();
  const newer = (path: string, what: string): void => void newerFiles.set(path, what);
  const workspace: Workspace =
    folder === undefined ? { checkpoints: 0 } : await readWorkspace(fs, folder, unreadable);
  const titles =
    folder === undefined || workspace.checkpoints === 0
      ? new Map<number, string>()
      : await readCheckpointTitles(fs, folder, unreadable, newer);
  const listed = folder === undefined || options.skim ? undefined : await listIfAllowed(fs, folder);
  /** Who skims does not ask who has the session open, unless that makes a difference. */
  const findOpener = async () =>
    folder === undefined ? undefined : await findOwner(fs, folder, undefined, listed);
  const openIn = options.skim ? undefined : await findOpener();
  const sidecars =
    folder === undefined || options.skim ? [] : await readSidecars(fs, folder, unreadable, newer, listed);

  const textLimit = options.textLimit ?? TEXT_LIMIT;
  const head = createHead(before?.facts);
  const calls = createOpenCalls(before?.waiting);
  const ownership = createUsageOwnership(artifact.id, before?.receipts);
  const agents = createAgents(before?.agents);
  const notes = createCallNotes(before?.patches);
  let canGoOnLater = true;
  let isNewer = false;

  const orphan = (line: number): void =>
    report("result-orphan", "a tool result has no call before it", { line });
  const emit = (event: Event): void => {
    head.event(event);
    if (event.kind === "tool-call") calls.open(event.callId, event.name, event.input, event.origin.line);
    if (event.kind === "tool-result" && !calls.close(event.callId)) orphan(event.origin.line);
    if (event.kind === "compaction") {
      const titled = withTitle(event, titles);
      // The title may be written after the log: the whole has to be read again to find it.
      if (titled.title === undefined) canGoOnLater = false;
      sink.event(titled);
    } else sink.event(event);
  };
  const times = createLineTimes();
  const noteTimes = (): void => {
    const noted = times.take();
    if (noted) head.lines(noted.lines, noted.first, noted.latest);
  };
  /** What skimming leaves out is not even made a line. */
  const passUnwanted = (bytes: Buffer, start: number, end: number): boolean => {
    const tail = tailOfUnwanted(bytes, start, end);
    if (tail >= 0) times.note(bytes, tail);
    return tail >= 0;
  };
  const pass =
    sink.brief && !options.edits
      ? createNarrowReader({
          ...{ sink: sink.brief, head, calls, times, orphan, textLimit },
          prompt: emit,
          hasNotes: notes.hasAny,
          isOfAnother: (data) => ownership.isOfAnother({ type: RECEIPT, data, ephemeral: false }),
        })
      : passUnwanted;
  const visit = (line: Line): void => {
    noteTimes();
    const skimmed = judge(line, options.skim ? "results" : undefined);
    const callId = options.skim ? asString(skimmed.record?.data.toolCallId) : undefined;
    const isWhole = callId !== undefined && calls.wantsWhole(callId);
    const { record, fault, time, cut = 0, hasOddTime } = isWhole && skimmed.cut ? judge(line) : skimmed;
    if (record || fault || time !== undefined) head.line(record?.time ?? time);
    if (record && isNewerStart(record)) {
      isNewer = true;
      canGoOnLater = false;
      const message = `session version ${inBrief(record.data.version)} is newer than this rethread knows`;
      report("format-newer", message, { line: line.number, fix: UPDATE });
    }
    // By the rules of today one cannot say what is wrong with records of a newer version.
    if (fault && !(isNewer && fault.code === "record-invalid"))
      report(fault.code, fault.why, { line: line.number, ...(!isNewer && helpFor(fault.code, artifact)) });
    if (hasOddTime) report("time-odd", ODD_TIME, { line: line.number });
    if (!record) return;
    if (line.cut > 0) {
      const size = Math.round((line.end - line.start) / (1 << 20));
      report("too-large", `a record of ${size} MB; its text was cut`, { line: line.number });
    }
    agents.note(record);
    if (ownership.isOfAnother(record)) return;
    head.record(record, fault?.code !== "record-invalid");
    notes.note(record);
    const settings = {
      origin: originOf(line),
      agent: agents.callOf(record),
      textLimit: isWhole ? Number.POSITIVE_INFINITY : textLimit,
      cut: line.cut + cut,
      withEdits: options.edits === true,
    };
    for (const event of notes.complete(toEvents(record, settings))) emit(event);
  };

  const finish = async (): Promise<Session> => {
    const { mtimeMs } = artifact.fingerprint;
    const written = head.isTimeless() ? await writtenAt(fs, artifact) : mtimeMs;
    return head.session(artifact, workspace, { problems, openIn, sidecars, mtimeMs: written });
  };

  const reportAround = (): void => {
    if (folder === undefined)
      report("session-hidden", "a file of an early version, which Copilot CLI no longer resumes", {
        remedy: { action: "show", session: `${SOURCE}:${artifact.id}` },
      });
    for (const { path, why } of unreadables) report("sidecar-unreadable", why, { path });
    if (workspace.hasOddTime && folder !== undefined)
      report("time-odd", ODD_TIME, { path: under(folder, WORKSPACE_FILE) });
    for (const [path, what] of newerFiles)
      report("format-newer", `${what} is newer than this rethread knows`, { path, fix: UPDATE });
  };
  const reportWhole = async (): Promise<void> => {
    if (head.isEmpty())
      report(
        "session-empty",
        "the log is empty; Copilot CLI treats it as missing",
        helpFor("session-empty", artifact),
      );
    else if (!head.hasStart())
      report(
        "session-start-missing",
        "the log has no valid session.start, so Copilot CLI refuses it",
        helpFor("session-start-missing", artifact),
      );
    // While the session is open in its program, calls may simply still be running.
    const left = calls.left();
    if (left.length === 0) return;
    const opener = options.skim ? await findOpener() : openIn;
    if (opener !== undefined) return;
    for (const { name, line } of left)
      report("call-unanswered", `the call of "${name}" has no result`, { line });
  };

  try {
    const { maxLine } = options;
    const noted = noteTail(fs, artifact.path);
    const { ended, ...place } = await eachLine(noted.fs, artifact.path, visit, {
      ...(options.from && { start: options.from.offset, number: options.from.lines + 1 }),
      ...(options.range && { ...options.range, number: options.range.line }),
      ...(maxLine !== undefined && { maxLine }),
      ...(options.skim && { pass }),
    });
    noteTimes();
    // A line without an end may be half of one.
    if (options.onBookmark && canGoOnLater && ended) {
      const state: ReadState = {
        facts: head.facts(),
        waiting: calls.entries(),
        agents: agents.entries(),
        patches: notes.entries(),
        receipts: ownership.state(),
        problems,
      };
      options.onBookmark({ ...place, guard: await noted.hash(place.offset), state });
    }
  } catch (error) {
    if (!isSystemError(error)) throw error; // a defect of ours, or of the sink
    reportAround();
    report("session-unreadable", reasonOf(error));
    return finish();
  }
  reportAround();
  await reportWhole();
  return finish();
}

/** What is known where a reading stops, as plain JSON. */
interface ReadState {
  readonly facts: HeadFacts;
  readonly waiting: WaitingCalls;
  readonly agents: AgentCalls;
  readonly patches: ReturnType<CallNotes["entries"]>;
  readonly receipts: boolean;
  /** Those of single records, which stay whatever follows. */
  readonly problems: number;
}

/** Once for all that is looked for in it; nothing where it may only be entered. */
async function listIfAllowed(fs: SessionFs, folder: string): Promise<readonly FolderEntry[] | undefined> {
  try {
    return await fs.readdir(folder);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return undefined;
  }
}

/** The artifact's own time may be that of a renaming. */
async function writtenAt(fs: SessionFs, { path, fingerprint }: Artifact): Promise<number> {
  try {
    return (await fs.stat(path)).mtimeMs;
  } catch {
    return fingerprint.mtimeMs; // the log is gone or out of reach, and was reported so when it was read
  }
}

function withTitle(event: CompactionEvent, titles: ReadonlyMap<number, string>): CompactionEvent {
  const title = event.title ?? titles.get(event.checkpoint ?? 0);
  return title === undefined ? event : { ...event, title };
}

/** What Copilot CLI refuses, or repairs by throwing it away when it resumes. */
const RESCUED: readonly ProblemCode[] = [
  "record-unreadable",
  "record-torn",
  "record-encoding",
  "record-invalid",
  "session-start-missing",
  "session-empty",
];
/** An early version's file is beyond that: the program no longer resumes any. */
const helpFor = (code: ProblemCode, { id, path }: Artifact): Pick<Problem, "remedy"> =>
  RESCUED.includes(code) && folderOf(path) !== undefined
    ? { remedy: { action: "rescue", session: `${SOURCE}:${id}` } }
    : {};

const isSystemError = (error: unknown): boolean => error instanceof Error && "code" in error;
