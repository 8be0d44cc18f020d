/** What moves of one folder and of many have in common: which sessions are meant, which can move, and what it comes to. */
import { resolve } from "node:path";
import { AppError } from "../../model/errors.ts";
import type { EditPlan } from "../../model/plan.ts";
import type { Move } from "../../model/plan-facts.ts";
import type { Artifact } from "../../model/session/session.ts";
import { isRootPath, isWindowsPath, pathsLike, withoutEndSeparators } from "../../model/values/paths.ts";
import { relocate } from "../../model/values/relocate.ts";
import { placeOfFolder } from "../../model/values/workspace-place.ts";
import { realPath } from "../../platform/disk/links.ts";
import type { Progress } from "../../query/heads.ts";
import type { ReadTitles, Titled } from "../../query/resolve.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { MoveRequest } from "../../sources/requests.ts";
import { takesIn } from "./move-target.ts";
import { planTogether, type Several } from "./plan-several.ts";

export interface MovingParts {
  readonly catalog: Catalog;
  readonly titles: ReadTitles;
  /** Where relative paths start. */
  readonly folder: string;
  readonly now: Date;
  find(name: string): Promise<{ readonly artifact: Artifact }>;
  plan(artifact: Artifact, request: MoveRequest, progress?: Progress): Promise<EditPlan>;
  /** Called with the progress of all of them, in bytes. */
  readonly progress?: Progress;
}

export const isIn = ({ session }: Titled, from: string): boolean =>
  relocate(session.workspace ?? "", { from, to: "" }) !== undefined;

export async function sessionsIn(
  { catalog, titles }: MovingParts,
  folders: readonly string[],
): Promise<Titled[]> {
  const { artifacts: all } = await catalog.scan();
  const known = await titles(eachOnce(all.filter(({ vanishedAt }) => vanishedAt === undefined)));
  return known.filter((each) => folders.some((from) => isIn(each, from)));
}

/** Of the sessions in a folder those that can move; the others are listed separately. */
export async function findMovable(
  { catalog, folder }: MovingParts,
  from: string,
  inside: readonly Titled[],
  request: { readonly to: string; readonly editor?: string },
): Promise<{ movable: Titled[]; losses: string[] }> {
  const artifacts = inside.map(({ artifact }) => artifact);
  const canMove = await takesIn(catalog, artifacts, request, folder);
  const movable: Titled[] = [];
  const left = new Map<string, number>();
  for (const each of inside) {
    if (canMove.has(each.artifact.source)) movable.push(each);
    else left.set(each.artifact.source, (left.get(each.artifact.source) ?? 0) + 1);
  }
  if (movable.length === 0) throw nothingThere(from, inside.length);
  const labels = new Map(catalog.sources.map(({ source, label }) => [source as string, label]));
  return {
    movable,
    losses: [...left].map(
      ([source, count]) =>
        `${count} ${count === 1 ? "session" : "sessions"} of ${labels.get(source)}, which rethread cannot move yet`,
    ),
  };
}

/** A link to a session is a second name for it, which moves with the session. */
function eachOnce(artifacts: readonly Artifact[]): Artifact[] {
  const known = new Map<string, Artifact>();
  for (const artifact of artifacts) {
    const real = realPath(artifact.path);
    if (artifact.path === real || !known.has(real)) known.set(real, artifact);
  }
  return [...known.values()];
}

const nothingThere = (from: string, others: number): AppError =>
  new AppError(
    "session-not-found",
    others === 0
      ? `No session belongs to ${from} or a folder below it`
      : others === 1
        ? `The session of ${from} cannot be moved yet`
        : `None of the ${others} sessions of ${from} can be moved yet`,
    { say: "See the folders of all sessions", remedy: { action: "workspaces" } },
  );

/** Sessions that are in their new place already are no part of the move, and are listed separately. */
export async function movingOnly(
  { plans, joined }: Several,
  { catalog }: Pick<MovingParts, "catalog">,
): Promise<EditPlan & { readonly move: Move }> {
  const moving = plans.filter(({ steps }) => steps.length > 0);
  const staying = plans.length - moving.length;
  if (moving.length === 0 || staying === 0) return { ...joined, move: sumMoves(plans) };
  const { losses, ...plan } = await planTogether(catalog, moving);
  const there = `${staying} ${staying === 1 ? "session, which is" : "sessions, which are"} there already`;
  return { ...plan, losses: [...losses, there], move: sumMoves(moving) };
}

export function sumMoves(plans: readonly EditPlan[]): Move {
  const moves = plans.flatMap(({ move }) => move ?? []);
  const [first] = moves;
  if (!first) throw new Error("none of the plans moves anything");
  const sum = (of: (move: Move) => number): number => moves.reduce((all, move) => all + of(move), 0);
  return {
    ...first,
    from: moves.every(({ from }) => from === first.from) ? first.from : "",
    isHere: moves.every(({ isHere }) => isHere),
    toolCalls: sum(({ toolCalls }) => toolCalls),
    attachments: sum(({ attachments }) => attachments),
    fileStates: sum(({ fileStates }) => fileStates),
    others: sum(({ others }) => others),
    mentions: sum(({ mentions }) => mentions),
    sessions: plans.map(({ from, title }) => ({ ...from, title })),
  };
}

/** All of a disk, and what is not a path, can be no folder that is elsewhere now. */
export function toOldPath(base: string, path: string): string {
  const from = isRemote(path) ? withoutEndSeparators(path) : toPath(base, path);
  if (!isRootPath(from)) return from;
  throw new AppError(
    "usage",
    `${from} is not a folder that can move`,
    "Name the old path of the folder that moved",
  );
}

/** A place that VS Code reaches over a connection is named by its address. */
export const isRemote = (path: string): boolean => placeOfFolder(path).kind === "remote";

/** A path of another machine is taken as it is written; one of this machine may be relative. */
export function toPath(base: string, path: string): string {
  const isForeign = isWindowsPath(path) !== (process.platform === "win32");
  const { isAbsolute, normalize } = pathsLike(path);
  const whole = isForeign && isAbsolute(path) ? normalize(path) : resolve(base, path);
  return isRootPath(whole) ? whole : withoutEndSeparators(whole);
}
