/** What each kind of change is called, before and after. */
import { plural } from "../../../src/present/text/measure.ts";
import type { ChangeKind } from "./change.ts";

interface Kind {
  /** The heading: "Clone session", or with a count of them. */
  readonly title: string;
  readonly many?: (count: string) => string;
  /** On the button. */
  readonly verb: string;
  readonly done: string;
  /** What exists is removed: the button says so in its colour. */
  readonly isDanger?: true;
}

export const KINDS: Readonly<Record<ChangeKind, Kind>> = {
  clone: { title: "Clone session", verb: "Clone", done: "Session cloned" },
  fork: { title: "Fork session", verb: "Fork", done: "Session forked" },
  rewind: { title: "Rewind session", verb: "Rewind", done: "Session rewound" },
  compact: { title: "Compact session", verb: "Compact", done: "Session compacted" },
  "checkpoint-create": {
    title: "Write a checkpoint",
    verb: "Write checkpoint",
    done: "Checkpoint written",
  },
  move: { title: "Move session", many: (count) => `Move ${count}`, verb: "Move", done: "Moved" },
  rename: { title: "Rename session", verb: "Rename", done: "Session renamed" },
  delete: {
    title: "Delete session",
    many: (count) => `Delete ${count}`,
    verb: "Delete",
    done: "Deleted",
    isDanger: true,
  },
  rescue: { title: "Repair session", many: (count) => `Repair ${count}`, verb: "Repair", done: "Repaired" },
  "rescue-all": { title: "Repair all sessions", verb: "Repair all", done: "Repaired" },
  handoff: { title: "Continue in another program", verb: "Hand over", done: "Session handed over" },
  import: { title: "Import sessions", verb: "Import", done: "Imported" },
  undo: { title: "Undo", verb: "Undo", done: "Undone" },
  "backup-copy": {
    title: "New session from a backup",
    verb: "Make the session",
    done: "Session made from the backup",
  },
};

export function headingOf(kind: ChangeKind, sessions: number): string {
  const { title, many } = KINDS[kind];
  return sessions > 1 && many ? many(plural(sessions, "session", "sessions")) : title;
}

/** Kinds that make a smaller or another session of one; of others the size says nothing. */
export const SIZED: ReadonlySet<ChangeKind> = new Set([
  "clone",
  "fork",
  "rewind",
  "compact",
  "import",
  "handoff",
  "backup-copy",
]);

/** Kinds whose result is a session that was not there before. */
export const MAKES_NEW: ReadonlySet<ChangeKind> = new Set([
  "clone",
  "fork",
  "import",
  "handoff",
  "backup-copy",
]);
