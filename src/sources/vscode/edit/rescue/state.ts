/** Builds a session that VS Code can open and save, from what is left of a damaged one. */
import { append } from "../../../../model/values/lists.ts";
import { asNumber, asObject, asString, isObject, type JsonObject, titleFrom } from "../../../log/jsonl.ts";
import { rejectionsOfHead } from "../../format/load-requirements.ts";
import { TURNS } from "../../format/record.ts";
import { promptText } from "../../response/turn-events.ts";
import { repairTurn } from "./turn.ts";

export interface Remains {
  readonly id: string;
  readonly head: JsonObject;
  readonly hasTurns: boolean;
  readonly turns: readonly unknown[];
  readonly isLog: boolean;
  /** Whether the head is all there, so that what it lacks it never had. */
  readonly isWhole: boolean;
  /** What VS Code calls it. */
  readonly listedTitle?: string;
  /** When the file was last written, for want of anything better. */
  readonly mtimeMs: number;
}

export interface Repaired {
  readonly state: JsonObject;
  /** What was wrong, besides the problems of the file itself. */
  readonly faults: readonly string[];
}

export function repairSession(remains: Remains): Repaired {
  const { head, isLog, isWhole, hasTurns } = remains;
  const turns: JsonObject[] = [];
  const faults: string[] = isWhole ? rejectionsOfHead(head, hasTurns) : [];
  if (isLog && head.inputState && !asObject(head.inputState)?.mode)
    faults.push("the unsent draft has no mode, so VS Code can no longer save the session");
  for (const value of remains.turns) {
    if (!isObject(value)) {
      faults.push("a turn is not an object");
      continue;
    }
    const repaired = repairTurn(value, { isLog, isTorn: !isWhole });
    turns.push(repaired.turn);
    append(faults, repaired.faults);
  }
  return { state: { ...repairHead(remains, turns), [TURNS]: turns }, faults: [...new Set(faults)] };
}

function repairHead({ id, head, listedTitle, mtimeMs }: Remains, turns: readonly JsonObject[]): JsonObject {
  const { inputState, computedTitle, ...rest } = head;
  const draft = asObject(inputState);
  const attachments = draft?.attachments ?? [];
  const keepsDraft =
    draft?.mode !== undefined && Array.isArray(attachments) && attachments.every((each) => isObject(each));
  const title = asString(head.customTitle) || (head.version === 2 ? asString(computedTitle) : undefined);
  const firstPrompt = promptText(turns[0]?.message) ?? "";
  return {
    ...rest,
    version: 3,
    sessionId: id,
    creationDate: asNumber(head.creationDate) ?? firstTime(turns) ?? Math.floor(mtimeMs),
    responderUsername: asString(head.responderUsername) ?? "GitHub Copilot",
    initialLocation: "panel",
    // One without a title would be deleted should it ever fail to load.
    customTitle: title || listedTitle || titleFrom(firstPrompt) || "Untitled chat",
    ...(keepsDraft && { inputState }),
  };
}

const firstTime = (turns: readonly JsonObject[]): number | undefined =>
  turns.map(({ timestamp }) => asNumber(timestamp)).find((time) => time !== undefined && time > 0);
