/** What the records before a result tell about it: when its tool started, and which lines of which file a patch changes. */
import type { Event, ToolCallEvent } from "../../../model/session/session.ts";
import { asObject, asString } from "../../log/jsonl.ts";
import { roleOf } from "./event-types.ts";
import type { CopilotRecord } from "./records.ts";

export interface CallNotes {
  /** Takes every record, before its events. */
  note(record: CopilotRecord): void;
  /** The events of one record: a result with its duration, edits with their lines, where these were noted. */
  complete(events: readonly Event[]): readonly Event[];
  /** Whether it knows anything that a later event may be completed with. */
  hasAny(): boolean;
  /** To begin with the next time. */
  entries(): NotedPatches;
}

/** Of calls that wait for their results. */
export type NotedPatches = readonly (readonly [callId: string, files: readonly PatchedFile[]])[];

interface PatchedFile {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

/** Calls that never complete are forgotten beyond this many. */
const MOST_WAITING = 10_000;

export function createCallNotes(before: NotedPatches = []): CallNotes {
  const starts = new Map<string, number>();
  const patches = new Map<string, readonly PatchedFile[]>(before);
  const durationOf = (callId: string, time: string | undefined): number | undefined => {
    const start = starts.get(callId);
    starts.delete(callId);
    return start === undefined || time === undefined ? undefined : Date.parse(time) - start;
  };
  return {
    note({ type, data, time }) {
      if (time === undefined || roleOf(type) !== "call-start") return;
      if (starts.size >= MOST_WAITING) starts.clear();
      starts.set(asString(data.toolCallId) ?? "", Date.parse(time));
    },
    complete(events) {
      let files: readonly PatchedFile[] | undefined;
      const completed = (event: Event): Event => {
        if (event.kind === "tool-call") {
          const patched = patchedBy(event);
          // The lines of a single file are counted in the result.
          if (patched.length > 1 && patches.size < MOST_WAITING) patches.set(event.callId, patched);
        } else if (event.kind === "tool-result") {
          files = patches.get(event.callId);
          patches.delete(event.callId);
          const durationMs = durationOf(event.callId, event.time);
          // A call that was broken off is answered when the session is resumed, however much later.
          if (durationMs !== undefined && durationMs >= 0 && event.status !== "interrupted")
            return { ...event, durationMs };
        } else if (event.kind === "edit" && event.added === undefined) {
          const file = files?.find(({ path }) => event.path === path || event.path.endsWith(`/${path}`));
          if (file) return { ...event, added: file.added, removed: file.removed };
        }
        return event;
      };
      // Nearly all stay as they are, and then so does the list.
      let changed: Event[] | undefined;
      for (let at = 0; at < events.length; at++) {
        const event = events[at] as Event;
        const done = completed(event);
        if (done === event) continue;
        changed ??= [...events];
        changed[at] = done;
      }
      return changed ?? events;
    },
    hasAny: () => starts.size > 0 || patches.size > 0,
    entries: () => [...patches],
  };
}

const FILE = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/;

function patchedBy({ name, input }: ToolCallEvent): PatchedFile[] {
  if (name !== "apply_patch") return [];
  const fields = asObject(input);
  const text = asString(input) ?? asString(fields?.patch) ?? asString(fields?.input) ?? "";
  const files: { path: string; added: number; removed: number }[] = [];
  for (const line of text.split("\n")) {
    const path = FILE.exec(line)?.[1]?.trim();
    const file = files.at(-1);
    if (path !== undefined) files.push({ path, added: 0, removed: 0 });
    else if (file && line.startsWith("+")) file.added++;
    else if (file && line.startsWith("-")) file.removed++;
  }
  return files;
}
