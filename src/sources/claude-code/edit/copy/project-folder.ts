/** The folder that a workspace's sessions lie in: it comes with the first of them, and goes again with the last. */
import { basename, dirname } from "node:path";
import type { PlaceStep, Planned, Step } from "../../../../model/plan.ts";
import { entryAt } from "../../../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { StepRules } from "../../../editor.ts";
import { joinPlaces } from "../../../files/joined-places.ts";
import { projectsFolder } from "../../locate.ts";
import { PRIVATE } from "./place.ts";

/** A folder that the program has never worked in comes, and goes again, with the session. */
export async function withProjectFolder(
  fs: SessionFs,
  steps: readonly Step[],
  folder: string,
  now: Date,
): Promise<readonly Step[]> {
  if (await entryAt(fs, folder)) return steps;
  const isInside = (step: Step): boolean => dirname(step.path) === folder;
  const entries = steps.filter(isInside).flatMap((step) => ("entries" in step ? step.entries : []));
  const project = { kind: "folder" as const, path: folder, mode: PRIVATE.folder, mtimeMs: now.getTime() };
  return [
    ...steps.filter((step) => !isInside(step)),
    { does: "place", path: folder, entries: [project, ...entries] },
  ];
}

export const stepRules: StepRules = {
  /** What is placed comes before what goes, so that no session is missing meanwhile. */
  join(steps) {
    const joined: Step[] = [];
    for (const step of steps) {
      const same = joined.findIndex((each) => each.does === "place" && each.path === step.path);
      const both = same < 0 ? undefined : joinPlaces(joined[same], step);
      if (both) joined[same] = both;
      else joined.push(step);
    }
    return joined;
  },
  /** The program may have put other sessions, and notes, beside ours: of such a folder only our entries go again. */
  async splitPlacedFolder(_fs, { path, entries, hideout }: PlaceStep) {
    const isProject = basename(dirname(path)) === basename(projectsFolder(""));
    if (!isProject || entries[0]?.kind !== "folder") return [];
    const near = hideout === undefined ? {} : { hideout };
    const inside = Map.groupBy(entries.slice(1), (entry) => topOf(entry, path));
    return [...inside].map(([top, own]): Step => ({ does: "place", path: top, entries: own, ...near }));
  },
};

/** The entry of the folder that something is, or lies in. */
function topOf({ path }: Planned, folder: string): string {
  let top = path;
  while (dirname(top) !== folder && dirname(top) !== top) top = dirname(top);
  return top;
}
