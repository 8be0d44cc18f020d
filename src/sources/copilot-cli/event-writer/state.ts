/** The current state of a session, as a pure fold over its Copilot CLI log. */

import type { ProblemCode } from "../../../model/problem.ts";
import type { ContextMessage } from "../../../model/session/context.ts";
import type { Parent } from "../../../model/session/session.ts";
import { createTurnBuilder, type Part, type ToolPart, type Turn } from "../../../model/session/turns.ts";
import { asString, isObject, type JsonObject } from "../../log/jsonl.ts";
import { createReplay } from "../context/replay.ts";
import { createAgents } from "../log/agents.ts";
import { createCallNotes } from "../log/call-notes.ts";
import { isEphemeralType } from "../log/event-types.ts";
import { toEvents } from "../log/events.ts";
import { createHead, type HeadFacts } from "../log/head.ts";
import { pairResults } from "../log/paired-results.ts";
import { type CopilotRecord, judgeRecord } from "../log/records.ts";
import { createUsageOwnership } from "../log/usage-ownership.ts";
import type { NewEvent } from "./event.ts";
import { createSettings, type SessionSettings } from "./settings.ts";

/** An event that could not be taken as it is; the others are. */
export interface EventProblem {
  /** Its place, counted from 1. */
  readonly event: number;
  readonly code: ProblemCode;
  readonly message: string;
}

/** Where a place is told (`origin`), its line is the number of the event, counted from 1; there are no bytes to tell. */
export interface SessionState extends SessionSettings {
  readonly id?: string;
  /** The first prompt, shortened; who named the session says so in workspace.yaml, not in its log. */
  readonly title: string;
  readonly workspace?: string;
  readonly repository?: string;
  readonly branch?: string;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly producer?: string;
  readonly parent?: Parent;
  /** The models that answered. */
  readonly models: readonly string[];
  /**
   * What the model would receive if the session were resumed now, system prompt aside. What Copilot CLI adds of attached
   * files is not in it: that is read from those files when the session is resumed.
   */
  readonly messages: readonly ContextMessage[];
  readonly turns: readonly Turn[];
  /** Every tool call with what came of it, those of sub-agents included, in the order of the calls. */
  readonly tools: readonly ToolPart[];
  readonly problems: readonly EventProblem[];
}

export function replay(events: Iterable<NewEvent>): SessionState {
  const all: readonly unknown[] = [...events];
  const id = findId(all);
  const head = createHead();
  const settings = createSettings();
  const messages = createReplay();
  const agents = createAgents();
  const ownership = createUsageOwnership(id ?? "");
  const notes = createCallNotes();
  const builder = createTurnBuilder();
  const turns: Turn[] = [];
  const problems: EventProblem[] = [];

  const take = (record: CopilotRecord, line: number, isAccepted: boolean): void => {
    const origin = { line, start: 0, end: 0 };
    messages.push(record, origin);
    settings.push(record);
    agents.note(record);
    if (ownership.isOfAnother(record)) return;
    head.record(record, isAccepted);
    const agent = agents.callOf(record);
    notes.note(record);
    const told = toEvents(record, { origin, agent, textLimit: Number.POSITIVE_INFINITY, cut: 0 });
    for (const event of notes.complete(told)) {
      head.event(event);
      const closed = builder.push(event);
      if (closed) turns.push(closed);
    }
  };

  for (const [index, raw] of all.entries()) {
    const event = index + 1;
    if (!isObject(raw)) {
      problems.push({ event, code: "record-unreadable", message: "not an object" });
      continue;
    }
    // Those who listen to a session get these, too; they are no part of it.
    if (isEphemeralType(asString(raw.type) ?? "")) continue;
    const { record, fault } = judgeRecord(raw);
    if (fault) problems.push({ event, code: fault.code, message: fault.why });
    head.line(record?.time);
    if (record) take(record, event, fault === undefined);
  }
  const last = builder.end();
  if (last) turns.push(last);
  return {
    ...(id !== undefined && { id }),
    ...toHead(head.facts()),
    ...settings.state(),
    messages: pairResults(messages.end()),
    turns,
    tools: [...builder.preamble, ...turns.flatMap(({ parts }) => parts)].flatMap(toolsIn),
    problems,
  };
}

function findId(events: readonly unknown[]): string | undefined {
  const start = events.find((event) => isObject(event) && event.type === "session.start");
  const data: unknown = (start as JsonObject | undefined)?.data;
  return isObject(data) ? asString(data.sessionId) : undefined;
}

type Head = Pick<
  SessionState,
  | "title"
  | "workspace"
  | "repository"
  | "branch"
  | "createdAt"
  | "updatedAt"
  | "producer"
  | "parent"
  | "models"
>;

function toHead(facts: HeadFacts): Head {
  const { folder, branch, producer, parent } = facts;
  const repository = facts.repository ?? facts.askedRepository;
  const createdAt = facts.startedAt ?? facts.firstTime;
  return {
    title: facts.firstPrompt ?? "",
    models: facts.models,
    ...(folder !== undefined && { workspace: folder }),
    ...(repository !== undefined && { repository }),
    ...(branch !== undefined && { branch }),
    ...(createdAt !== undefined && { createdAt }),
    ...(facts.lastTime !== undefined && { updatedAt: facts.lastTime }),
    ...(producer !== undefined && { producer }),
    ...(parent !== undefined && { parent }),
  };
}

const toolsIn = (part: Part): ToolPart[] =>
  part.kind === "tool" ? [part, ...(part.children ?? []).flatMap(toolsIn)] : [];
