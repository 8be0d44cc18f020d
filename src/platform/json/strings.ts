/** Finds the string values in the bytes of a JSON text, so that single ones can be replaced and all other bytes stay. */
import { OPEN, opens, QUOTE } from "./bytes.ts";
import { createScanner } from "./scanner.ts";

export interface StringValue {
  /** The names of the objects' members that lead to it; arrays add none. Only valid during the call. */
  readonly path: readonly string[];
  /** Where it stands, quotes included. */
  readonly start: number;
  readonly end: number;
}

const MARK = Buffer.from("\ufeff");

/** The text must be valid JSON; a byte order mark may stand before it. */
export function eachString(json: Buffer, visit: (value: StringValue) => void): void {
  const path: string[] = [];
  const isObject: boolean[] = [];
  /** Where the string began that is being passed; -1 in any other value. */
  let start = -1;
  const isMarked = json.subarray(0, MARK.length).equals(MARK);
  const base = isMarked ? MARK.length : 0;
  const scanner = createScanner(
    {
      begin(at, byte) {
        start = byte === QUOTE ? at : -1;
        if (!opens(byte)) return false;
        isObject.push(byte === OPEN);
        if (byte === OPEN) path.push("");
        return true;
      },
      end(end) {
        if (start >= 0) visit({ path, start, end });
      },
      leave() {
        if (isObject.pop()) path.pop();
      },
      name(name) {
        path[path.length - 1] = name;
      },
      comma: () => undefined,
    },
    base,
  );
  scanner.push(json.subarray(base));
  scanner.end();
}
