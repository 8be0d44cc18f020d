/** Changes of a file, as many as fit in memory: the oldest go first, and files as they were before a change before that. */
import type { FileEdit } from "../../model/session/file-edit.ts";

export interface EditList<T> {
  push(item: T): void;
  items(): T[];
  /** How many had to go. */
  leftOut(): number;
}

/** In characters. */
const MOST = 192 << 20;
const MOST_BEFORE = 64 << 20;

/** Items are pushed oldest first. */
export function createEditList<T extends { readonly edit: FileEdit }>(
  most = MOST,
  mostBefore = MOST_BEFORE,
): EditList<T> {
  let items: T[] = [];
  let size = 0;
  let before = 0;
  let leftOut = 0;
  return {
    push(item) {
      const known = item.edit.before?.length ?? 0;
      const isLight = before + known <= mostBefore;
      if (isLight) before += known;
      const kept = isLight ? item : { ...item, edit: withoutBefore(item.edit) };
      items.push(kept);
      size += sizeOf(kept.edit);
      if (size <= most) return;
      let gone = 0;
      // A quarter at once, since each time all are moved.
      while (gone < items.length - 1 && size > most * 0.75) size -= sizeOf((items[gone++] as T).edit);
      items = items.slice(gone);
      leftOut += gone;
    },
    items: () => items,
    leftOut: () => leftOut,
  };
}

const withoutBefore = ({ before: _, ...edit }: FileEdit): FileEdit => edit as FileEdit;

function sizeOf(edit: FileEdit): number {
  const before = edit.before?.length ?? 0;
  switch (edit.does) {
    case "write":
      return before + edit.text.length;
    case "replace":
      return before + sum(edit.pairs.map((pair) => pair.before.length + pair.after.length));
    case "patch":
      return before + sum(edit.hunks.map(({ lines }) => sum(lines.map((line) => line.length))));
    case "splice":
      return before + sum(edit.steps.map((step) => sum(step.map(({ text }) => text.length))));
    case "fragment":
      return sum(edit.texts.map((text) => text.length));
    default:
      return before;
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
