/** Names the folders of other machines that sessions are about: one line for each place that a map can lead here. */
import type { Problem } from "../model/problem.ts";
import type { Session } from "../model/session/session.ts";
import { toShell } from "../model/text/shell-words.ts";
import { isOfOtherSystem, type OwnTops } from "../model/values/elsewhere.ts";
import { foldPath, isRootPath, segmentsOf, splitLast } from "../model/values/paths.ts";

export function foldersElsewhere(
  sessions: readonly Session[],
  own: OwnTops,
  canMove: (source: string) => boolean,
): Problem[] {
  const foreign = sessions.filter(
    ({ source, workspace, vanishedAt }) =>
      workspace !== undefined &&
      vanishedAt === undefined &&
      canMove(source) &&
      isOfOtherSystem(workspace, own),
  );
  // A map moves the sessions of all programs.
  const groups = Map.groupBy(foreign, ({ workspace = "" }) => topOf(workspace));
  return [...groups.values()].flatMap((group): Problem[] => {
    const [first] = group;
    if (!first) return [];
    const folder = group
      .map(({ workspace = "" }) => workspace)
      .sort()
      .reduce((around, each) => around && commonFolder(around, each));
    if (!folder || isRootPath(folder)) return [];
    const count = group.length;
    const belong = count === 1 ? "a session belongs" : `${count} sessions belong`;
    const below = group.every(({ workspace }) => workspace === folder) ? "" : " or folders below it";
    return [
      {
        code: "workspace-elsewhere",
        source: first.source,
        path: folder,
        message: `${belong} to ${folder}${below}, on another machine or system`,
        remedy: { action: "move", asks: { map: toShell([`${folder}=<folder here>`]) } },
      },
    ];
  });
}

/** The drive, share or first folder, and the one below it. */
function topOf(folder: string): string {
  const parts = segmentsOf(foldPath(folder));
  return parts.slice(0, parts.findIndex((part) => part !== "") + 2).join("/");
}

function commonFolder(a: string, b: string): string {
  let folder = a;
  while (folder !== "" && !isWithin(b, folder)) folder = splitLast(folder)?.folder ?? "";
  return folder;
}

const isWithin = (path: string, folder: string): boolean =>
  `${foldPath(path)}/`.startsWith(`${foldPath(folder)}/`);
