/** Reads one session: the events of its live chain, with the work of sub-agents at the call that started it. */

import { basename, join } from "node:path";
import { countsAgainst, type Problem, type ProblemCode } from "../../model/problem.ts";
import type { Artifact, Event, Session, ToolResultEvent } from "../../model/session/session.ts";
import { formatKey } from "../../model/values/id.ts";
import { parseTime, toFileTime } from "../../model/values/time.ts";
import { MAX_LINE } from "../../platform/fs/lines.ts";
import { isErrno, reasonOf, type SessionFs } from "../../platform/fs/session-fs.ts";
import { handedTo } from "../handed-work.ts";
import { asString, isObject, titleFrom } from "../log/jsonl.ts";
import { limitResult } from "../log/limited-result.ts";
import { noteTail } from "../log/tail-hash.ts";
import type { ReadOptions, ReadSink } from "../source.ts";
import { toEvents } from "./events.ts";
import { isAgentId, resumeCommand, sessionFolder, titleFile } from "./locate.ts";
import { findHolders } from "./open-sessions.ts";
import { createReplyUsage } from "./reply-usage.ts";
import { decodeSkimming, decodeWhole } from "./skim.ts";
import { type Agents, addNamedAgents, findAgents } from "./subagents.ts";
import { createTally, type Tally } from "./tally.ts";
import { type Break, type Chain, chainForReader } from "./tree/chain.ts";
import { findFaults } from "./tree/faults.ts";
import { type FirstPass, firstPass, type Report } from "./tree/first-pass.ts";
import { neighboursOf } from "./tree/neighbours.ts";
import { openRows, type RowReader } from "./tree/row-reader.ts";
import type { RowTable } from "./tree/row-table.ts";
import { endOf, startingAt, type TailState } from "./tree/tail.ts";

export async function read(
  fs: SessionFs,
  artifact: Artifact,
  sink: ReadSink,
  options: ReadOptions = {},
): Promise<Session> {
  const before = options.from?.state as TailState | undefined;
  // The log of a sub-agent to which no call leads: its rows are the conversation.
  const isAgent = isAgentId(artifact.id);
  let problems = before?.problems ?? 0;
  const report: Report = (found) => {
    const problem: Problem = {
      ...{ source: artifact.source, session: artifact.id },
      ...(isRescued(found.code) &&
        !isAgent && { remedy: { action: "rescue", session: formatKey(artifact) } }),
      ...found,
    };
    if (countsAgainst(problem)) problems++;
    sink.problem(problem);
  };
  const tally = createTally(before?.tally);
  const hasFolder = await fs.exists(sessionFolder(artifact.path));
  const agents: Agents = hasFolder ? await findAgents(fs, artifact.path, report) : new Map();
  // The logs of sub-agents grow on their own, and what stands beside a transcript comes and goes.
  const isAlone = agents.size === 0 && problems === (before?.problems ?? 0);
  const calls = new Set<number | string>();
  const noted = noteTail(fs, artifact.path);
  const reading: Reading = {
    fs: noted.fs,
    sink,
    options,
    report,
    tally,
    calls,
    agents,
    transcript: artifact.path,
  };
  const facts = await readLog(reading, artifact.path);
  if (facts?.stop && facts.end && isAlone && !isAgent && agents.size === 0 && options.onBookmark) {
    const { rows: _rows, stop, end, ...about } = facts;
    const guard = await noted.hash(stop.offset);
    const state: TailState = { facts: about, tally: tally.state(), problems, ...end };
    options.onBookmark({ ...stop, guard, state });
  }
  if (facts && tally.events === 0) {
    const message = "the transcript has no conversation";
    const remedy = { action: "rescue", session: formatKey(artifact) } as const;
    const isAside = facts.rows.size > 0 && !isAgent && !options.from;
    report({ code: "session-empty", path: artifact.path, message, ...(isAside && { remedy }) });
  }
  for (const { call, origin } of tally.unanswered()) {
    const message = `tool call ${call} has no result`;
    report({ code: "call-unanswered", path: origin.file ?? artifact.path, line: origin.line, message });
  }
  const title = (facts && (await titleOf(reading, facts, hasFolder))) || tally.firstPrompt;
  const holder = (await findHolders(fs, artifact.root, () => undefined)).find(
    ({ session, state }) => state === "held" && session === artifact.id,
  );
  const updatedAt = toFileTime(facts?.lastTime ?? artifact.fingerprint.mtimeMs);
  return {
    source: artifact.source,
    id: artifact.id,
    title: titleFrom(title ?? "") || "(no prompt)",
    turns: tally.turns,
    problems,
    models: [...tally.models],
    path: artifact.path,
    bytes: artifact.fingerprint.size,
    ...(updatedAt !== undefined && { updatedAt }),
    ...(!isAgent && { resume: resumeCommand(artifact) }),
    ...(facts?.workspace !== undefined && { workspace: facts.workspace }),
    ...(facts?.branch !== undefined && { branch: facts.branch }),
    ...(facts?.firstTime !== undefined && { createdAt: new Date(facts.firstTime).toISOString() }),
    ...(facts?.producer !== undefined && { producer: facts.producer }),
    ...(facts?.forkedFrom !== undefined && { parent: { id: facts.forkedFrom, kind: "fork" } }),
    ...handedTo(artifact.id, facts?.origin),
    ...(isAgent && facts?.session !== undefined && { parent: { id: facts.session, kind: "agent" } }),
    ...(holder && { openIn: holder.pid }),
  };
}

