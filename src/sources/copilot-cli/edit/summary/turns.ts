/** The turns to summarize, without what a clearing or a compaction removed. */
import type { Artifact, Event, Session } from "../../../../model/session/session.ts";
import { createTurnBuilder, type Part, type Turn } from "../../../../model/session/turns.ts";
import type { Summary } from "../../../../model/summary/summary.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { findToolAction } from "../../../tool-actions.ts";
import { read } from "../../read.ts";
import { TOOL_ACTIONS } from "../../tool-actions.ts";
import { toSummary } from "./text.ts";

export interface TurnVisitor {
  turn(turn: Turn): void;
  /** All turns so far are gone from the model's view; an earlier summary may stand for them. */
  restart(earlier?: Summary): void;
}

/** What is read of one result: its errors and commits stand there. */
const TEXT_LIMIT = 4000;

export async function eachTurn(fs: SessionFs, artifact: Artifact, visitor: TurnVisitor): Promise<Session> {
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
