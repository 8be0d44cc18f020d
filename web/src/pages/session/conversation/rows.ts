/** The conversation as rows of a virtual list: a head for each turn, then its parts; turns not read yet are one blank row. */
import { splitMarkdown } from "../../../text/split-markdown.ts";
import type { OutlineTurn, Part, PartOf, Turn } from "../types.ts";
import { editsOf, type FileEdit } from "./edits-of.ts";

interface Base {
  /** Stays the same while the session grows. */
  readonly key: string;
  /** -1 for what stands before the first prompt. */
  readonly turn: number;
  /** How deep it stands below sub-agents. */
  readonly depth: number;
  /** The height that is assumed until it is measured. */
  readonly size: number;
}

export type PartRow =
  | (Base & {
      readonly kind: "text";
      readonly text: string;
      readonly part: PartOf<"text">;
      readonly isFirst: boolean;
    })
  | (Base & {
      readonly kind: "tool";
      readonly part: PartOf<"tool">;
      readonly edits: readonly FileEdit[] | undefined;
    })
  | (Base & { readonly kind: "thinking"; readonly part: PartOf<"thinking"> })
  | (Base & { readonly kind: "edit"; readonly part: PartOf<"edit"> })
  | (Base & { readonly kind: "checkpoint"; readonly part: PartOf<"checkpoint"> })
  | (Base & { readonly kind: "clear"; readonly part: PartOf<"clear"> })
  | (Base & { readonly kind: "notice"; readonly part: PartOf<"notice"> })
  | (Base & { readonly kind: "note"; readonly part: PartOf<"note"> });

export type Row =
  | PartRow
  | (Base & { readonly kind: "head"; readonly outline: OutlineTurn; readonly full: Turn | undefined })
  /** Its size is known before it is read, from what was measured or from its bytes. */
  | (Base & { readonly kind: "blank" })
  /** Calls of a long run that are left out until they are asked for. */
  | (Base & {
      readonly kind: "run";
      readonly hidden: readonly PartOf<"tool">[];
      readonly failed: number;
    })
  | (Base & { readonly kind: "silent" });

/** What is open or closed against its default, by the key of its row. */
export type Folds = ReadonlyMap<string, boolean>;

/** A row of thumbnails. */
const IMAGES_SIZE = 134;

/** More calls in a row than this are folded, but for the first and the last few. */
const LONG_RUN = 24;
const RUN_START = 8;
const RUN_END = 4;

export function rowsOf(
  outline: readonly OutlineTurn[],
  turnAt: (index: number) => Turn | undefined,
  preamble: readonly Part[],
  folds: Folds,
  blankSize: (turn: OutlineTurn) => number,
): Row[] {
  const rows: Row[] = [];
  addParts(rows, preamble, "p", -1, 0, folds);
  for (const turn of outline) {
    const full = turnAt(turn.index);
    rows.push({
      kind: "head",
      key: `${turn.index}`,
      turn: turn.index,
      depth: 0,
      size:
        64 +
        textSize(full?.user ?? turn.prompt, 24, 84) +
        (full?.attachments.some(({ image }) => image) ? IMAGES_SIZE : 0),
      outline: turn,
      full,
    });
    if (full) addTurn(rows, full, folds);
    else {
      // The first part takes its key, so that the list stays where it is when the turn has been read.
      const key = `${turn.index}.0`;
      rows.push({ kind: "blank", key, turn: turn.index, depth: 0, size: blankSize(turn) });
    }
  }
  return rows;
}

function addTurn(rows: Row[], turn: Turn, folds: Folds): void {
  const before = rows.length;
  addParts(rows, turn.parts, `${turn.index}`, turn.index, 0, folds);
  if (rows.length > before) return;
  rows.push({ kind: "silent", key: `${turn.index}.0`, turn: turn.index, depth: 0, size: 32 });
}

