/** Forks a session: copies its first turns into a new one. */
import { AppError } from "../../../../model/errors.ts";
import type { Draft } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { ForkRequest } from "../../../requests.ts";
import { SOURCE } from "../../format/problems.ts";
import { copySession } from "./copy.ts";
import { contentIn } from "./form.ts";
import { toIdentity } from "./identity.ts";
import { type Inspection, inspectSession } from "./inspect.ts";
import { checkId } from "./session-home.ts";
import { findTarget } from "./target.ts";

export const fork = async (fs: SessionFs, artifact: Artifact, request: ForkRequest): Promise<Draft> =>
  forkOf(fs, artifact, await inspectSession(fs, artifact), request);

export async function forkOf(
  fs: SessionFs,
  artifact: Artifact,
  inspected: Inspection,
  request: Omit<ForkRequest, "recordId">,
): Promise<Draft> {
  const id = checkId(request.id);
  const turns = inspected.turns.slice(0, turnsUpTo(artifact, inspected, request.at));
  const title = request.name ?? request.copyName?.(inspected.title) ?? `${inspected.title} (fork)`;
  const change = { amendments: toIdentity(inspected, turns, { id, title }), turns: turns.length };
  const draft = await copySession(fs, artifact, inspected, {
    id,
    now: request.now,
    title,
    target: await findTarget(fs, artifact),
    turns,
    content: (form) => contentIn(fs, artifact.path, inspected, change, form),
  });
  return { ...draft, name: title };
}

/** How many requests stay: all of the turn that is named by its number, or those before the one that is named by its id. */
export function turnsUpTo(
  { id }: Artifact,
  { turns: requests }: Inspection,
  at: number | string | undefined,
): number {
  if (at === undefined) return requests.length;
  const starts = requests.flatMap(({ startsTurn }, index) => (startsTurn ? [index] : []));
  const kept =
    typeof at === "number"
      ? (starts[at + 1] ?? (at === starts.length - 1 ? requests.length : -1))
      : requests.findIndex((request) => request.id === at);
  // What stays must have a turn.
  if (starts[0] !== undefined && kept > starts[0]) return kept;
  const last = starts.length === 0 ? "it has no turns" : `its last one is ${starts.length - 1}`;
  throw new AppError(
    "turn-not-found",
    typeof at === "number"
      ? `Session ${id} has no turn ${at}; ${last}`
      : `Session ${id} has no turn with the id ${at} to stop before`,
    { say: "See its turns", remedy: { action: "show", session: `${SOURCE}:${id}` } },
  );
}
