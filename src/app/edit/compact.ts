/** Turns a request for a summary into a request to a source. */
import { AppError } from "../../model/errors.ts";
import type { Draft } from "../../model/plan.ts";
import type { Reduction } from "../../model/reduce/reduction.ts";
import type { Artifact } from "../../model/session/session.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import type { Editor } from "../../sources/editor.ts";
import type { SummaryWish } from "../../sources/requests.ts";
import { createSummaryWriter, type WriterSurroundings } from "./summary-writer.ts";

/** What writes it: the agent itself by name, or a command. */
export interface SummaryOf {
  readonly with?: string;
}

export interface CompactOf extends SummaryOf {
  /** Turns at the end that stay as they are. */
  readonly keep?: number;
  /** Nothing leaves the log. */
  readonly append?: boolean;
}

export interface CheckpointOf extends SummaryOf {
  readonly title?: string;
}

const KEPT_TURNS = 3;

interface Task {
  readonly editor: Editor;
  readonly fs: SessionFs;
  readonly artifact: Artifact;
  readonly now: Date;
}

export function drawCompaction(
  { editor, fs, artifact, now }: Task,
  { keep = KEPT_TURNS, append = false, ...of }: CompactOf,
  around: WriterSurroundings,
): Promise<Draft> {
  if (keep < 1)
    throw new AppError(
      "usage",
      "At least one turn must be kept",
      "Use --keep 1, or --append for a summary of everything",
    );
  if (!editor.summaries) throw notSupported(artifact, "compact");
  const wish = toWish(of, around);
  return editor.summaries.compact(fs, artifact, { now, ...wish, ...(!append && { keep }) });
}

export function drawCheckpoint(
  { editor, fs, artifact, now }: Task,
  { title, ...of }: CheckpointOf,
  around: WriterSurroundings,
): Promise<Draft> {
  const checkpoint = editor.summaries?.checkpoint;
  if (!checkpoint) throw notSupported(artifact, "write checkpoints for");
  const name = title?.replace(/\s+/g, " ").trim();
  if (name === "")
    throw new AppError("usage", "The title of a checkpoint must not be empty", "Put the title in quotes");
  const wish = toWish(of, around);
  return checkpoint(fs, artifact, {
    now,
    ...wish,
    ...(name !== undefined && { title: name }),
  });
}

export const toWish = (of: SummaryOf, around: WriterSurroundings): SummaryWish =>
  of.with === undefined ? {} : { write: createSummaryWriter(of.with, around) };

const notSupported = ({ source, id }: Artifact, what: string): AppError =>
  new AppError("not-supported", `Rethread cannot ${what} sessions of ${source} yet`, {
    say: "See what its model would receive",
    remedy: { action: "context", session: `${source}:${id}` },
  });

/** A summary needs turns to replace, and the command is run only once. */
export function refuseWriter(
  { summarize, with: words }: SummaryOf & { readonly summarize?: boolean },
  reduction: Reduction | undefined,
): void {
  if (words !== undefined && !summarize)
    throw new AppError(
      "usage",
      "--with needs --summarize: it says what writes the summary",
      "Add --summarize, or leave out --with",
    );
  if (summarize && reduction?.dropOldest === undefined && reduction?.budget === undefined)
    throw new AppError(
      "usage",
      "--summarize needs turns that are left out",
      "Add --drop-oldest 50%, or --budget 60k",
    );
  if (words !== undefined && reduction?.budget !== undefined)
    throw new AppError(
      "usage",
      "--with and --budget cannot be combined: fitting a budget takes several tries, and each would be a model request",
      "Use --drop-oldest instead of --budget, or leave out --with",
    );
}
