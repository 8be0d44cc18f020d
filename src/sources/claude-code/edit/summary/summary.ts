/** The summary that takes the place of turns in a transcript. */
import type { Artifact } from "../../../../model/session/session.ts";
import type { Summary } from "../../../../model/summary/summary.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { summarize as makeSummary, type SummaryRequest } from "../../../summary/summarize.ts";
import { findTitle, toSummary } from "../../../summary/tags.ts";
import { findToolAction } from "../../../tools/actions.ts";
import { read } from "../../read.ts";
import { TOOL_ACTIONS } from "../../tool-actions.ts";
import { NONE } from "../../tree/row-table.ts";
import type { Transcript } from "../transcript.ts";
import { fromSummaryText } from "./markdown.ts";

export interface NumberedSummary {
  readonly summary: Summary;
  /** As `checkpoint` counts them. */
  readonly number: number;
}

export async function summarize(
  fs: SessionFs,
  artifact: Artifact,
  transcript: Transcript,
  request: SummaryRequest,
): Promise<NumberedSummary> {
  const left = turnsLeft(transcript);
  const { summary, reply, earlier } = await makeSummary(
    fs,
    artifact,
    {
      read,
      actionOf: (name, input) => findToolAction(TOOL_ACTIONS, name, input),
      toSummary: fromSummaryText,
      isLeft: ({ start }, turn) => left.get(start)?.has(turn) === true,
    },
    request,
  );
  const number = earlier + 1;
  if (reply === undefined) return { summary, number };
  // A model that forgot the title does not make the rest worthless.
  return { summary: { ...toSummary(reply), title: findTitle(reply) ?? summary.title }, number };
}

/** The turns of which earlier compactions preserved something, by the place of their summaries in the file. */
function turnsLeft({ table, turnOf }: Transcript): ReadonlyMap<number, ReadonlySet<number>> {
  const rowOf = (id: string): number => (table.names.has(id) ? table.find(table.names.of(id)) : NONE);
  const left = new Map<number, Set<number>>();
  for (const { boundary } of table.details.values()) {
    const anchor = boundary?.anchor === undefined ? NONE : rowOf(boundary.anchor);
    if (!boundary || anchor === NONE) continue;
    left.set(table.start(anchor), new Set(boundary.preserved.map((id) => turnOf(rowOf(id)))));
  }
  return left;
}
