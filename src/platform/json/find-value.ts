/** Finds where in JSON text that streams by a value stands, without parsing or holding the rest. */
import { OPEN_LIST, opens } from "./bytes.ts";
import { createScanner } from "./scanner.ts";

export interface ValueFinder {
  push(bytes: Buffer): void;
  /** Nothing where the path leads to no value, or the text stops before its end. If a name occurs twice, the last counts. */
  end(): { readonly start: number; readonly end: number } | undefined;
}

/** `path` names members and counts items; positions are counted from `base`. */
export function createValueFinder(path: readonly (string | number)[], base = 0): ValueFinder {
  /** Where one is in each object or list on the path. */
  const frames: { readonly isList: boolean; step: string | number | undefined }[] = [];
  let start: number | undefined;
  let found: { start: number; end: number } | undefined;
  const scanner = createScanner(
    {
      begin(at, byte) {
        if (frames.length > 0 && frames.at(-1)?.step !== path[frames.length - 1]) return false;
        if (frames.length === path.length) start = at;
        else if (opens(byte)) {
          const isList = byte === OPEN_LIST;
          frames.push({ isList, step: isList ? 0 : undefined });
          return true;
        }
        return false;
      },
      end(end) {
        if (start !== undefined) found = { start, end };
        start = undefined;
      },
      leave: () => void frames.pop(),
      name(name) {
        const frame = frames.at(-1);
        if (frame) frame.step = name;
      },
      comma() {
        const frame = frames.at(-1);
        if (frame?.isList) frame.step = Number(frame.step) + 1;
      },
    },
    base,
  );
  return {
    push: (bytes) => scanner.push(bytes),
    end() {
      scanner.end();
      return found;
    },
  };
}
