/**
 * Compacts a session as `/compact` does: appends a boundary and a summary, and nothing leaves the file. The turns that
 * are to stay are named in the boundary, so the program sends the summary, then these turns word for word.
 */
import type { Draft } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { appendLines } from "../../../log/append-lines.ts";
import type { CompactRequest } from "../../../requests.ts";
import { SOURCE } from "../../scan.ts";
import { chainForModel } from "../../tree/chain.ts";
import { openTranscript, type Transcript } from "../transcript.ts";
import { toCompaction } from "./compact-rows.ts";
import { toMarkdown, toSummaryText, WORD_FOR_WORD } from "./markdown.ts";
import { summarize } from "./summary.ts";

export async function compact(fs: SessionFs, artifact: Artifact, request: CompactRequest): Promise<Draft> {
  const transcript = await openTranscript(fs, artifact);
  const { turns, path, idOf, facts } = transcript;
  const { keep = 0, now, write } = request;
  const session = { source: SOURCE, id: artifact.id, path: artifact.path };
  const dropped = turns.length - keep;
  const leaf = path.at(-1);
  if (leaf === undefined || turns.length === 0 || !hears(transcript, dropped))
    return { session, basis: [], steps: [], losses: [] };
  const { summary, number } = await summarize(fs, artifact, transcript, {
    isMeant: (turn) => turn < dropped,
    turns: dropped,
    followed: keep,
    source: { source: SOURCE, id: artifact.id },
    ...(write && { write }),
  });
  const lines = toCompaction({
    ...{ id: artifact.id, number, now, facts },
    after: idOf(leaf),
    preserved: rowsFrom(transcript, dropped).map(idOf),
    text: toSummaryText(summary, keep > 0 ? [WORD_FOR_WORD] : []),
    note: noteOf(dropped),
  });
  return {
    session,
    ...(await appendLines(fs, artifact.path, lines, now)),
    checkpoint: {
      number,
      title: summary.title,
      path: artifact.path,
      summary: toMarkdown({ ...summary, title: "" }),
    },
    losses: [],
  };
}

/** Whether the model still receives something of the turns before this one. */
function hears(transcript: Transcript, dropped: number): boolean {
  const { facts, table, turnOf } = transcript;
  return chainForModel(facts).rows.some(
    // The note behind a summary is a row of the last turn, but for people.
    (row) => turnOf(row) < dropped && table.kind(row) !== "system" && isSpoken(transcript, row),
  );
}

/** All that is said from a turn on, parallel calls and their results included. */
const rowsFrom = (transcript: Transcript, turn: number): readonly number[] => {
  const { rows, turns } = transcript;
  const first = turns[turn];
  return first ? rows.slice(first.at).filter((row) => isSpoken(transcript, row)) : [];
};

/** What is part of the conversation itself: neither earlier compactions nor what is told to nobody. */
const isSpoken = ({ table, summaries }: Transcript, row: number): boolean =>
  !table.isMute(row) && !summaries.has(row) && table.details.get(row)?.boundary === undefined;

const noteOf = (dropped: number): string =>
  dropped === 1
    ? "Compacted by rethread: for the model, a summary takes the place of turn 0."
    : `Compacted by rethread: for the model, a summary takes the place of turns 0 to ${dropped - 1}.`;
