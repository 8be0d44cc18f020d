/** The JSON shapes that people rely on: a field that a session lacks is null, never missing. */
import type { App, CountedMessage, Finding, Hit } from "../../app/contract.ts";
import { fixOf, type Problem } from "../../model/problem.ts";
import type { Session } from "../../model/session/session.ts";
import type { Turn } from "../../model/session/turns.ts";
import { resumeText } from "../text/command-text.ts";
import { matchesIn, unmarked } from "../text/marks.ts";

/** A number of sessions under the name that only numbers have. */
export const withCount = <T extends { readonly sessions: number }>(row: T) => ({
  ...row,
  sessionCount: row.sessions,
});

/** The commands in an answer are for the home that was read. */
export type Home = Pick<App, "demo">;

export const toSessionJson = (session: Session, home: Home) => ({
  source: session.source,
  id: session.id,
  title: session.title,
  workspace: session.workspace ?? null,
  repository: session.repository ?? null,
  branch: session.branch ?? null,
  createdAt: session.createdAt ?? null,
  updatedAt: session.updatedAt ?? null,
  turns: session.turns,
  problemCount: session.problems,
  problems: session.problems,
  models: session.models,
  path: session.path,
  bytes: session.bytes,
  parent: session.parent ?? null,
  handedFrom: session.handedFrom ?? null,
  producer: session.producer ?? null,
  openIn: session.openIn ?? null,
  resume: session.resume === undefined ? null : resumeText(session, home.demo !== undefined),
  vanishedAt: session.vanishedAt ?? null,
  tags: session.tags ?? [],
});

/** What lies beside a conversation is known only when its files are looked at, not from the store. */
export const toWholeSessionJson = (session: Session, home: Home) => ({
  ...toSessionJson(session, home),
  userName: session.userName ?? null,
  agentName: session.agentName ?? null,
  sidecars: session.sidecars ?? [],
});

export const toTurnJson = (turn: Turn) => ({
  index: turn.index,
  user: turn.user,
  assistant: turn.assistant,
  startedAt: turn.startedAt ?? null,
  endedAt: turn.endedAt ?? null,
  attachments: turn.attachments,
  parts: turn.parts,
  ...(turn.cut !== undefined && { cut: turn.cut }),
  origin: turn.origin,
});

export const toProblemJson = (problem: Problem) => ({
  code: problem.code,
  source: problem.source,
  session: problem.session ?? null,
  path: problem.path,
  line: problem.line ?? null,
  message: problem.message,
  fix: fixOf(problem) ?? null,
  remedy: problem.remedy ?? null,
});

export const toFindingJson = (finding: Finding) => ({
  ...toProblemJson(finding),
  severity: finding.severity,
  title: finding.title ?? null,
  producer: finding.producer ?? null,
});

const toHitSessionJson = ({ resume, ...session }: Hit["session"], home: Home) => ({
  ...session,
  ...(resume !== undefined && { resume: resumeText(session, home.demo !== undefined) }),
});

/** The marks around matched words are for terminals; programs get the text. */
export const toHitJson = (hit: Hit, home: Home) => ({
  session: toHitSessionJson(hit.session, home),
  turn: hit.turn ?? null,
  time: hit.time ?? null,
  where: hit.where,
  label: hit.label ?? null,
  snippet: unmarked(hit.snippet),
  matches: matchesIn(hit.snippet),
  score: Math.round(hit.score * 1000) / 1000,
  alsoIn: hit.alsoIn ?? [],
});

export const toMessageJson = (message: CountedMessage) => ({
  role: message.role,
  turn: message.turn ?? null,
  text: message.text,
  thinking: message.thinking ?? null,
  toolCalls: message.toolCalls ?? [],
  toolCallId: message.toolCallId ?? null,
  isError: message.isError ?? false,
  madeUp: message.madeUp ?? false,
  tokens: message.tokens,
});
