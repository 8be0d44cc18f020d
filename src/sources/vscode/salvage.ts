/** Puts together again what is whole of a torn or garbled JSON value. */
import { memberOf, setMember } from "../../model/member.ts";
import { createOutliner, type Path, parse } from "./json-outline.ts";

export function salvage(text: Buffer): unknown {
  const outliner = createOutliner(() => true);
  outliner.push(text);
  let top: unknown;
  for (const span of outliner.end().spans) {
    const value = span.holds ? undefined : parse(text.subarray(span.start, span.end));
    if (value !== undefined) top = place(top, span.path, value);
  }
  return withoutHoles(top);
}

function place(container: unknown, path: Path, value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const into = (container ?? (typeof step === "number" ? [] : {})) as Record<string | number, unknown>;
  setMember(into, step, place(memberOf(into, step), rest, value));
  return into;
}

/** An element that could not be read leaves no gap: programs stumble over gaps. */
function withoutHoles(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(() => true).map(withoutHoles);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutHoles(inner)]));
}