/** What a rescue puts right. */
const RESCUED: readonly ProblemCode[] = [
  "record-unreadable",
  "record-torn",
  "record-encoding",
  "record-invalid",
  "chain-broken",
  "result-orphan",
];
const isRescued = (code: ProblemCode): boolean => RESCUED.includes(code);

interface Reading {
  readonly fs: SessionFs;
  readonly transcript: string;
  readonly sink: ReadSink;
  readonly options: ReadOptions;
  readonly report: Report;
  readonly tally: Tally;
  /** Model calls that were counted. */
  readonly calls: Set<number | string>;
  readonly agents: Agents;
}

/** One log: the transcript itself, or a sub-agent's with the call that started it. */
async function readLog(
  reading: Reading,
  path: string,
  agent?: string,
): Promise<(FirstPass & { end: ReturnType<typeof endOf> }) | undefined> {
  const { fs, options, report } = reading;
  const how = {
    ...(options.skim && { decode: decodeSkimming(options.textLimit ?? MAX_LINE) }),
    ...(options.maxLine !== undefined && { maxLine: options.maxLine }),
  };
  const reader = openRows(fs, path, how);
  try {
    const facts = await firstPass(fs, path, report, {
      agentFile: agent !== undefined,
      isAgent: agent !== undefined || isAgentId(basename(path)),
      keep: reader.keep,
      ...how,
      ...(options.from && agent === undefined && { from: startingAt(options.from) }),
      ...(options.range && agent === undefined && { range: options.range }),
    });
    await addNamedAgents(fs, reading.transcript, facts, reading.agents);
    const chain = chainForReader(facts);
    await readChain(reading, facts.rows, chain, reader, path, agent);
    return { ...facts, end: endOf(facts, chain) };
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    const code = agent === undefined ? "session-unreadable" : "sidecar-unreadable";
    report({ code, path, message: reasonOf(error) });
    return undefined;
  } finally {
    await reader.close();
  }
}

async function readChain(
  reading: Reading,
  table: RowTable,
  { rows, breaks, refusal }: Chain,
  reader: RowReader,
  path: string,
  agent: string | undefined,
): Promise<void> {
  for (const { row, bridge, why } of breaks.slice(0, BREAKS_TOLD)) {
    const instead = bridge === undefined ? "" : `; line ${table.origin(bridge).line} is used instead`;
    const message = `the parent of row ${table.names.text(table.name(row))} is ${BROKEN[why]}${instead}`;
    reading.report({ code: "chain-broken", path, line: table.origin(row).line, message });
  }
  const more = breaks[BREAKS_TOLD];
  if (more) {
    const message = `the parents of ${breaks.length - BREAKS_TOLD} more rows are missing or wrong`;
    reading.report({ code: "chain-broken", path, line: table.origin(more.row).line, message });
  }
  // Of a part of the transcript it is not known what stands before it.
  if (agent === undefined && !reading.options.range)
    for (const { row, why } of findFaults(table, rows)) {
      const message = `${why}, so Claude Code leaves out a part of it`;
      reading.report({ code: "record-invalid", path, line: table.origin(row).line, message });
    }
  // A sub-agent's log is never resumed on its own.
  if (refusal && agent === undefined) {
    const message = `${refusal.why}, so Claude Code ${refusal.isPartial ? "leaves out what follows" : "finds no conversation in the file"}`;
    reading.report({ code: "record-invalid", path, line: table.origin(refusal.row).line, message });
  }
  const usage = createReplyUsage(table, rows, reader, reading.calls);
  const tell = (event: Event): Event => (agent === undefined ? event : { ...event, agent });
  // Not through `pass`: what is beside the chain is no part of the conversation.
  const countAside = async (row: number): Promise<void> => {
    if (reading.options.range) return;
    for (const event of await usage.before(row)) reading.sink.event(tell(event));
  };
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    if (usage.hasBefore(row)) await countAside(row);
    // Waiting costs more than an event, so it is done only where there is something to wait for.
    if (table.isMute(row)) continue;
    const loaded = reader.find(table, row) ?? (await reader.load(table, row));
    if (!loaded) continue;
    const around = neighboursOf(table, rows, at);
    const brief = toEvents(loaded, around, reading.options.edits);
    const isTooBrief = loaded.cut > 0 && brief.some((event) => wantsWhole(reading, event));
    const whole = isTooBrief ? await reader.load(table, row, decodeWhole) : undefined;
    for (const event of whole ? toEvents(whole, around, reading.options.edits) : brief) {
      const found = event.kind === "usage" ? usage.counted(event, row) : event;
      const counted = found instanceof Promise ? await found : found;
      const work = counted && emit(reading, tell(counted), path);
      if (work) await work;
    }
  }
  await countAside(table.size);
}

