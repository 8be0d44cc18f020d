/** Reads one session: the events of its live chain, with the work of sub-agents at the call that started it. */
import { join } from "node:path";
import { countsAgainst, type Problem } from "../../model/problem.ts";
import type { Artifact, Attachment, Event, Session, ToolResultEvent } from "../../model/session.ts";
import { isErrno, reasonOf, type SessionFs } from "../../platform/session-fs.ts";
import { asString, isObject, titleFrom } from "../jsonl.ts";
import type { ReadOptions, ReadSink } from "../source.ts";
import { chainForReader } from "./chain.ts";
import { toEvents } from "./events.ts";
import { findHolders } from "./live.ts";
import { sessionFolder } from "./locate.ts";
import type { Row } from "./records.ts";
import { openRows } from "./row-reader.ts";
import { type Agents, addNamedAgents, findAgents } from "./subagents.ts";
import { type Report, type Survey, survey } from "./survey.ts";
import { createTally, type Tally } from "./tally.ts";
import { limited, withWholeOutput } from "./tool-results.ts";

export async function read(
  fs: SessionFs,
  artifact: Artifact,
  sink: ReadSink,
  options: ReadOptions = {},
): Promise<Session> {
  let problems = 0;
  const report: Report = (found) => {
    const problem: Problem = { source: artifact.source, session: artifact.id, ...found };
    if (countsAgainst(problem)) problems++;
    sink.problem(problem);
  };
  const tally = createTally();
  const agents = await findAgents(fs, artifact.path, report);
  const reading: Reading = { fs, sink, options, report, tally, agents, transcript: artifact.path };
  const facts = await readLog(reading, artifact.path);
  if (facts && tally.events === 0)
    report({ code: "session-empty", path: artifact.path, message: "the transcript holds no conversation" });
  for (const { call, origin } of tally.unanswered()) {
    const message = `tool call ${call} has no result`;
    report({ code: "call-unanswered", path: origin.file ?? artifact.path, line: origin.line, message });
  }
  const title = (facts && (await titleOf(fs, artifact.path, facts, report))) || tally.firstPrompt;
  const holder = (await findHolders(fs, artifact.root, () => undefined)).find(
    ({ session, isRunning }) => isRunning && session === artifact.id,
  );
  return {
    source: artifact.source,
    id: artifact.id,
    title: titleFrom(title ?? "") || "(no prompt)",
    turns: tally.turns,
    problems,
    models: [...tally.models],
    path: artifact.path,
    bytes: artifact.fingerprint.size,
    updatedAt: facts?.lastTime ?? new Date(artifact.fingerprint.mtimeMs).toISOString(),
    resume: `claude --resume ${artifact.id}`,
    ...(facts?.workspace !== undefined && { workspace: facts.workspace }),
    ...(facts?.branch !== undefined && { branch: facts.branch }),
    ...(facts?.firstTime !== undefined && { createdAt: facts.firstTime }),
    ...(facts?.producer !== undefined && { producer: facts.producer }),
    ...(facts?.forkedFrom !== undefined && { parent: { id: facts.forkedFrom, kind: "fork" } }),
    ...(holder && { openIn: holder.pid }),
  };
}

interface Reading {
  readonly fs: SessionFs;
  readonly transcript: string;
  readonly sink: ReadSink;
  readonly options: ReadOptions;
  readonly report: Report;
  readonly tally: Tally;
  readonly agents: Agents;
}

/** One log: the transcript itself, or a sub-agent's with the call that started it. */
async function readLog(reading: Reading, path: string, agent?: string): Promise<Survey | undefined> {
  const { fs, options, report } = reading;
  try {
    const facts = await survey(fs, path, report, {
      agentFile: agent !== undefined,
      ...(options.maxLine !== undefined && { maxLine: options.maxLine }),
    });
    await addNamedAgents(fs, reading.transcript, facts, reading.agents);
    await readChain(reading, facts, path, agent);
    return facts;
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    const code = agent === undefined ? "session-unreadable" : "sidecar-unreadable";
    report({ code, path, message: reasonOf(error) });
    return undefined;
  }
}

async function readChain(reading: Reading, facts: Survey, path: string, agent?: string): Promise<void> {
  const { rows, breaks } = chainForReader(facts);
  for (const { row, bridge } of breaks) {
    const instead = bridge ? `; line ${bridge.origin.line} is taken for it` : "";
    const message = `the row before row ${row.uuid} is not there${instead}`;
    reading.report({ code: "chain-broken", path, line: row.origin.line, message });
  }
  const reader = openRows(reading.fs, path, reading.options.maxLine);
  const ends = new Map(rows.map((row) => [row.messageId ?? row.uuid, row]));
  for (const [at, row] of rows.entries()) {
    const loaded = await reader.load(row);
    if (!loaded) continue;
    const around = {
      attachments: sentAlong(rows, at),
      endsReply: ends.get(row.messageId ?? row.uuid) === row,
    };
    for (const event of toEvents(loaded, around))
      await emit(reading, agent === undefined ? event : { ...event, agent }, path);
  }
}

/** What follows a prompt as attachment rows. */
function sentAlong(rows: readonly Row[], at: number): Attachment[] {
  const attachments: Attachment[] = [];
  if (rows[at]?.kind !== "user") return attachments;
  for (let next = at + 1; rows[next]?.kind === "attachment"; next++) {
    const attached = rows[next]?.attached;
    if (attached) attachments.push(attached);
  }
  return attachments;
}

async function emit(reading: Reading, event: Event, path: string): Promise<void> {
  const { sink, tally, agents, report } = reading;
  const whole = event.kind === "tool-result" ? await resultWithin(reading, event) : event;
  if (whole.kind === "tool-result" && !tally.isCalled(whole.callId)) {
    const message = `a result for tool call ${whole.callId}, which is not there`;
    report({ code: "result-orphan", path, line: whole.origin.line, message });
  }
  tally.add(whole);
  sink.event(whole);
  if (whole.kind !== "tool-call") return;
  const log = agents.get(whole.callId);
  agents.delete(whole.callId); // each log is read once, even if its call appears twice
  if (log !== undefined) await readLog(reading, log, whole.callId);
}

async function resultWithin(reading: Reading, event: ToolResultEvent): Promise<ToolResultEvent> {
  const limit = reading.options.textLimit ?? Number.POSITIVE_INFINITY;
  return limited(await withWholeOutput(reading.fs, reading.transcript, event, limit, reading.report), limit);
}

/** The picker's order: the user's own title, a generated one, a summary, the last prompt. */
async function titleOf(
  fs: SessionFs,
  path: string,
  { titles }: Survey,
  report: Report,
): Promise<string | undefined> {
  return (
    titles.custom ??
    (await titleFile(fs, join(sessionFolder(path), "custom-title.json"), report)) ??
    titles.generated ??
    titles.summary ??
    titles.lastPrompt
  );
}

async function titleFile(fs: SessionFs, path: string, report: Report): Promise<string | undefined> {
  try {
    const value: unknown = JSON.parse(Buffer.from(await fs.read(path)).toString("utf8"));
    return (isObject(value) && asString(value.customTitle)?.trim()) || undefined;
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ENOTDIR"))
      report({ code: "sidecar-unreadable", path, message: `the session's title: ${reasonOf(error)}` });
    return undefined;
  }
}
