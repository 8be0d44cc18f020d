/** Single values of a session file, changed without rewriting it: appended to a log, replaced in a document. */
import type { Piece } from "../../../model/plan.ts";
import type { SessionFs } from "../../../platform/session-fs.ts";
import type { Path, Span } from "../json-outline.ts";
import { outlineRange } from "../load.ts";
import { KIND, TURNS } from "../record.ts";

/** The value at a path of the session; `undefined` takes it away. */
export interface Amendment {
  readonly path: Path;
  readonly value: unknown;
}

/** The records that VS Code itself would append for them. */
export const toRecords = (amendments: readonly Amendment[]): string =>
  amendments
    .map(({ path, value }) =>
      value === undefined ? { kind: KIND.delete, k: path } : { kind: KIND.set, k: path, v: value },
    )
    .map((record) => `${JSON.stringify(record)}\n`)
    .join("");

/** How VS Code itself records that later turns are gone. */
export const toCutRecord = (turns: number): string =>
  `${JSON.stringify({ kind: KIND.push, k: [TURNS], i: turns })}\n`;

interface Edit {
  readonly start: number;
  readonly end: number;
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
  const wanted = new Map(amendments.map((each) => [keyOf(each.path), each]));
  const parents = new Set(
    amendments.flatMap(({ path: at }) => at.map((_, depth) => keyOf(at.slice(0, depth)))),
  );
  if (turns !== undefined) parents.add(keyOf([])).add(keyOf([TURNS]));
  const { spans } = await outlineRange(fs, path, { start: 0, end: size }, (at) => parents.has(keyOf(at)));
  const edits: Edit[] = [];
  const last = new Map<string, number>();
  for (const span of spans) {
    const key = keyOf(span.path);
    const amendment = wanted.get(key);
    const stays = !amendment || amendment.value !== undefined;
    if (span.path.length > 0 && stays) last.set(keyOf(span.path.slice(0, -1)), span.end);
    wanted.delete(key);
    if (amendment) edits.push(await toEdit(fs, path, span, amendment.value, edits.at(-1)?.end ?? 0));
  }
  // What is not there yet is added behind the last member that stays.
  for (const span of spans.filter(({ holds }) => holds === "fields")) {
    const added = [...wanted.values()].filter(
      ({ path: at, value }) => value !== undefined && keyOf(at.slice(0, -1)) === keyOf(span.path),
    );
    const place = last.get(keyOf(span.path));
    const text = added.map(({ path: at, value }) => `${JSON.stringify(at.at(-1))}:${JSON.stringify(value)}`);
    if (text.length > 0)
      edits.push({
        start: place ?? span.start + 1,
        end: place ?? span.start + 1,
        text: `${place === undefined ? "" : ","}${text.join(",")}`,
      });
  }
  if (turns !== undefined) edits.push(...cutTurns(spans, turns));
  return toPieces(path, size, edits);
}

/** A member that goes takes its name and one comma along. */
async function toEdit(fs: SessionFs, path: string, span: Span, value: unknown, from: number): Promise<Edit> {
  if (value !== undefined) return { start: span.start, end: span.end, text: JSON.stringify(value) };
  const [begin, margin] = [Math.max(from, span.start - 256), 64];
  const before = Buffer.from(await fs.read(path, { start: begin, end: span.start })).toString("latin1");
  const after = Buffer.from(await fs.read(path, { start: span.end, end: span.end + margin })).toString(
    "latin1",
  );
  const spelled = Buffer.from(JSON.stringify(span.path.at(-1))).toString("latin1"); // as the bytes around it
  const name = `\\s*${spelled.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\s*:\\s*$`;
  const comma = new RegExp(`,${name}`).exec(before);
  if (comma) return { start: begin + comma.index, end: span.end, text: "" };
  const first = new RegExp(name).exec(before);
  if (!first) return { start: span.start, end: span.end, text: "null" }; // its name is spelled in another way
  const next = /^\s*,/.exec(after)?.[0].length ?? 0;
  return { start: begin + first.index, end: span.end + next, text: "" };
}

/** All elements of the list behind those that stay. */
function cutTurns(spans: readonly Span[], turns: number): Edit[] {
  const list = spans.find(({ path }) => path.length === 1 && path[0] === TURNS);
  const kept = spans.find(({ path }) => path.length === 2 && path[0] === TURNS && path[1] === turns - 1);
  if (!list) return [];
  return [{ start: kept?.end ?? list.start + 1, end: list.end - 1, text: "" }];
}

function toPieces(file: string, size: number, edits: readonly Edit[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (end <= at && end > start) continue; // inside of what went already
    if (start > at) pieces.push({ file, start: at, end: start });
    if (text !== "") pieces.push({ text });
    at = Math.max(at, end);
  }
  if (at < size) pieces.push({ file, start: at, end: size });
  return pieces;
}

const keyOf = (path: Path): string => JSON.stringify(path);
