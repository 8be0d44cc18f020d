/** What makes a copy a session of its own, told as changes to single values. */
import { asNumber, asObject, type JsonObject } from "../../jsonl.ts";
import { TURNS } from "../record.ts";
import type { Amendment } from "./amend.ts";
import type { Look, TurnLook } from "./look.ts";

export interface Identity {
  readonly id: string;
  readonly title: string;
  /** It is to be about another folder, whose repository is another one as well. */
  readonly isElsewhere?: boolean;
}

/** In versions before the third, VS Code takes the title from another field, or from none. */
export const titled = (head: JsonObject, title: string): Amendment[] => [
  ...((asNumber(head.version) ?? 1) < 3 ? [{ path: ["version"], value: 3 }] : []),
  { path: ["customTitle"], value: title },
];

/** New id and title; nothing that belongs to the original alone: queued prompts, undecided edits, a server's state. */
export function toIdentity(look: Look, turns: readonly TurnLook[], identity: Identity): Amendment[] {
  const { head } = look;
  const draft = head.inputState;
  const drop = [
    "pendingRequests",
    "hasPendingEdits",
    ...(identity.isElsewhere ? ["repoData", "workingDirectory"] : []),
    // Without a mode VS Code could not save the session any more.
    ...(draft && !asObject(draft)?.mode ? ["inputState"] : []),
  ];
  return [
    { path: ["sessionId"], value: identity.id },
    ...titled(head, identity.title),
    ...drop.filter((key) => head[key] !== undefined).map((key) => ({ path: [key], value: undefined })),
    ...(["panel", undefined].includes(head.initialLocation as string | undefined)
      ? []
      : [{ path: ["initialLocation"], value: "panel" }]),
    ...turns.flatMap((turn, index) => ofTurn(turn, [TURNS, index, "result", "metadata"], identity.id)),
  ];
}

const ofTurn = (
  { namesSession, markedRounds }: TurnLook,
  metadata: readonly (string | number)[],
  id: string,
): Amendment[] => [
  ...(namesSession ? [{ path: [...metadata, "sessionId"], value: id }] : []),
  ...markedRounds.map((round) => ({
    path: [...metadata, "toolCallRounds", round, "statefulMarker"],
    value: undefined,
  })),
];
