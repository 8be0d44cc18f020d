/** The changes that give a copy its own identity. */
import { createHash } from "node:crypto";
import { memberOf } from "../../../../model/values/member.ts";
import { asNumber, asObject, type JsonObject } from "../../../log/jsonl.ts";
import type { Path } from "../../format/json-outline.ts";
import { TURNS } from "../../format/record.ts";
import { type Amendment, EACH } from "../patch/amend.ts";
import type { InspectedTurn, Inspection } from "./inspect.ts";

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

/**
 * New ids and title; nothing that belongs to the original alone: queued prompts, undecided edits, a server's state.
 * `turns` are those that the copy has.
 */
export function toIdentity(
  { head }: Inspection,
  turns: readonly InspectedTurn[],
  identity: Identity,
): Amendment[] {
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
    ...drop
      .filter((key) => memberOf(head, key) !== undefined)
      .map((key) => ({ path: [key], value: undefined })),
    ...(["panel", undefined].includes(head.initialLocation as string | undefined)
      ? []
      : [{ path: ["initialLocation"], value: "panel" }]),
    { path: [...METADATA, "sessionId"], value: identity.id },
    { path: [...METADATA, "toolCallRounds", EACH, "statefulMarker"], value: undefined },
    ...turns.flatMap((turn, index) => [
      ...renewed([TURNS, index, "requestId"], turn.id, identity.id),
      ...renewed([TURNS, index, "responseId"], turn.responseId, identity.id),
      ...(turn.summarized !== undefined && turns.some(({ id }) => id === turn.summarized)
        ? renewed([TURNS, index, ...SUMMARIZED], turn.summarized, identity.id)
        : []),
    ]),
  ];
}

/** VS Code takes turns with equal ids for the same, and shows nothing of a copy that is opened after its original. */
const renewed = (path: Path, id: string | undefined, copy: string): Amendment[] =>
  id === undefined ? [] : [{ path, value: renewId(id, copy) }];

/** Of the same kind, `request_…` or `response_…`, and the same whenever the same copy is planned. */
export function renewId(id: string, copy: string): string {
  const hex = createHash("sha256").update(`${copy} ${id}`).digest("hex");
  const [, a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(hex) ?? [];
  return `${/^[a-z]+_/.exec(id)?.[0] ?? ""}${a}-${b}-4${c}-8${d}-${e}`;
}

/** What the extension notes with every turn. */
const METADATA = [TURNS, EACH, "result", "metadata"];
const SUMMARIZED = ["result", "metadata", "summary", "toolCallRoundId"];
