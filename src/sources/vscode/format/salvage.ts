/** Restores the intact parts of a torn or garbled JSON value. */
import { memberOf, setMember } from "../../../model/values/member.ts";
import { createOutliner, type Path, parse } from "./json-outline.ts";

type Container = Record<string | number, unknown>;

/** Deeper than anything that tells of a conversation; what lies deeper is kept or lost as a whole, as each path takes memory. */
const DEEPEST = 16;

export function salvage(text: Buffer): unknown {
  const outliner = createOutliner((path) => path.length < DEEPEST);
  outliner.push(text);
  const lists: unknown[][] = [];
  let top: unknown;
  /** What is there already, or a new object or list for what the next step names. */
  const holderAt = (found: unknown, next: string | number | undefined): Container => {
    if (typeof found === "object" && found !== null) return found as Container;
    if (typeof next !== "number") return {};
    const list: unknown[] = [];
    lists.push(list);
    return list as unknown as Container;
  };
  const place = (path: Path, value: unknown): void => {
    const last = path.at(-1);
    if (last === undefined) {
      top = value;
      return;
    }
    let holder = holderAt(top, path[0]);
    top = holder;
    for (const [at, step] of path.slice(0, -1).entries()) {
      const inner = holderAt(memberOf(holder, step), path[at + 1]);
      setMember(holder, step, inner);
      holder = inner;
    }
    setMember(holder, last, value);
  };
  for (const span of outliner.end().spans) {
    const value = span.holds ? undefined : parse(text.subarray(span.start, span.end));
    if (value !== undefined) place(span.path, value);
  }
  for (const list of lists) closeGaps(list);
  return top;
}

/** An element that could not be read leaves no gap: programs stumble over gaps. */
function closeGaps(list: unknown[]): void {
  const kept = list.filter(() => true);
  list.length = 0;
  for (const value of kept) list.push(value);
}
