/** Picks the changes of one file out of the events of a session: those that happened, each with its turn and time. */
import type { FileEdit } from "../../model/session/file-edit.ts";
import type { Event } from "../../model/session/session.ts";
import { startsTurn } from "../../model/session/turns.ts";
import type { ToolEditReader } from "../../sources/tools/edits.ts";
import { createEditList } from "./edit-list.ts";

/** A change, and where in its session it stands. */
export interface SessionEdit {
  readonly edit: FileEdit;
  readonly turn: number;
  readonly prompt: string;
  /** ISO 8601. */
  readonly time?: string;
  /** The call that made it. */
  readonly callId?: string;
}

export interface FoundEdits {
  readonly edits: readonly SessionEdit[];
  /** How many older ones did not fit in memory. */
  readonly leftOut: number;
}

export interface EditCollector {
  event(event: Event): void;
  /** The changes, in the order of the log. */
  end(): FoundEdits;
  /** Whether calls that would have changed the file wait for their results. */
  isWaiting(): boolean;
}

interface Turn {
  readonly index: number;
  readonly prompt: string;
  readonly time?: string;
  readonly isUndone: boolean;
  /** By calls, and by edits that were recorded apart from calls: both tell the same change. */
  readonly told: (SessionEdit & { readonly isCall: boolean })[];
}

/** `isWanted` tells of a path whether it is the file; `first` is the number of the first turn. */
export function createEditCollector(
  toolEdits: ToolEditReader,
  isWanted: (path: string) => boolean,
  first = 0,
): EditCollector {
  const found = createEditList<SessionEdit>();
  const calls = new Map<string, { readonly edits: readonly FileEdit[]; readonly turn: Turn }>();
  let count = first;
  let turn: Turn = { index: Math.max(first, 0), prompt: "", isUndone: false, told: [] };
  const ofFile = (edits: readonly FileEdit[]): FileEdit[] =>
    edits.filter((edit) => isWanted(edit.path) || (edit.does === "move" && isWanted(edit.to)));
  const close = (): void => {
    if (!turn.isUndone) for (const edit of chosen(turn)) found.push(edit);
  };
  return {
    event(event) {
      if (startsTurn(event)) {
        close();
        turn = {
          index: count++,
          prompt: event.text,
          isUndone: event.undone ?? false,
          told: [],
          ...(event.time !== undefined && { time: event.time }),
        };
      } else if (event.kind === "tool-call") {
        const edits = event.act?.does === "read" ? [] : ofFile(toolEdits(event.name, event.input));
        if (edits.length > 0) calls.set(event.callId, { edits, turn });
      } else if (event.kind === "tool-result") {
        const call = calls.get(event.callId);
        calls.delete(event.callId);
        if (event.status !== "ok") return;
        const of = call?.turn ?? turn;
        const recorded = ofFile(event.edits ?? []);
        // What the program recorded is what happened; the arguments are what was asked for.
        for (const edit of recorded.length > 0 ? recorded : (call?.edits ?? []))
          of.told.push({ ...placed(edit, of, event.time, event.callId), isCall: true });
      } else if (event.kind === "edit")
        for (const edit of ofFile(event.edits ?? []))
          turn.told.push({ ...placed(edit, turn, event.time), isCall: false });
    },
    end() {
      close();
      return { edits: found.items(), leftOut: found.leftOut() };
    },
    isWaiting: () => calls.size > 0,
  };
}

const placed = (
  edit: FileEdit,
  { index, prompt, time: began }: Turn,
  time: string | undefined,
  callId?: string,
): SessionEdit => ({
  edit,
  turn: index,
  prompt,
  ...((time ?? began) !== undefined && { time: time ?? began }),
  ...(callId !== undefined && { callId }),
});

/**
 * What a call says holds, and edits that were noted behind it tell the same once more; unless the call leaves open where
 * it put its lines, and they have places.
 */
function chosen({ told }: Turn): SessionEdit[] {
  const found: SessionEdit[] = [];
  let call: SessionEdit | undefined;
  for (const { isCall, ...each } of told) {
    if (isCall) call = each;
    const isVague = call?.edit.does === "fragment";
    if (isCall || !call) found.push(each);
    else if (isVague && each.edit.does !== "fragment") {
      if (found.at(-1) === call) found.pop();
      found.push({ ...each, ...(call.callId !== undefined && { callId: call.callId }) });
    }
  }
  return found;
}
