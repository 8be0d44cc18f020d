/** The row that a smaller copy has in place of dropped turns: a note, or a summary of them. */
import type { NewCheckpoint } from "../../../../model/plan-facts.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { SUMMARY_LIMIT } from "../../../../model/summary/summary.ts";
import { shellLine } from "../../../../model/text/shell-words.ts";
import { formatKey } from "../../../../model/values/id.ts";
import { uuidOf } from "../../../../model/values/stable-id.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { JsonObject } from "../../../log/jsonl.ts";
import type { CloneRequest } from "../../../requests.ts";
import type { CopyOf } from "../copy/copy-rows.ts";
import { summaryRow } from "../summary/compact-rows.ts";
import { toMarkdown, toSummaryText, WORD_FOR_WORD } from "../summary/markdown.ts";
import { summarize } from "../summary/summary.ts";
import type { Transcript } from "../transcript.ts";

export interface TurnPlaceholder {
  readonly front: NonNullable<CopyOf["front"]>;
  /** The summary, but for where it will be. */
  readonly checkpoint?: Omit<NewCheckpoint, "path">;
}

export interface PlaceholderOf {
  readonly request: CloneRequest;
  readonly transcript: Transcript;
  /** The turns that go. */
  readonly dropped: ReadonlySet<number>;
}

/** A note says how many turns were left out by number; under a budget there is no room for one. */
export async function placeholderFor(
  fs: SessionFs,
  artifact: Artifact,
  of: PlaceholderOf,
): Promise<TurnPlaceholder | undefined> {
  const { reduce } = of.request;
  if (of.dropped.size === 0) return undefined;
  if (reduce?.summarize) return summaryFor(fs, artifact, of);
  return reduce?.reduction.dropOldest ? { front: noteFor(artifact, of) } : undefined;
}

/** As a reminder of the program: it begins no turn, and no title is made of it. */
function noteFor(artifact: Artifact, of: PlaceholderOf): TurnPlaceholder["front"] {
  const { dropped, transcript } = of;
  const note = `${dropped.size} of the ${transcript.turns.length} turns of this session were left out of this copy. To read them: ${shellLine`rethread show ${formatKey(artifact)}`}`;
  const message = { role: "user", content: `<system-reminder>\n${note}\n</system-reminder>` };
  return toFront("note", { type: "user", isMeta: true, message }, of);
}

async function summaryFor(fs: SessionFs, artifact: Artifact, of: PlaceholderOf): Promise<TurnPlaceholder> {
  const { request, transcript, dropped } = of;
  const { reduction, summarize: wish } = request.reduce ?? {};
  const budget = reduction?.budget;
  const { summary, number } = await summarize(fs, artifact, transcript, {
    isMeant: (turn) => dropped.has(turn),
    turns: dropped.size,
    followed: transcript.turns.length - dropped.size,
    source: { source: artifact.source, id: artifact.id },
    // At most a quarter of what there is room for.
    ...(budget !== undefined && { limit: Math.min(SUMMARY_LIMIT, Math.max(LEAST, budget)) }),
    ...(wish?.write && { write: wish.write }),
  });
  return {
    front: toFront("summary", summaryRow(toSummaryText(summary, [WORD_FOR_WORD])), of),
    checkpoint: { number, title: summary.title, summary: toMarkdown({ ...summary, title: "" }) },
  };
}

/** In characters: less is no summary. */
const LEAST = 1500;

/** With the time of the first turn that stays: between the turns, in time as in the file. */
function toFront(
  what: string,
  row: JsonObject,
  { request, transcript: { turns, facts }, dropped }: PlaceholderOf,
): TurnPlaceholder["front"] {
  const id = uuidOf(`${request.id} ${what}`);
  const first = turns.find((_, turn) => !dropped.has(turn));
  const line = {
    ...{ parentUuid: null, isSidechain: false, ...row },
    ...{ uuid: id, timestamp: first?.time ?? request.now.toISOString(), sessionId: request.id },
    ...(facts.workspace !== undefined && { cwd: facts.workspace }),
  };
  return { id, line: `${JSON.stringify(line)}\n` };
}
