/** Applies amendments to JSON text as byte replacements. */

import type { Piece } from "../../../../model/plan.ts";
import { writeJson } from "../../../../model/values/json.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { Path, Span } from "../../format/json-outline.ts";
import { outlineRange } from "../../format/load.ts";
import { TURNS } from "../../format/record.ts";
import { type Amendable, type Amendment, amendableAt, EACH, toAmendable } from "./amend.ts";

export interface Edit {
  readonly start: number;
  end: number;
  readonly text: string;
}

/** A document with these values; of its turns only the first ones, if so many are told. */
export async function amendDocument(
  fs: SessionFs,
  path: string,
  size: number,
  amendments: readonly Amendment[],
  turns?: number,
): Promise<Piece[]> {
  const wanted = toAmendable(amendments);
  const enter = (at: Path): boolean =>
    (amendableAt(wanted, at)?.inner.size ?? 0) > 0 ||
    (turns !== undefined && (at.length === 0 || (at.length === 1 && at[0] === TURNS)));
  const { spans } = await outlineRange(fs, path, { start: 0, end: size }, enter, true);
  const edits = toEdits(spans, (at) => amendableAt(wanted, at));
  return toPieces(path, size, turns === undefined ? edits : [...edits, ...cutTurns(spans, turns)]);
}

/** What has been seen of the members of an object. */
interface Members {
  readonly seen: Set<string | number | undefined>;
  /** Where the last one ends that stays. */
  end?: number;
  /** The one that went last, while none before it stays: what follows it loses its comma. */
  gone?: Edit;
}

/** `wantedAt` says what changes at the path of a span. Spans come after those that they hold. */
export function toEdits(spans: readonly Span[], wantedAt: (path: Path) => Amendable | undefined): Edit[] {
  const edits: Edit[] = [];
  const levels: (Members | undefined)[] = [];
  for (const span of spans) {
    const depth = span.path.length;
    const wanted = wantedAt(span.path);
    if (span.holds === "fields" && wanted) edits.push(...toAdded(wanted, levels[depth + 1], span));
    levels[depth + 1] = undefined;
    if (!span.member) {
      if (wanted?.amendment) edits.push(toSet(span, wanted.amendment));
      continue;
    }
    levels[depth] ??= { seen: new Set() };
    const members = levels[depth];
    members.seen.add(span.path.at(-1));
    if (members.gone) members.gone.end = span.member.name;
    delete members.gone;
    if (wanted?.amendment && wanted.amendment.value === undefined) {
      const isFirst = members.end === undefined;
      const start = isFirst ? span.member.name : (span.member.comma ?? span.member.name);
      const edit = { start, end: span.end, text: "" };
      edits.push(edit);
      if (isFirst) members.gone = edit;
    } else {
      members.end = span.end;
      if (wanted?.amendment) edits.push(toSet(span, wanted.amendment));
    }
  }
  return edits;
}

const toSet = ({ start, end }: Span, { value }: Amendment): Edit => ({
  start,
  end,
  text: writeJson(value ?? null),
});

/** What is not there yet comes behind the last member that stays. */
function toAdded({ inner }: Amendable, members: Members | undefined, { start }: Span): Edit[] {
  const added = [...inner].flatMap(([key, { amendment }]) =>
    amendment && amendment.value !== undefined && !amendment.path.includes(EACH) && !members?.seen.has(key)
      ? [`${JSON.stringify(key)}:${writeJson(amendment.value)}`]
      : [],
  );
  if (added.length === 0) return [];
  const place = members?.end ?? start + 1;
  return [{ start: place, end: place, text: `${members?.end === undefined ? "" : ","}${added.join(",")}` }];
}

/** All elements of the list behind those that stay. */
function cutTurns(spans: readonly Span[], turns: number): Edit[] {
  const list = spans.find(({ path }) => path.length === 1 && path[0] === TURNS);
  const kept = spans.find(({ path }) => path.length === 2 && path[0] === TURNS && path[1] === turns - 1);
  return list ? [{ start: kept?.end ?? list.start + 1, end: list.end - 1, text: "" }] : [];
}

/** The bytes of a file around edits; what lies in a stretch that goes, goes with it. */
export function toPieces(file: string, size: number, edits: readonly Edit[], from = 0): Piece[] {
  const pieces: Piece[] = [];
  let at = from;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < at) continue;
    if (start > at) pieces.push({ file, start: at, end: start });
    if (text !== "") pieces.push({ text });
    at = Math.max(at, end);
  }
  if (at < size) pieces.push({ file, start: at, end: size });
  return pieces;
}
