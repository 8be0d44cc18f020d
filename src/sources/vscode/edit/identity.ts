/** What makes a copy a session of its own, told as changes to single values. */
import { asNumber, asObject, type JsonObject } from "../../jsonl.ts";
import { TURNS } from "../record.ts";
import { type Amendment, EACH } from "./amend.ts";
import type { Look } from "./look.ts";

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
export function toIdentity({ head }: Look, identity: Identity): Amendment[] {
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
    { path: [...METADATA, "sessionId"], value: identity.id },
    { path: [...METADATA, "toolCallRounds", EACH, "statefulMarker"], value: undefined },
  ];
}

/** What the extension notes with every turn. */
const METADATA = [TURNS, EACH, "result", "metadata"];
