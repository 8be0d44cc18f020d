/**
 * Compacts a session: a summary replaces older turns. In place, the turns and all earlier summaries are removed from
 * the log and the new summary covers them, so the program sends the summary and the kept turns, and nothing twice; kept
 * lines keep their bytes. With append, as the program does it, nothing is removed.
 */

import { AppError } from "../../../../model/errors.ts";
import type { Draft, Piece } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { CompactRequest } from "../../../requests.ts";
import { droppedTurns } from "../../../summary/turn-names.ts";
import { context } from "../../context.ts";
import { LOG, SOURCE, under } from "../../workspace/locate.ts";
import { openFolder } from "../copy/folder.ts";
import { range } from "../cut/cut.ts";
import { beginsLine, findIds, findOffsets, type LogOffsets } from "../cut/log-offsets.ts";
import { replaceFile } from "../cut/replace.ts";
import { readRowsFor, reduce, toLines } from "../reduce/reduce.ts";
import { countCheckpoint, nextCheckpoint, placeCheckpoint, toCheckpoint } from "./checkpoint.ts";
import { type CompactionOf, toCompaction } from "./compact-records.ts";
import { summarize } from "./summary.ts";

interface Compacted {
  readonly pieces: readonly Piece[];
  readonly ledger?: Draft["ledger"];
}

export async function compact(fs: SessionFs, artifact: Artifact, request: CompactRequest): Promise<Draft> {
  const folder = await openFolder(fs, artifact);
  const seen = await findOffsets(fs, artifact);
  const session = { source: SOURCE, id: artifact.id, path: artifact.path };
  const turns = seen.turns.length;
  const { keep, now } = request;
  const dropped = turns - (keep ?? 0);
  if (dropped <= 0) return { session, basis: [], steps: [], losses: [] };
  if (keep !== undefined) refuseCleared(artifact, seen, dropped);
  const summary = await summarize(fs, artifact, folder, {
    isMeant: (turn) => turn < dropped,
    turns: dropped,
    followed: keep ?? 0,
    ...(request.write && { write: request.write }),
  });
  const number = await nextCheckpoint(fs, artifact, folder, seen);
  const made = await toCheckpoint(fs, artifact, folder, { number, summary });
  const checkpoint = { number, path: under(folder.path, made.name) };
  const of = { id: artifact.id, summary, checkpoint };
  const { pieces, ledger } =
    keep === undefined
      ? await append(fs, artifact, seen, { ...of, time: now.toISOString() })
      : await takeOut(fs, artifact, seen, dropped, of, now);
  const parts = [
    ...placeCheckpoint(folder, made, now),
    replaceFile(folder, LOG, pieces, now),
    await countCheckpoint(fs, artifact, folder, number, now),
  ];
  return {
    session,
    basis: parts.flatMap(({ basis }) => basis),
    steps: parts.flatMap(({ steps }) => steps),
    checkpoint: { ...checkpoint, title: made.title, summary: made.text },
    ...(ledger && { ledger }),
    losses:
      keep === undefined
        ? []
        : droppedTurns(seen.turns, 0, dropped).map((those) => `${those}, replaced by a summary`),
  };
}

/** Only what is older leaves the log, so the rest is a matter of cutting as for a smaller clone. */
async function takeOut(
  fs: SessionFs,
  artifact: Artifact,
  seen: LogOffsets,
  dropped: number,
  of: Omit<CompactionOf, "time">,
  now: Date,
): Promise<Compacted> {
  // Between the turns, in time as in the log.
  const time = seen.turns[dropped]?.time ?? now.toISOString();
  const reduction = { dropOldest: { count: dropped } };
  const rows = await readRowsFor(fs, artifact, seen, { reduction, count: () => 0 });
  return reduce(fs, artifact, seen, rows, {
    reduction,
    start: seen.start.text,
    placeholder: { records: async () => toCompaction({ ...of, time }), replacesSummaries: true },
  });
}

async function append(
  fs: SessionFs,
  artifact: Artifact,
  { size }: LogOffsets,
  of: Omit<CompactionOf, "messages">,
): Promise<Compacted> {
  const { path } = artifact;
  const { last } = await findIds(fs, path, size);
  const messages = (await context(fs, artifact, { hold: () => "" })).length;
  const gap = (await beginsLine(fs, path, size)) ? "" : "\n";
  const text = gap + toLines(toCompaction({ ...of, messages }), last);
  return { pieces: [...range(path, 0, size), { text }] };
}

/** What was cleared in one of the turns that stay takes the summary from the model's view, too. */
function refuseCleared({ id }: Artifact, { turns, cleared }: LogOffsets, dropped: number): void {
  if (cleared === undefined || cleared < (turns[dropped]?.start ?? 0)) return;
  throw new AppError(
    "usage",
    `The context of session ${id} was cleared in one of the kept turns, so its model receives nothing older`,
    {
      say: "Make a copy without the old turns instead",
      remedy: { action: "clone", session: `copilot-cli:${id}`, args: { dropOldest: dropped } },
    },
  );
}
