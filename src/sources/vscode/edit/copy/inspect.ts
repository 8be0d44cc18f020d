/**
 * Inspects a session before it is copied or cut: checks that VS Code opens all of it, and reads a few facts of each
 * turn.
 */
import { AppError } from "../../../../model/errors.ts";
import { severityOf } from "../../../../model/problem.ts";
import { newerThanKnown } from "../../../../model/session/newer.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { cutDeep } from "../../../../model/values/json.ts";
import { toMs } from "../../../../model/values/time.ts";
import { reasonOf, type SessionFs } from "../../../../platform/fs/session-fs.ts";
import { asNumber, asObject, asString, isObject, type JsonObject, titleFrom } from "../../../log/jsonl.ts";
import type { Survey } from "../../../source.ts";
import { isIntact } from "../../format/fallbacks.ts";
import { createHistory, selectedModel } from "../../format/history.ts";
import {
  rejectionsOfHead,
  toSavedTurn,
  whyTurnRejected,
  whyUsedContextRejected,
} from "../../format/load-requirements.ts";
import { toValue } from "../../format/parsed-session.ts";
import { SOURCE } from "../../format/problems.ts";
import { inUsualSession, isNewer, type OpenSession } from "../../format/session-file.ts";
import { promptText, requestStartsTurn } from "../../response/turn-events.ts";

/** One request of VS Code's list; most of them start a turn. */
export interface InspectedTurn {
  readonly startsTurn: boolean;
  readonly id: string | undefined;
  readonly responseId: string | undefined;
  /** The round that a summary ends with: by its own id, or by that of a turn that has no rounds. */
  readonly summarized: string | undefined;
  readonly prompt: string;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  /** As VS Code takes it when it loads the session: pending turns are cancelled ones then. */
  readonly state: number;
}

export interface Inspection {
  readonly isLog: boolean;
  readonly size: number;
  /** The last line of a log has its line feed. */
  readonly isEnded: boolean;
  /** Everything but the turns. */
  readonly head: JsonObject;
  /** Every request, whether it starts a turn or not. */
  readonly turns: readonly InspectedTurn[];
  readonly title: string;
  /** A turn keeps VS Code from saving the session any more, though it opens. */
  readonly isUnsaveable: boolean;
}

export async function inspectSession(
  fs: SessionFs,
  artifact: Artifact,
  survey?: Survey,
): Promise<Inspection> {
  if (artifact.listed?.state === "ghost") throw notWhole(artifact, "only a transcript of it is left");
  const { size } = await fs.stat(artifact.path);
  try {
    return await inUsualSession(fs, artifact.path, (file) => inspectOpen(file, artifact, size, survey));
  } catch (error) {
    if (error instanceof AppError || !(error instanceof Error && "code" in error)) throw error;
    throw notWhole(artifact, reasonOf(error));
  }
}

async function inspectOpen(
  { parsed, load, isLog }: OpenSession,
  artifact: Artifact,
  size: number,
  survey: Survey | undefined,
): Promise<Inspection> {
  if (isNewer(parsed)) throw newerThanKnown(`Session ${artifact.id}`);
  const rejection = isIntact(parsed)
    ? rejectionsOfHead(parsed.head, parsed.hasTurns)[0]
    : parsed.faults.find((fault) => severityOf(fault) === "damage")?.message;
  if (rejection !== undefined) throw notWhole(artifact, rejection);
  const turns: InspectedTurn[] = [];
  const history = survey && createHistory(survey.hold);
  let isUnsaveable = false;
  for (const slot of [...(parsed.dropped ?? []), ...parsed.turns]) {
    const { value, faults } = await toValue(parsed.changes.of(slot), load);
    const fault = faults.find((each) => severityOf(each) === "damage")?.message;
    if (fault !== undefined) throw notWhole(artifact, fault);
    if (parsed.dropped?.includes(slot)) continue;
    const wrong = whyTurnRejected(value) ?? (isObject(value) ? whyUsedContextRejected(value) : undefined);
    if (wrong !== undefined) throw notWhole(artifact, wrong);
    turns.push(inspectTurn(asObject(value) ?? {}));
    const { isPlain, isFinished } = toSavedTurn(asObject(value) ?? {});
    isUnsaveable ||= isLog && isPlain && !isFinished;
    if (!history) continue;
    cutDeep(value); // as in what is shown
    history.add({ value });
  }
  const { head } = parsed;
  // Where no turn tells anything, what is left elsewhere is read.
  if (history && turns.length > 0)
    survey?.take({ turns: history.turns(), messages: history.end(selectedModel(head)) });
  return {
    isLog,
    size,
    isEnded: !parsed.faults.some(({ code }) => code === "record-unended"),
    head,
    turns,
    title: titleOf(head, artifact, turns),
    isUnsaveable,
  };
}

export function inspectTurn(turn: JsonObject): InspectedTurn {
  const { value, completedAt } = asObject(turn.modelState) ?? {};
  const elapsed = asNumber(asObject(asObject(turn.result)?.timings)?.totalElapsed);
  const startedAt = toMs(turn.timestamp);
  return {
    startsTurn: requestStartsTurn(turn),
    id: asString(turn.requestId),
    responseId: asString(turn.responseId),
    summarized: asString(asObject(asObject(asObject(turn.result)?.metadata)?.summary)?.toolCallRoundId),
    prompt: promptText(turn.message) ?? "",
    startedAt,
    endedAt: toMs(completedAt) ?? toMs((startedAt ?? 0) + (elapsed ?? 0)),
    state: stateOf(value, turn.isCanceled === true),
  };
}

const [COMPLETE, CANCELLED, FAILED] = [1, 2, 3];

const stateOf = (value: unknown, isCanceled: boolean): number => {
  if (value === undefined) return isCanceled ? CANCELLED : COMPLETE;
  return value === COMPLETE || value === FAILED ? value : CANCELLED;
};

/** What VS Code shows, down to the first prompt; one without a title would be deleted should it ever fail to load. */
function titleOf(head: JsonObject, { listed }: Artifact, turns: readonly InspectedTurn[]): string {
  const own = asString(head.customTitle) ?? (head.version === 2 ? asString(head.computedTitle) : undefined);
  return own || listed?.title || titleFrom(turns[0]?.prompt ?? "") || "Untitled chat";
}

const notWhole = ({ id }: Artifact, reason: string): AppError =>
  new AppError("unreadable", `VS Code could not open all of this session: ${reason}`, {
    say: "Repair it first",
    remedy: { action: "rescue", session: `${SOURCE}:${id}` },
  });

/** It would be written but never shown. */
export const nothingToShow = (what: string): AppError =>
  new AppError("turn-not-found", `${what} has no turns, and VS Code does not show chats without turns`, {
    say: "See which chats have turns",
    remedy: { action: "list", args: { source: "vscode" } },
  });

/** Its file was removed while it was read. */
export const noLongerThere = (path: string): AppError =>
  new AppError("session-changed", `${path} no longer exists`, "Run the command again");
