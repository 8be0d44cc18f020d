/** The records that a smaller clone has in place of dropped turns: one note, or a summary with its checkpoint. */
import type { Artifact } from "../../../../model/session/session.ts";
import { SUMMARY_LIMIT } from "../../../../model/summary/summary.ts";
import { shellLine } from "../../../../model/text/shell-words.ts";
import { uuidOf } from "../../../../model/values/stable-id.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { JsonObject } from "../../../log/jsonl.ts";
import type { CloneRequest } from "../../../requests.ts";
import { SOURCE, under } from "../../workspace/locate.ts";
import type { SessionFolder } from "../copy/folder.ts";
import type { LogOffsets } from "../cut/log-offsets.ts";
import { type CheckpointFiles, nextCheckpoint, toCheckpoint } from "../summary/checkpoint.ts";
import { toCompaction } from "../summary/compact-records.ts";
import { summarize } from "../summary/summary.ts";
import type { TurnPlaceholder } from "./reduce.ts";

export interface ClonePlaceholder extends TurnPlaceholder {
  /** Once it is made; nothing for a note. */
  checkpoint(): CheckpointFiles | undefined;
}

export interface PlaceholderOf {
  readonly request: CloneRequest;
  readonly folder: SessionFolder;
  readonly seen: LogOffsets;
  /** The clone's own folder. */
  readonly to: string;
}

export function placeholderFor(fs: SessionFs, artifact: Artifact, of: PlaceholderOf): ClonePlaceholder {
  return of.request.reduce?.summarize ? summaryFor(fs, artifact, of) : noteFor(artifact, of);
}

/** As a notice of the program: it begins no turn, and no summary repeats it. */
function noteFor({ id }: Artifact, { request, seen }: PlaceholderOf): ClonePlaceholder {
  return {
    replacesSummaries: false,
    checkpoint: () => undefined,
    async records(dropped) {
      const all = seen.turns.length;
      const note = `${dropped.size} of the ${all} turns of this session were left out of this copy. To read them: ${shellLine`rethread show ${SOURCE}:${id}`}`;
      const record = {
        type: "system.notification",
        data: {
          content: `<system_notification>\n${note}\n</system_notification>`,
          kind: { type: "unclassified" },
        },
        id: uuidOf(`${request.id} note`),
        timestamp: timeOf(dropped, seen, request.now),
      };
      return [record];
    },
  };
}

function summaryFor(
  fs: SessionFs,
  artifact: Artifact,
  { request, folder, seen, to }: PlaceholderOf,
): ClonePlaceholder {
  const { budget } = request.reduce?.reduction ?? {};
  const write = request.reduce?.summarize?.write;
  let made: CheckpointFiles | undefined;
  return {
    replacesSummaries: true,
    checkpoint: () => made,
    async records(dropped): Promise<readonly JsonObject[]> {
      const summary = await summarize(fs, artifact, folder, {
        isMeant: (turn) => dropped.has(turn),
        turns: dropped.size,
        followed: seen.turns.length - dropped.size,
        source: { source: SOURCE, id: artifact.id },
        // At most a quarter of what there is room for.
        ...(budget !== undefined && { limit: Math.min(SUMMARY_LIMIT, Math.max(LEAST, budget)) }),
        ...(write && { write }),
      });
      const number = await nextCheckpoint(fs, artifact, folder, seen);
      made = await toCheckpoint(fs, artifact, folder, { number, summary });
      const checkpoint = { number, path: under(to, made.name) };
      const time = timeOf(dropped, seen, request.now);
      return toCompaction({ id: request.id, summary, checkpoint, time });
    },
  };
}

/** In characters: less is no summary. */
const LEAST = 1500;

/** Of the first turn that stays: between the turns, in time as in the log. */
const timeOf = (dropped: ReadonlySet<number>, { turns }: LogOffsets, now: Date): string =>
  turns.find((_, turn) => !dropped.has(turn))?.time ?? now.toISOString();
