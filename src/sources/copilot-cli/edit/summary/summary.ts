/** The summary that replaces turns: made from the turns themselves, or by the command that the user chose. */
import { AppError } from "../../../../model/errors.ts";
import type { Artifact, Event, Session } from "../../../../model/session/session.ts";
import { createTurnBuilder, type Part, type Turn } from "../../../../model/session/turns.ts";
import { createSummarizer } from "../../../../model/summary/summarize.ts";
import type { Summary } from "../../../../model/summary/summary.ts";
import type { SessionKey } from "../../../../model/values/id.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { WriteSummary } from "../../../requests.ts";
import { findToolAction } from "../../../tool-actions.ts";
import { read } from "../../read.ts";
import { TOOL_ACTIONS } from "../../tool-actions.ts";
import { type SessionFolder, textOf } from "../copy/folder.ts";
import { createConversation, toPrompt } from "./prompt.ts";
import {
  findTitle,
  missingSections,
  SECTION_TAGS,
  TITLE_TAG,
  toSummary,
  toSummaryText,
  withTitle,
} from "./text.ts";

export interface SummaryRequest {
  /** The turns that it is to stand for, by their numbers. */
  readonly isMeant: (turn: number) => boolean;
  /** How many there are. */
  readonly turns: number;
  /** How many follow it word for word. */
  readonly followed: number;
  /** Where the turns stay readable, when that is another session. */
  readonly source?: SessionKey;
  /** In characters. */
  readonly limit?: number;
  readonly write?: WriteSummary;
}

/** With its title at the end, as the program's own model gives it. */
export async function summarize(
  fs: SessionFs,
  artifact: Artifact,
  folder: SessionFolder,
  { isMeant, turns, followed, source, limit, write }: SummaryRequest,
): Promise<string> {
  const summarizer = createSummarizer();
  const conversation = write && createConversation(turns);
  const { workspace } = await eachTurn(fs, artifact, {
    turn(turn) {
      if (!isMeant(turn.index)) return;
      summarizer.add(turn);
      conversation?.add(turn);
    },
    restart(earlier) {
      summarizer.restart(earlier);
      conversation?.restart(earlier);
    },
  });
  const planned = openPoints((await textOf(fs, folder, "plan.md")) ?? "");
  const summary = summarizer.end({
    planned,
    followed,
    ...(workspace !== undefined && { workspace }),
    ...(source && { source }),
    ...(limit !== undefined && { limit }),
  });
  if (!write || !conversation) return toSummaryText(summary);
  const reply = checked(await write(toPrompt(conversation.text(), followed)));
  // A model that forgot the title does not make the rest worthless.
  return findTitle(reply) === undefined ? withTitle(reply, summary.title) : reply;
}

const openPoints = (plan: string): string[] =>
  [...plan.matchAll(/^[ \t]*[-*] \[ \] (.+)$/gm)].map((match) => match[1] ?? "").slice(0, 20);

/** In characters: beyond this it is no summary. */
const LONGEST = 64_000;

/** From the first section to the last one: what a model says around them is no part of it. */
function checked(reply: string): string {
  const missing = missingSections(reply);
  if (missing.length > 0)
    throw new AppError(
      "summary-failed",
      reply.trim() === ""
        ? "The command wrote no summary, so nothing was changed"
        : `The summary lacks ${missing.map((tag) => `<${tag}>`).join(", ")}, so nothing was changed`,
      "Make the command print the sections that it is asked for, or leave out --with",
    );
  const tags = [...SECTION_TAGS, TITLE_TAG];
  const start = Math.min(...SECTION_TAGS.map((tag) => reply.indexOf(`<${tag}>`)));
  const end = Math.max(...tags.map((tag) => reply.lastIndexOf(`</${tag}>`) + tag.length + 3));
  const text = reply.slice(start, end);
  if (text.length <= LONGEST) return text.toWellFormed();
  throw new AppError(
    "summary-failed",
    `The summary has ${text.length} characters, which is too long, so nothing was changed`,
    `Make the command print at most ${LONGEST} characters, or leave out --with`,
  );
}

interface TurnVisitor {
  turn(turn: Turn): void;
  /** All turns so far are gone from the model's view; an earlier summary may stand for them. */
  restart(earlier?: Summary): void;
}

/** What is read of one result: its errors and commits stand there. */
const TEXT_LIMIT = 4000;

async function eachTurn(fs: SessionFs, artifact: Artifact, visitor: TurnVisitor): Promise<Session> {
  const builder = createTurnBuilder();
  let isBegun = false;
  const begin = (): void => {
    if (!isBegun) visitParts(builder.preamble, visitor);
    isBegun = true;
  };
  const visit = (turn: Turn | undefined): void => {
    if (!turn) return;
    begin();
    const rest = visitParts(turn.parts, visitor);
    const isOver = rest.length < turn.parts.length && !rest.some(isWork);
    if (!isOver) visitor.turn({ ...turn, parts: [...rest] });
  };
  const event = (each: Event): void => {
    const act = each.kind === "tool-call" ? findToolAction(TOOL_ACTIONS, each.name, each.input) : undefined;
    visit(builder.push(act && each.kind === "tool-call" ? { ...each, act } : each));
  };
  const session = await read(
    fs,
    artifact,
    { event, problem: () => undefined }, // what is damaged is told by `show`
    { skim: true, textLimit: TEXT_LIMIT },
  );
  visit(builder.end());
  begin();
  return session;
}

const isWork = ({ kind }: Part): boolean => kind === "text" || kind === "tool";

/** Gives back what came after the last compaction or clearing. */
function visitParts(parts: readonly Part[], { restart }: TurnVisitor): readonly Part[] {
  const at = parts.findLastIndex(({ kind }) => kind === "checkpoint" || kind === "clear");
  const last = parts[at];
  if (!last) return parts;
  if (last.kind === "checkpoint") restart({ ...toSummary(last.summary), title: last.title ?? "" });
  else restart();
  return parts.slice(at + 1);
}