function addParts(
  rows: Row[],
  parts: readonly Part[],
  prefix: string,
  turn: number,
  depth: number,
  folds: Folds,
): void {
  for (let at = 0; at < parts.length; at++) {
    const length = runLength(parts, at);
    const start = at + RUN_START;
    const end = at + length - RUN_END;
    for (; length > LONG_RUN && at < start; at++) addPart(rows, parts[at], prefix, at, turn, depth, folds);
    if (length > LONG_RUN) {
      const key = `${prefix}.${start}+`;
      const hidden = parts.slice(start, end).filter((part) => part.kind === "tool");
      if (folds.get(key)) for (; at < end; at++) addPart(rows, parts[at], prefix, at, turn, depth, folds);
      else {
        const failed = hidden.filter(({ status }) => status === "failed").length;
        rows.push({ kind: "run", key, turn, depth, size: 44, hidden, failed });
      }
      for (at = end; at < end + RUN_END; at++) addPart(rows, parts[at], prefix, at, turn, depth, folds);
      at--;
      continue;
    }
    addPart(rows, parts[at], prefix, at, turn, depth, folds);
  }
}

/** Calls that change files are not folded: they are what happened. */
function runLength(parts: readonly Part[], from: number): number {
  let at = from;
  // A run that was looked at from its start is not looked at again from its middle.
  const before = parts[from - 1];
  if (before && isQuietCall(before)) return 0;
  while (at < parts.length) {
    const part = parts[at];
    if (!part || !isQuietCall(part)) break;
    at++;
  }
  return at - from;
}

const isQuietCall = (part: Part): boolean =>
  part.kind === "tool" &&
  part.children === undefined &&
  part.images === undefined &&
  !/^(edit|create|delete)$/.test(part.act?.does ?? "");

function addPart(
  rows: Row[],
  part: Part | undefined,
  prefix: string,
  at: number,
  turn: number,
  depth: number,
  folds: Folds,
): void {
  if (!part) return;
  const base = { key: `${prefix}.${at}`, turn, depth };
  switch (part.kind) {
    case "text": {
      if (part.text.trim() === "") return;
      splitMarkdown(part.text).forEach((text, piece) => {
        const key = piece === 0 ? base.key : `${base.key}~${piece}`;
        const size = 16 + textSize(text, 24, 80);
        rows.push({ kind: "text", ...base, key, size, text, part, isFirst: piece === 0 });
      });
      return;
    }
    case "tool": {
      const edits = editsOf(part);
      const lines = (edits ?? []).reduce((sum, { diff }) => sum + Math.min(60, diff.lines.length), 0);
      rows.push({
        kind: "tool",
        ...base,
        size: (edits ? 52 + 40 * (edits.length - 1) + 20 * lines : 40) + (part.images ? IMAGES_SIZE + 12 : 0),
        part,
        edits,
      });
      if (part.children && folds.get(base.key))
        addParts(rows, part.children, base.key, turn, depth + 1, folds);
      return;
    }
    case "thinking":
      if (part.text.trim() === "") return;
      rows.push({ kind: "thinking", ...base, size: 36, part });
      return;
    case "edit":
      // Its call has shown the same change, line by line.
      if (wasShown(rows, part.path, turn)) return;
      rows.push({ kind: "edit", ...base, size: 36, part });
      return;
    case "checkpoint":
      rows.push({ kind: "checkpoint", ...base, size: 56, part });
      return;
    case "clear":
      rows.push({ kind: "clear", ...base, size: 48, part });
      return;
    case "notice":
      rows.push({ kind: "notice", ...base, size: 24 + textSize(part.text, 20, 90), part });
      return;
    case "note":
      if (part.items.length === 0) return;
      rows.push({ kind: "note", ...base, size: 32, part });
  }
}

function wasShown(rows: readonly Row[], path: string, turn: number): boolean {
  for (let at = rows.length - 1; at >= 0; at--) {
    const row = rows[at];
    if (!row || row.turn !== turn || (row.kind !== "tool" && row.kind !== "edit")) return false;
    if (row.kind === "tool" && row.edits)
      return row.edits.some((edit) => path === edit.path || path.endsWith(`/${edit.path}`));
  }
  return false;
}

/** About how high a text is; an estimate near the truth keeps the scroll bar still. */
export function textSize(text: string, lineHeight: number, perLine: number): number {
  let lines = 0;
  let from = 0;
  // Beyond this it is long in any case.
  const end = Math.min(text.length, 40_000);
  while (from <= end) {
    const next = text.indexOf("\n", from);
    const until = next < 0 || next > end ? end : next;
    lines += until === from ? 0.5 : Math.ceil((until - from) / perLine);
    from = until + 1;
  }
  return Math.ceil(lines * lineHeight);
}
