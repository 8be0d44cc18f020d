/** Tool calls without a result yet; only the open ones are kept, not all of a log. */
import { printsRefs } from "../../tools/actions.ts";

interface OpenCall {
  readonly name: string;
  readonly line: number;
  /** What it gives back is to be read to its end. */
  readonly whole?: true;
}

export interface OpenCalls {
  open(callId: string, name: string, input: unknown, line: number): void;
  /** False when no call waits for this result. */
  close(callId: string): boolean;
  /** Whether the next result of this call is to be read to its end. */
  wantsWhole(callId: string): boolean;
  left(): OpenCall[];
  /** To begin with the next time. */
  entries(): WaitingCalls;
}

export type WaitingCalls = readonly (readonly [callId: string, calls: OpenCall[]])[];

export function createOpenCalls(before: WaitingCalls = []): OpenCalls {
  const waiting = new Map<string, OpenCall[]>(before);
  return {
    open(callId, name, input, line) {
      const call: OpenCall = printsRefs(input) ? { name, line, whole: true } : { name, line };
      const same = waiting.get(callId);
      if (same) same.push(call);
      else waiting.set(callId, [call]);
    },
    close(callId) {
      const same = waiting.get(callId);
      if (!same) return false;
      same.shift();
      if (same.length === 0) waiting.delete(callId);
      return true;
    },
    wantsWhole: (callId) => waiting.get(callId)?.[0]?.whole === true,
    left: () => [...waiting.values()].flat().sort((a, b) => a.line - b.line),
    entries: () => [...waiting],
  };
}
