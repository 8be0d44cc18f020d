/**
 * Changes values in the lines of a log in place, because values that occur in every turn are too many for a record
 * each.
 */
import { eachLine, type Line, type LineOptions, MAX_LINE } from "../../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { decodeLine } from "../../../log/jsonl.ts";
import { createOutliner, type Path, type Span } from "../../format/json-outline.ts";
import { createLoad, outlineRange } from "../../format/load.ts";
import { KIND } from "../../format/record.ts";
import { type Amendment, amendableAt, EACH, toAmendable } from "./amend.ts";
import { type Edit, toEdits } from "./amend-text.ts";

/** Only of amendments to each of something. A line that names none of them is not looked into. */
export async function editLines(
  fs: SessionFs,
  path: string,
  amendments: readonly Amendment[],
): Promise<Edit[]> {
  const each = amendments.filter((amendment) => amendment.path.includes(EACH));
  const names = [...new Set(each.map((amendment) => Buffer.from(JSON.stringify(amendment.path.at(-1)))))];
  if (names.length === 0) return [];
  const wanted = toAmendable(each);
  const edits: Edit[] = [];
  const long: Line[] = [];
  const editsIn = (spans: readonly Span[], base: Path): void => {
    for (const edit of toEdits(spans, (at) => wantedIn(at, base))) edits.push(edit);
  };
  /** In a record, what changes is below its value, which stands at the record's own path. */
  const wantedIn = (at: Path, base: Path) =>
    at[0] === "v" ? amendableAt(wanted, [...base, ...at.slice(1)]) : undefined;
  const enters =
    (base: Path) =>
    (at: Path): boolean =>
      at.length === 0 || (wantedIn(at, base)?.inner.size ?? 0) > 0;

  await eachLine(
    fs,
    path,
    (line) => {
      if (line.cut > 0) {
        long.push(line);
        return;
      }
      const decoded = decodeLine(line);
      const base = decoded.kind === "record" ? baseOf(decoded.record.kind, decoded.record.k) : undefined;
      if (!base) return;
      const outliner = createOutliner(enters(base), line.end - line.bytes.length, true);
      outliner.push(line.bytes);
      editsIn(outliner.end().spans, base);
    },
    { maxLine: MAX_LINE, skipLong: true, pass: createPass(names) },
  );
  for (const line of long) {
    const base = await baseOfLong(fs, path, line);
    if (base) editsIn((await outlineRange(fs, path, line, enters(base), true)).spans, base);
  }
  return edits;
}

/** Passes over lines that hold none of these. Each piece of the file is searched once, not line by line. */
function createPass(names: readonly Buffer[]): NonNullable<LineOptions["pass"]> {
  let piece: Buffer | undefined;
  let found: number[] = [];
  return (bytes, start, end) => {
    if (bytes !== piece) found = names.map((name) => bytes.indexOf(name, start));
    piece = bytes;
    for (const [i, name] of names.entries())
      if ((found[i] as number) >= 0 && (found[i] as number) < start) found[i] = bytes.indexOf(name, start);
    return !found.some((place) => place >= 0 && place < end);
  };
}

const baseOf = (kind: unknown, k: unknown): Path | undefined =>
  kind === KIND.initial ? [] : Array.isArray(k) ? (k as Path) : undefined;

/** VS Code puts kind and path before the value, so that they stand at the beginning; others may not. */
async function baseOfLong(fs: SessionFs, path: string, line: Line): Promise<Path | undefined> {
  const start = Buffer.from(await fs.read(path, { start: line.start, end: line.start + 16 })).toString(
    "latin1",
  );
  if (start.startsWith(`{"kind":${KIND.initial},"v":`)) return [];
  const { spans } = await outlineRange(fs, path, line, (at) => at.length === 0);
  const load = createLoad(fs, path, MAX_LINE);
  const valueAt = async (key: string): Promise<unknown> => {
    const span = spans.find((each) => each.path.length === 1 && each.path[0] === key);
    return span && (await load({ start: span.start, end: span.end, at: [] })).value;
  };
  return baseOf(await valueAt("kind"), await valueAt("k"));
}
