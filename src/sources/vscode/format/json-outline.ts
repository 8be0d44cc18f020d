/**
 * Finds where values begin and end in JSON text that streams by, without parsing or holding it: how a document of any
 * size is read turn by turn, and how the whole turns of a torn one are found.
 */
import { OPEN_LIST, opens } from "../../../platform/json/bytes.ts";
import { createScanner } from "../../../platform/json/scanner.ts";

export type Path = readonly (string | number)[];

/** A value: its place in the text, and its path from the top. */
export interface Span {
  readonly path: Path;
  readonly start: number;
  readonly end: number;
  /** Set when it was entered, so that what it holds has spans of its own. */
  readonly holds?: "list" | "fields";
  /** Of a member, if asked for: where its name begins, and the comma before it, which the first one lacks. */
  readonly member?: Member;
}

export interface Member {
  readonly name: number;
  readonly comma?: number;
}

export interface Outline {
  /** Every value down to those that were not entered, each after what it holds. */
  readonly spans: readonly Span[];
  /** The value that was begun but not ended, when the text stops too early. */
  readonly open?: Span;
  /** True when the text is one whole value, as far as brackets and quotes tell. */
  readonly whole: boolean;
}

export interface Outliner {
  push(bytes: Buffer): void;
  end(): Outline;
}

interface Frame {
  readonly path: Path;
  readonly start: number;
  readonly isArray: boolean;
  index: number;
  key: string | undefined;
  name: number;
  comma: number | undefined;
}

/** `enter` says which objects and arrays are looked into. */
export function createOutliner(enter: (path: Path) => boolean, base = 0, withMembers = false): Outliner {
  const spans: Span[] = [];
  const frames: Frame[] = [];
  let position = base;
  /** The value that is being passed over. */
  let leaf: { path: Path; start: number; member: { member?: Member } } | undefined;

  const here = (): Path => {
    const frame = frames.at(-1);
    return frame ? [...frame.path, frame.isArray ? frame.index : (frame.key ?? "")] : [];
  };
  const memberIn = (frame: Frame | undefined): { member?: Member } =>
    withMembers && frame && !frame.isArray
      ? { member: { name: frame.name, ...(frame.comma !== undefined && { comma: frame.comma }) } }
      : {};
  const scanner = createScanner(
    {
      begin(at, byte) {
        const path = here();
        if (opens(byte) && enter(path)) {
          const isArray = byte === OPEN_LIST;
          frames.push({ path, start: at, isArray, index: 0, key: undefined, name: at, comma: undefined });
          return true;
        }
        leaf = { path, start: at, member: memberIn(frames.at(-1)) };
        return false;
      },
      end(end) {
        if (leaf) spans.push({ path: leaf.path, start: leaf.start, end, ...leaf.member });
        leaf = undefined;
      },
      leave(end) {
        const frame = frames.pop();
        if (!frame) return;
        const { path, start, isArray } = frame;
        spans.push({ path, start, end, holds: isArray ? "list" : "fields", ...memberIn(frames.at(-1)) });
      },
      name(name, at) {
        const frame = frames.at(-1);
        if (frame) Object.assign(frame, { key: name, name: at });
      },
      comma(at) {
        const frame = frames.at(-1);
        if (frame?.isArray) frame.index++;
        else if (frame) Object.assign(frame, { key: undefined, comma: at });
      },
    },
    base,
  );

  return {
    push(bytes) {
      scanner.push(bytes);
      position += bytes.length;
    },
    end() {
      const whole = scanner.end();
      const open = leaf && { path: leaf.path, start: leaf.start, end: position };
      return { spans, whole, ...(open && { open }) };
    },
  };
}

export function parse(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString("utf8"));
  } catch {
    return undefined; // callers know from the outline where it stands and report it
  }
}
