/** Writes as the history lists them, and the words for their kinds. */
import {
  Archive,
  ArrowRightLeft,
  Bandage,
  Copy,
  Eraser,
  FolderInput,
  GitFork,
  HardDriveDownload,
  Import,
  ListPlus,
  type LucideIcon,
  Minimize2,
  Pencil,
  Rewind,
  Settings2,
  StickyNote,
  Trash2,
  Undo2,
} from "lucide-react";
import type { Answer } from "../../../src/client/types.ts";
import { nounOf } from "../../../src/model/plan.ts";

export type HistoryAnswer = Answer<"history">;
export type Write = HistoryAnswer["writes"][number];
export type PastJob = HistoryAnswer["jobs"][number];

export const WRITE_KINDS: Readonly<
  Record<Write["kind"], { readonly done: string; readonly icon: LucideIcon }>
> = {
  clone: { done: "Cloned", icon: Copy },
  fork: { done: "Forked", icon: GitFork },
  rewind: { done: "Rewound", icon: Rewind },
  compact: { done: "Compacted", icon: Minimize2 },
  checkpoint: { done: "Wrote a checkpoint of", icon: StickyNote },
  move: { done: "Moved", icon: FolderInput },
  rename: { done: "Renamed", icon: Pencil },
  delete: { done: "Deleted", icon: Trash2 },
  rescue: { done: "Repaired", icon: Bandage },
  scrub: { done: "Took the secrets out of", icon: Eraser },
  import: { done: "Imported", icon: Import },
  handoff: { done: "Handed over", icon: ArrowRightLeft },
  migrate: { done: "Migrated", icon: HardDriveDownload },
  restore: { done: "Made from a backup:", icon: Archive },
  improve: { done: "Added to", icon: ListPlus },
  configure: { done: "Configured", icon: Settings2 },
  undo: { done: "Undid", icon: Undo2 },
};

/** What a write is called as a thing: "the clone of …". */
export const nounFor = (kind: Write["kind"]): string => (kind === "rescue" ? "repair" : nounOf(kind));
