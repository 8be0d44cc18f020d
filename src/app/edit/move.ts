/** Moving sessions: one of them, several, or all that are about a folder which is elsewhere now. */

import { AppError } from "../../model/errors.ts";
import type { EditPlan } from "../../model/plan.ts";
import type { Artifact } from "../../model/session/session.ts";
import type { MoveRequest } from "../../sources/requests.ts";
import { type FolderMap, planMapped } from "./move-maps.ts";
import {
  findMovable,
  type MovingParts,
  movingOnly,
  sessionsIn,
  toOldPath,
  toPath,
} from "./moved-sessions.ts";
import { planSeveral } from "./plan-several.ts";

export type { FolderMap, MovingParts };

export interface MoveOf {
  /** By its name, or several by theirs; or all sessions of a folder. */
  readonly session?: string | readonly string[];
  readonly from?: string;
  /** Where it is now. */
  readonly to?: string;
  /** Instead of these: where folders with many others in them are now, as on another machine. */
  readonly maps?: readonly FolderMap[];
  /** The program whose sessions they become, where one source has several. */
  readonly editor?: string;
  readonly text: boolean;
}

export async function planMoves(request: MoveOf, parts: MovingParts): Promise<EditPlan> {
  const { folder, now } = parts;
  if (request.maps) return planMapped(request.maps, request, parts);
  if (request.to === undefined)
    throw new AppError("usage", "move needs a folder to move to", "Say where it is now");
  const common = { to: toPath(folder, request.to), text: request.text, now };
  if (request.session !== undefined) {
    const artifacts: Artifact[] = [];
    for (const name of [request.session].flat()) artifacts.push((await parts.find(name)).artifact);
    const [only, ...others] = artifacts;
    if (only && others.length === 0) return parts.plan(only, common, parts.progress);
    return planTogether(artifacts, common, parts);
  }
  if (request.from === undefined)
    throw new AppError(
      "usage",
      "move needs a session or --from <folder>",
      "Name a session, or add --from <folder>",
    );
  const from = toOldPath(folder, request.from);
  const inside = await sessionsIn(parts, [from]);
  const { movable, losses } = await findMovable(parts, from, inside, { ...request, to: request.to });
  const plan = await planTogether(
    movable.map(({ artifact }) => artifact),
    { ...common, from },
    parts,
  );
  return { ...plan, losses: [...plan.losses, ...losses] };
}

/** As one operation, with one undo. */
async function planTogether(
  artifacts: readonly Artifact[],
  request: MoveRequest,
  parts: MovingParts,
): Promise<EditPlan> {
  const several = await planSeveral(artifacts, {
    ...parts,
    plan: (artifact, progress) => parts.plan(artifact, request, progress),
  });
  return movingOnly(several, parts);
}
