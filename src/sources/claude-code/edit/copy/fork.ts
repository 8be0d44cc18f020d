/** Forks a session: copies its first turns into a new one, which names the original as `/branch` does. */
import type { Draft } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { ForkRequest } from "../../../requests.ts";
import { toLosses } from "../../../rescue/losses.ts";
import { openSound, rowsUpTo } from "../transcript.ts";
import { copySession } from "./copy.ts";

export async function fork(disk: SessionFs, artifact: Artifact, request: ForkRequest): Promise<Draft> {
  const { fs, transcript } = await openSound(disk, artifact);
  const { rows, idOf, title } = transcript;
  const end = request.at === undefined ? rows.length : rowsUpTo(artifact, transcript, request.at);
  const kept = new Set(rows.slice(0, end));
  const name = request.name ?? request.copyName?.(title) ?? `${title} (fork)`;
  const copy = await copySession(fs, artifact, transcript, {
    ...{ id: request.id, now: request.now, title: name },
    keeps: (row) => kept.has(row),
    change: (row) => ({
      forkedFrom: JSON.stringify({ sessionId: artifact.id, messageUuid: idOf(row) }),
    }),
  });
  return { ...copy, name, losses: toLosses(copy.repairs ?? []) };
}
