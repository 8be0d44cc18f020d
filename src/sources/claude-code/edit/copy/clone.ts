/** Clones a session, all of it or reduced, under a new id, for the same folder or another one. */
import { AppError } from "../../../../model/errors.ts";
import type { Draft } from "../../../../model/plan.ts";
import { weigherFor } from "../../../../model/reduce/passage.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { formatKey } from "../../../../model/values/id.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { type CloneRequest, drawWithin } from "../../../requests.ts";
import { toLosses } from "../../../rescue/losses.ts";
import { readPassages } from "../reduce/passages.ts";
import { reduce } from "../reduce/reduce.ts";
import { placeholderFor } from "../reduce/turn-placeholder.ts";
import { openSound } from "../transcript.ts";
import { copySession } from "./copy.ts";
import { findPrompts, PROMPT_LEFT_OUT, readForFolder } from "./for-folder.ts";

export async function clone(disk: SessionFs, artifact: Artifact, request: CloneRequest): Promise<Draft> {
  const { workspace, paths = "existing" } = request;
  const there = workspace === undefined ? undefined : await readForFolder(disk, artifact, workspace, paths);
  const { fs, transcript } = await openSound(there?.fs ?? disk, artifact);
  const { turns, title, facts, table } = transcript;
  const prompts = there ? await findPrompts(fs, artifact.path) : new Set<number>();
  if (turns.length === 0) throw nothingToCopy(artifact);
  const named = request.name ?? request.copyName?.(title);
  const isTitled = facts.titles.custom ?? facts.titles.generated ?? facts.titles.summary;
  const name = named ?? (isTitled === undefined ? undefined : title);
  const wanted = request.reduce;
  const passages =
    wanted && (await readPassages(fs, artifact, transcript, weigherFor(wanted.reduction, wanted.count)));
  return drawWithin(wanted, async (reduction) => {
    const isSummarized = wanted?.summarize !== undefined;
    const reduced =
      passages &&
      reduction &&
      reduce(passages, turns.length, reduction, formatKey(artifact), { isSummarized });
    const placeholder =
      reduced &&
      (await placeholderFor(fs, artifact, {
        request: { ...request, reduce: { ...wanted, reduction } },
        transcript,
        dropped: reduced.dropped,
      }));
    const copy = await copySession(fs, artifact, transcript, {
      ...{ id: request.id, now: request.now },
      keeps: (row) => (reduced?.keeps(row) ?? true) && !prompts.has(table.start(row)),
      change: (row, line) => ({ ...there?.everyRow, ...reduced?.change(row, line) }),
      ...(there && { there, everywhere: there.everywhere }),
      ...(placeholder && { front: placeholder.front }),
      ...(name !== undefined && { title: name }),
      ...(workspace !== undefined && { workspace }),
    });
    return {
      ...copy,
      ...(named !== undefined && { name: named }),
      losses: [
        ...toLosses(copy.repairs ?? []),
        ...(there?.losses ?? []),
        ...(prompts.size > 0 ? [PROMPT_LEFT_OUT] : []),
      ],
      ...(there?.paths && { paths: there.paths }),
      ...(reduced && { ledger: reduced.ledger() }),
      ...(placeholder?.checkpoint && {
        checkpoint: { ...placeholder.checkpoint, path: copy.session.path },
      }),
    };
  });
}

export const nothingToCopy = (artifact: Artifact): AppError =>
  new AppError("unreadable", `Session ${artifact.id} has no turns, so there is nothing to copy`, {
    say: "See what is wrong with it",
    remedy: { action: "show", session: formatKey(artifact) },
  });
