/** Tool calls as events, each followed by its result. */
import type { ImageRef } from "../../../model/session/image-ref.ts";
import type { Event, Origin } from "../../../model/session/session.ts";
import { asString, type JsonObject } from "../../log/jsonl.ts";
import { type LimitedResult, limitResult } from "../../log/limited-result.ts";
import type { Path } from "../format/json-outline.ts";
import { approvalOf, providerOf, tasksOf } from "./notes.ts";
import {
  labelOf,
  type ModelCall,
  modelCallId,
  outcomeOf,
  shownInput,
  statusOfText,
  type ToolOutcome,
} from "./tools.ts";

/** Where and when: what all events of a turn have in common. */
export interface Base {
  readonly origin: Origin;
  readonly time?: string;
}

/** A call that VS Code shows, completed by what the extension kept of it. */
export function shownCallEvents(
  part: JsonObject,
  call: ModelCall | undefined,
  at: Path,
  base: Base,
  textLimit: number,
  images: readonly ImageRef[] = [],
): Event[] {
  const callId = asString(part.toolCallId) ?? call?.id ?? at.join(".");
  const owner = asString(part.subAgentInvocationId);
  const label = labelOf(part);
  const agent = owner !== undefined && owner !== callId ? { agent: owner } : {};
  const common = { callId, ...base, ...agent };
  const [provider, approval, tasks] = [providerOf(part), approvalOf(part), tasksOf(part)];
  return [
    {
      kind: "tool-call",
      ...common,
      name: call?.name || asString(part.toolId) || "tool",
      input: call?.input ?? shownInput(part),
      ...(label !== undefined && { label }),
      ...(provider && { provider }),
      ...(approval && { approval }),
    },
    {
      kind: "tool-result",
      ...common,
      ...shorten(outcomeOf(part, call), textLimit),
      ...(images.length > 0 && { images }),
    },
    ...(tasks ? [{ kind: "note" as const, about: "tasks" as const, items: tasks, ...base, ...agent }] : []),
  ];
}

/** A call that VS Code does not show, though the model made it. */
export function hiddenCallEvents(
  call: ModelCall,
  base: Base,
  textLimit: number,
  images: readonly ImageRef[] = [],
): Event[] {
  const common = { callId: modelCallId(call.id), ...base };
  const made: Event = { kind: "tool-call", ...common, name: call.name || "tool", input: call.input };
  if (call.result === undefined) return [made];
  const outcome = { status: statusOfText(call.result), text: call.result };
  return [
    made,
    {
      kind: "tool-result",
      ...common,
      ...shorten(outcome, textLimit),
      ...(images.length > 0 && { images }),
    },
  ];
}

export const shorten = ({ text, ...outcome }: ToolOutcome, limit: number): ToolOutcome & LimitedResult => ({
  ...outcome,
  ...limitResult(text, limit),
});
