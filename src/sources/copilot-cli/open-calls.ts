/** Tool calls that wait for their result; as many as are open at a time, never all of a log. */
import type { ToolCallEvent, ToolResultEvent } from "../../model/session.ts";

interface OpenCall {
  readonly name: string;
  readonly line: number;
}

export interface OpenCalls {
  open(call: ToolCallEvent): void;
  /** False when no call waits for this result. */
  close(result: ToolResultEvent): boolean;
  left(): OpenCall[];
  /** To begin with the next time. */
  entries(): WaitingCalls;
}

export type WaitingCalls = readonly (readonly [callId: string, calls: OpenCall[]])[];

export function createOpenCalls(before: WaitingCalls = []): OpenCalls {
  const waiting = new Map<string, OpenCall[]>(before);
  return {
    open({ callId, name, origin }) {
      const same = waiting.get(callId);
      if (same) same.push({ name, line: origin.line });
      else waiting.set(callId, [{ name, line: origin.line }]);
    },
    close({ callId }) {
      const same = waiting.get(callId);
      if (!same) return false;
      same.shift();
      if (same.length === 0) waiting.delete(callId);
      return true;
    },
    left: () => [...waiting.values()].flat().sort((a, b) => a.line - b.line),
    entries: () => [...waiting],
  };
}
