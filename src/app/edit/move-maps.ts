/** Moves the sessions of many folders at once, as after a change of machines: by where the folders around them are now. */
import { isAbsolute } from "node:path";
import { AppError } from "../../model/errors.ts";
import type { EditPlan } from "../../model/plan.ts";
import type { MovedFolder } from "../../model/plan-facts.ts";
import { formatKey } from "../../model/values/id.ts";
import { type Relocation, relocate } from "../../model/values/relocate.ts";
import type { Titled } from "../../query/resolve.ts";
import {
  findMovable,
  isIn,
  isRemote,
  type MovingParts,
  movingOnly,
  sessionsIn,
  toOldPath,
  toPath,
} from "./moved-sessions.ts";
import { planSeveral } from "./plan-several.ts";

export type FolderMap = Pick<Relocation, "from" | "to">;

/** A map as it was meant, and in one of the ways in which programs write its folder. */
interface Spelled extends FolderMap {
  readonly map: FolderMap;
}

/** Each session goes to the same place below the folder that the nearest one around it has become. */
export async function planMapped(
  wanted: readonly FolderMap[],
  { text, editor }: { readonly text: boolean; readonly editor?: string },
  parts: MovingParts,
): Promise<EditPlan> {
  const { folder, now } = parts;
  const maps = wanted.map(({ from, to }) => ({
    from: driveOf(from) ?? toOldPath(folder, asDisk(from)),
    to: toPath(folder, to),
  }));
  refuseTwice(maps);
  const spelled = maps.flatMap((map) =>
    spellingsOf(map.from).map((from): Spelled => ({ from, to: map.to, map })),
  );
  spelled.sort((a, b) => b.from.length - a.from.length);
  const inside = await sessionsIn(
    parts,
    spelled.map(({ from }) => from),
  );
  const names = maps.map(({ from }) => from).join(" or ");
  const wish = { to: maps[0]?.to ?? "", ...(editor !== undefined && { editor }) };
  const { movable, losses } = await findMovable(parts, names, inside, wish);
  const mapOf = new Map(
    movable.map(({ artifact, session }) => [artifact, mapFor(session.workspace, spelled)]),
  );
  const stays: string[] = [];
  const several = await planSeveral(
    movable.map(({ artifact }) => artifact),
    {
      ...parts,
      plan(artifact, progress) {
        const { from, to } = mapOf.get(artifact) ?? { from: "", to: "" };
        return parts.plan(artifact, { from, to, text, now }, progress);
      },
      // The others need not wait for one that has no place here.
      leavesOut(artifact, error) {
        if (!(error instanceof AppError) || !STAYS.has(error.code)) return false;
        stays.push(`${formatKey(artifact)}: ${error.message}`);
        return stays.length < movable.length;
      },
    },
  );
  const made = await movingOnly(several, parts);
  const planned = new Set(made.move.sessions?.map(formatKey));
  const moved = movable.filter(({ artifact }) => planned.has(formatKey(artifact)));
  const unused = maps.filter(
    (map) => !spelled.some((each) => each.map === map && inside.some((one) => isIn(one, each.from))),
  );
  return {
    ...made,
    losses: [
      ...made.losses,
      ...losses,
      ...stays,
      ...unused.map(({ from }) => `sessions of ${from}: there are none`),
    ],
    move: {
      ...made.move,
      ...(maps.length === 1 && maps[0] ? maps[0] : { from: "", to: "" }),
      folders: await foldersOf(parts, moved, spelled),
    },
  };
}

/** Why a session stays while others move. */
const STAYS: ReadonlySet<string> = new Set(["usage", "not-supported", "session-exists", "unreadable"]);

const mapFor = (workspace: string | undefined, maps: readonly Spelled[]): Spelled | undefined =>
  maps.find((map) => relocate(workspace ?? "", map) !== undefined);

async function foldersOf(
  { catalog }: MovingParts,
  moved: readonly Titled[],
  maps: readonly Spelled[],
): Promise<MovedFolder[]> {
  const folders: MovedFolder[] = [];
  for (const [from = "", own] of Map.groupBy(moved, ({ session }) => session.workspace)) {
    const map = mapFor(from, maps);
    const to = (map && relocate(from, map)) ?? "";
    const isHere = isAbsolute(to) && (await catalog.fs.exists(to));
    folders.push({ from, to, sessionCount: own.length, isHere });
  }
  return folders.sort((a, b) => (a.from < b.from ? -1 : 1));
}

/** All of a drive of Windows, which has a place of its own here: `/mnt/c`, for one. */
const driveOf = (path: string): string | undefined => /^([A-Za-z]:)[\\/]*$/.exec(path)?.[1];

/** Of two maps for one folder nobody can say which is meant. */
function refuseTwice(maps: readonly FolderMap[]): void {
  for (const [at, { from, to }] of maps.entries()) {
    const other = maps.slice(0, at).find((each) => isSameFolder(each.from, from) && each.to !== to);
    if (other)
      throw new AppError(
        "usage",
        `${from} cannot become both ${other.to} and ${to}`,
        "Leave out one of the two maps",
      );
  }
}

const isSameFolder = (one: string, other: string): boolean =>
  relocate(one, { from: other, to: "" }) === "" && relocate(other, { from: one, to: "" }) === "";

const WSL = /^[\\/]{2}wsl(?:\$|\.localhost)(?=[\\/])/i;

/** A network path with slashes, which would be one of this machine otherwise. */
const asDisk = (path: string): string => (WSL.test(path) ? path.replaceAll("/", "\\") : path);

/** Windows has two names for the disks of WSL, programs write both with either slash, and a plus in an address as a code. */
function spellingsOf(from: string): string[] {
  if (WSL.test(from)) {
    const both = ["wsl$", "wsl.localhost"].map((host) => from.replace(WSL, () => `\\\\${host}`));
    return both.flatMap((each) => [each, each.replaceAll("\\", "/")]);
  }
  if (!isRemote(from)) return [from];
  return [...new Set([from.replace(/%2b/i, "+"), from.replace("+", "%2B"), from.replace("+", "%2b")])];
}
