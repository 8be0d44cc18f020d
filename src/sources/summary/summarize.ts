/** Makes the summary that replaces turns: from the turns themselves, or by the command that the user chose. */
import { AppError } from "../../model/errors.ts";
import type { Artifact, Event, Origin, Session, ToolAct } from "../../model/session/session.ts";
import { createTurnBuilder, type Part, type Turn } from "../../model/session/turns.ts";
import { createSummarizer } from "../../model/summary/summarize.ts";
import type { Summary } from "../../model/summary/summary.ts";
import type { SessionKey } from "../../model/values/id.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import type { WriteSummary } from "../requests.ts";
import type { Source } from "../source.ts";
import { createConversation, toPrompt } from "./prompt.ts";
import { missingSections, SECTION_TAGS, TITLE_TAG } from "./tags.ts";

/** What a source knows of its sessions that a summary needs. */
export interface Summarized {
  readonly read: Source["read"];
  actionOf(name: string, input: unknown): ToolAct | undefined;
  /** An earlier summary, as its program keeps it. */
  toSummary(text: string): Summary;
  /** Open points of a plan that the session keeps beside its log. */
  readonly planned?: readonly string[];
  /** Whether an earlier compaction, by the place of its summary, left a turn as it was. */
  isLeft?(summary: Origin, turn: number): boolean;
}

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

export interface MadeSummary {
  /** Made from the turns themselves. */
  readonly summary: Summary;
  /** What the user's command wrote instead, between tags. */
  readonly reply?: string;
  /** How many compactions there were before. */
  readonly earlier: number;
}

export async function summarize(
  fs: SessionFs,
  artifact: Artifact,
  of: Summarized,
  { isMeant, turns, followed, source, limit, write }: SummaryRequest,
): Promise<MadeSummary> {
  const summarizer = createSummarizer();
  const conversation = write && createConversation(turns);
  let earlier = 0;
  const { workspace } = await eachTurn(fs, artifact, of, {
    turn(turn) {
      if (!isMeant(turn.index)) return;
      summarizer.add(turn);
      conversation?.add(turn);
    },
    restart(before, isLeft) {
      if (before) earlier++;
      summarizer.restart(before, isLeft);
      conversation?.restart(before, isLeft);
    },
  });
  const summary = summarizer.end({
    followed,
    ...(of.planned && { planned: of.planned }),
    ...(workspace !== undefined && { workspace }),
    ...(source && { source }),
    ...(limit !== undefined && { limit }),
  });
  if (!write || !conversation) return { summary, earlier };
  return { summary, earlier, reply: checked(await write(toPrompt(conversation.text(), followed))) };
}

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
  /** All turns so far are gone from the model's view, but for those that are left; an earlier summary may stand for them. */
  restart(earlier: Summary | undefined, isLeft: (turn: number) => boolean): void;
}

/** What is read of one result: its errors and commits stand there. */
const TEXT_LIMIT = 4000;

async function eachTurn(
  fs: SessionFs,
  artifact: Artifact,
  of: Summarized,
  visitor: TurnVisitor,
): Promise<Session> {
  const builder = createTurnBuilder();
  let isBegun = false;
  const begin = (): void => {
    if (!isBegun) restartAt(builder.preamble, of, visitor);
    isBegun = true;
  };
  const visit = (turn: Turn | undefined): void => {
    if (!turn) return;
    begin();
    const { rest, isLeft } = restartAt(turn.parts, of, visitor);
    if (isLeft(turn.index)) {
      visitor.turn({ ...turn, parts: turn.parts.filter(({ kind }) => kind !== "checkpoint") });
      return;
    }
    const isOver = rest.length < turn.parts.length && !rest.some(isWork);
    if (!isOver) visitor.turn({ ...turn, parts: [...rest] });
  };
  const event = (each: Event): void => {
    const act = each.kind === "tool-call" ? of.actionOf(each.name, each.input) : undefined;
    visit(builder.push(act && each.kind === "tool-call" ? { ...each, act } : each));
  };
  const session = await of.read(
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

/** Gives back what came after the last compaction or clearing, and which turns that left. */
function restartAt(
  parts: readonly Part[],
  of: Summarized,
  { restart }: TurnVisitor,
): { readonly rest: readonly Part[]; isLeft(turn: number): boolean } {
  const none = (): boolean => false;
  const at = parts.findLastIndex(({ kind }) => kind === "checkpoint" || kind === "clear");
  const last = parts[at];
  if (!last) return { rest: parts, isLeft: none };
  const { origin } = last;
  const isLeft = last.kind === "checkpoint" ? (turn: number) => of.isLeft?.(origin, turn) === true : none;
  const earlier =
    last.kind === "checkpoint" ? { ...of.toSummary(last.summary), title: last.title ?? "" } : undefined;
  restart(earlier, isLeft);
  return { rest: parts.slice(at + 1), isLeft };
}