/** Of a transcript without links, one line says as much as a thousand. */
const BREAKS_TOLD = 8;

const BROKEN: Readonly<Record<Break["why"], string>> = {
  missing: "missing",
  circle: "one of the rows that follow it",
  root: "not named, though others come before it",
};

/** Of what git and its like print, the end tells most. */
const wantsWhole = ({ tally, options }: Reading, event: Event): boolean =>
  options.skim === true && event.kind === "tool-result" && tally.wantsWhole(event.callId);

/** Passes an event on; what a result or a sub-agent keeps in files of its own is work to wait for. */
function emit(reading: Reading, event: Event, path: string): Promise<void> | undefined {
  const limit = wantsWhole(reading, event)
    ? Number.POSITIVE_INFINITY
    : (reading.options.textLimit ?? Number.POSITIVE_INFINITY);
  if (event.kind === "tool-result") {
    const isBrief = reading.options.skim === true;
    if (!isPersisted(event)) return pass(reading, limited(event, limit, isBrief), path);
    return withWholeOutput(reading.fs, reading.transcript, event, limit, reading.report).then((whole) =>
      pass(reading, limited(whole, limit, isBrief), path),
    );
  }
  pass(reading, event, path);
  const log = event.kind === "tool-call" ? reading.agents.get(event.callId) : undefined;
  if (event.kind !== "tool-call" || log === undefined) return undefined;
  reading.agents.delete(event.callId); // each log is read once, even if its call appears twice
  return readLog(reading, log, event.callId).then(() => undefined);
}

function pass({ sink, tally, report }: Reading, event: Event, path: string): undefined {
  if (event.kind === "tool-result" && !tally.isCalled(event.callId)) {
    const message = `a result for tool call ${event.callId}, which is missing`;
    report({ code: "result-orphan", path, line: event.origin.line, message });
  }
  const timed = event.kind === "tool-result" ? withDuration(event, tally) : event;
  tally.add(timed);
  sink.event(timed);
}

/** Some tools note how long they ran; of others only the times of both rows tell, with any wait for an approval. */
function withDuration(event: ToolResultEvent, tally: Tally): ToolResultEvent {
  if (event.durationMs !== undefined || event.status === "interrupted") return event;
  const durationMs = parseTime(event.time ?? "") - (tally.calledAt(event.callId) ?? Number.NaN);
  return durationMs >= 0 ? { ...event, durationMs } : event;
}

/** The picker's order: the user's own title, a generated one, a summary, the last prompt. */
async function titleOf(
  { fs, transcript, report }: Reading,
  { titles }: FirstPass,
  hasFolder: boolean,
): Promise<string | undefined> {
  const file = titleFile(transcript);
  const custom = titles.custom ?? (hasFolder ? await readTitle(fs, file, report) : undefined);
  return custom ?? titles.generated ?? titles.summary ?? titles.lastPrompt;
}

async function readTitle(fs: SessionFs, path: string, report: Report): Promise<string | undefined> {
  try {
    const value: unknown = JSON.parse(Buffer.from(await fs.read(path)).toString("utf8"));
    return (isObject(value) && asString(value.customTitle)?.trim()) || undefined;
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ENOTDIR"))
      report({ code: "sidecar-unreadable", path, message: `the session's title: ${reasonOf(error)}` });
    return undefined;
  }
}

const PREVIEW = /^<persisted-output>[\s\S]*?Full output saved to: (.+)/;

const isPersisted = ({ text }: ToolResultEvent): boolean => text.startsWith("<persisted-output>");

/** The result with its whole output in place of the preview, as far as the limit allows. */
async function withWholeOutput(
  fs: SessionFs,
  transcript: string,
  event: ToolResultEvent,
  limit: number,
  report: Report,
): Promise<ToolResultEvent> {
  const named = PREVIEW.exec(event.text)?.[1]?.trim();
  if (named === undefined) return event;
  // The row names an absolute path, which is no longer right once the home has moved.
  const path = join(sessionFolder(transcript), "tool-results", basename(named.replaceAll("\\", "/")));
  try {
    const { size } = await fs.stat(path);
    const end = Math.min(size, MAX_LINE, limit * 4);
    const text = Buffer.from(await fs.read(path, { start: 0, end })).toString("utf8");
    return { ...event, text, ...(size > end && { cut: size - end }) };
  } catch (error) {
    const message = isErrno(error, "ENOENT")
      ? "the full output of a tool call is gone; only its preview is left"
      : reasonOf(error);
    report({ code: "sidecar-unreadable", path, line: event.origin.line, message });
    return event;
  }
}

/** Cuts a long result, and says by how much; who skims needs no more than that. */
function limited(event: ToolResultEvent, limit: number, isBrief: boolean): ToolResultEvent {
  if (event.text.length <= limit) return event;
  const { text, cut = 0, facts } = limitResult(event.text, limit);
  const before = event.cut ?? 0;
  return { ...event, text, cut: before + cut, ...(facts && before === 0 && !isBrief && { facts }) };
}
