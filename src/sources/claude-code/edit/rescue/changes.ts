/** Changes to single rows of a log, and lines between them; everything else keeps its bytes. */
import type { Piece } from "../../../../model/plan.ts";
import { eachLine, type Line } from "../../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { decodeLine, type JsonObject } from "../../../log/jsonl.ts";
import { createPieces, type MemberTexts } from "../../../log/pieces.ts";
import { WHOLE_LINES } from "./lines.ts";

export interface RowChange {
  /** Other values for members of the row, as JSON; null for those that go. */
  set?(record: JsonObject): MemberTexts;
  /** A whole line that stands before it then. */
  readonly before?: string;
}

/** Changes by the first bytes of their rows, each with what was wrong. */
export interface Changes {
  readonly size: number;
  /** `what` is told once where many rows are changed for one reason. */
  add(
    start: number,
    about: { readonly line: number; readonly what?: string | undefined },
    change: RowChange,
  ): void;
  of(start: number): readonly RowChange[];
  readonly whats: readonly { readonly line: number; readonly what: string }[];
}

export function createChanges(): Changes {
  const changes = new Map<number, RowChange[]>();
  const whats: { line: number; what: string }[] = [];
  return {
    get size() {
      return changes.size;
    },
    whats,
    add(start, { line, what }, change) {
      changes.set(start, [...(changes.get(start) ?? []), change]);
      if (what !== undefined) whats.push({ line, what });
    },
    of: (start) => changes.get(start) ?? [],
  };
}

/** The log with its changes, and with `more` at its end. */
export async function applyChanges(
  fs: SessionFs,
  path: string,
  changes: Changes,
  more = "",
): Promise<readonly Piece[]> {
  const pieces = createPieces(path);
  let isEnded = true;
  const visit = (line: Line): void => {
    const own = changes.of(line.start);
    for (const { before } of own) pieces.write(before ?? "");
    const set = toSet(line, own);
    if (set) pieces.set(line, set);
    else pieces.keep(line.start, line.end);
    if (line.ended) pieces.keep(line.end, line.end + 1);
    isEnded = line.ended;
  };
  await eachLine(fs, path, visit, { maxLine: WHOLE_LINES });
  if (more !== "") pieces.write(isEnded ? more : `\n${more}`);
  return pieces.all();
}

function toSet(line: Line, own: readonly RowChange[]): MemberTexts | undefined {
  if (own.length === 0 || line.cut > 0) return undefined;
  const decoded = decodeLine(line, true);
  if (decoded.kind !== "record") return undefined;
  let { record } = decoded;
  let set: MemberTexts = {};
  for (const change of own) {
    const next = change.set?.(record) ?? {};
    set = { ...set, ...next };
    record = { ...record, ...parsed(next) };
  }
  return set;
}

/** One change goes by what those before it left. */
const parsed = (set: MemberTexts): JsonObject =>
  Object.fromEntries(
    Object.entries(set).map(([key, json]) => [key, json === null ? undefined : JSON.parse(json)]),
  );
