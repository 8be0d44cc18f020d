/** Finds where to cut a log after a turn or before an event, and which checkpoints remain. */
import { AppError } from "../../../../model/errors.ts";
import type { Piece } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { type Compaction, findIds, type LogOffsets } from "./log-offsets.ts";

export interface Cut {
  readonly at: number;
  /** The record that is the first one left out. */
  readonly before?: string;
}

/** Just before the next prompt, so a compaction between two turns stays with the earlier one. */
export function cutAfter({ id }: Artifact, { turns, size }: LogOffsets, turn: number): Cut {
  if (turn >= turns.length)
    throw new AppError(
      "turn-not-found",
      turns.length === 0
        ? `Session ${id} has no turns`
        : `Session ${id} has no turn ${turn}; its last one is ${turns.length - 1}`,
      { say: "See its turns", remedy: { action: "show", session: `copilot-cli:${id}` } },
    );
  const next = turns[turn + 1];
  return next ? { at: next.start, ...(next.id !== undefined && { before: next.id }) } : { at: size };
}

/** After a turn, or before an event. */
export async function findCut(
  fs: SessionFs,
  artifact: Artifact,
  seen: LogOffsets,
  at: number | string,
): Promise<Cut> {
  if (typeof at === "number") return cutAfter(artifact, seen, at);
  const { id, path } = artifact;
  const { wanted } = await findIds(fs, path, seen.size, at);
  if (wanted && wanted.start > 0) return { at: wanted.start, before: wanted.id };
  throw new AppError("turn-not-found", `Session ${id} has no event ${at} to stop before`, {
    say: "Name a turn instead",
    remedy: { action: "show", session: `copilot-cli:${id}` },
  });
}

export interface KeptCheckpoints {
  readonly compactions: readonly Compaction[];
  /** Whether some are left out; if none are, whatever there is stays. */
  readonly isCut: boolean;
  /** How many there are then; a log that was compacted in place no longer tells of the first ones. */
  readonly count: number;
  has(checkpoint: number): boolean;
}

export function checkpointsBefore(at: number, { compactions: all }: LogOffsets): KeptCheckpoints {
  const compactions = all.filter(({ start }) => start < at);
  const isCut = compactions.length < all.length;
  const count = Math.max(compactions.length, ...compactions.map(({ checkpoint }) => checkpoint ?? 0));
  return { compactions, isCut, count, has: (checkpoint) => !isCut || checkpoint <= count };
}

export const range = (file: string, start: number, end: number): Piece[] =>
  end > start ? [{ file, start, end }] : [];
