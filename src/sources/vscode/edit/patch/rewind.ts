/**
 * Rewinds a session: copies the turns up to one into a new session, because VS Code does not expect its files to
 * change; or in place, where the file is cut after that turn. Workspace files are not changed.
 */
import type { Draft } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { RewindRequest } from "../../../requests.ts";
import { SOURCE } from "../../format/problems.ts";
import { forkOf, turnsUpTo } from "../copy/fork.ts";
import { type Inspection, inspectSession } from "../copy/inspect.ts";
import { homeOf } from "../copy/session-home.ts";
import { changeEntry, readList, toSet } from "../list/list.ts";
import { replaceSession } from "./replace.ts";

export async function rewind(fs: SessionFs, artifact: Artifact, request: RewindRequest): Promise<Draft> {
  const { id, path } = artifact;
  const { to, now } = request;
  const inspected = await inspectSession(fs, artifact);
  const turns = turnsUpTo(artifact, inspected, to);
  const session = { source: SOURCE, id, path } as const;
  if (turns === inspected.turns.length) return { session, basis: [], steps: [], losses: [] };
  if (!request.inPlace) {
    const beside = await forkOf(fs, artifact, inspected, { ...request, at: to, name: inspected.title });
    return { ...beside, losses: [...droppedTurns(inspected, turns), ...beside.losses] };
  }
  const list = await readList(fs, homeOf(artifact).database);
  const file = await replaceSession(fs, artifact, inspected, { amendments: [], turns, now });
  const cells = changeEntry(list, id, "lastResponseState", inspected.turns[turns - 1]?.state);
  return {
    session,
    basis: file.basis,
    steps: [...file.steps, ...(cells.length > 0 ? [await toSet(fs, list, cells, now)] : [])],
    losses: droppedTurns(inspected, turns),
  };
}

/** `end` is the first request that goes; the turns are named by their numbers. */
function droppedTurns({ turns: requests }: Inspection, end: number): string[] {
  const prompt = requests[end]?.prompt ?? "";
  const line = prompt.split("\n", 1)[0]?.trimEnd() ?? "";
  const words = `"${line}${line.length < prompt.length ? "…" : ""}"`;
  const count = (some: Inspection["turns"]): number => some.filter(({ startsTurn }) => startsTurn).length;
  const [from, last] = [count(requests.slice(0, end)), count(requests) - 1];
  return [from === last ? `turn ${from}, ${words}` : `turns ${from} to ${last}, from ${words} on`];
}
