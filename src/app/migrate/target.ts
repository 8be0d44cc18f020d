/** Where a migration goes: a place that is free, in as few renames as that takes. */
import { dirname, join } from "node:path";
import type { EditPlan, Entry, Planned, Step } from "../../model/plan.ts";
import { isAtOrBelow } from "../../model/values/paths.ts";
import { namesIn } from "../../platform/disk/own-files.ts";
import { lookAt } from "../../platform/disk/tree.ts";
import * as refuse from "./refusals.ts";

/** Paths of entries are relative to the target; that of a single file is empty. */
export async function toSteps(
  target: string,
  entries: readonly Planned[],
  kind: "file" | "folder",
  /** What it is a copy of: a folder that has to be made gets the same owner. */
  original?: Pick<Planned, "uid" | "gid">,
): Promise<Pick<EditPlan, "steps" | "hideout">> {
  const { there, names } = lookInto(target);
  const placed = entries.map((entry) => ({
    ...entry,
    path: entry.path === "" ? target : join(target, entry.path),
  }));
  const beside = join(dirname(target), ".rethread");
  if (!there) {
    const { uid, gid } = original ?? {};
    const owner = uid === undefined || gid === undefined ? {} : { uid, gid };
    const root: Planned = { kind: "folder", path: target, mode: 0o700, mtimeMs: latest(entries), ...owner };
    const all = kind === "file" ? placed : [root, ...placed];
    return { steps: [{ does: "place", path: target, entries: all }], hideout: beside };
  }
  if (kind === "file" || there.kind !== "folder") throw refuse.isThere(target);
  if (names.length > 0) throw refuse.notEmpty(target, names);
  // The existing folder is kept; each entry is put into it separately.
  const steps = placed
    .filter(({ path }) => dirname(path) === target)
    .map(
      ({ path }): Step => ({
        does: "place",
        path,
        entries: placed.filter((each) => isAtOrBelow(each.path, path)),
      }),
    );
  return { steps, hideout: join(target, ".rethread") };
}

function lookInto(target: string): { there: Entry | undefined; names: readonly string[] } {
  try {
    const there = lookAt(target);
    return { there, names: there?.kind === "folder" ? namesIn(target) : [] };
  } catch (error) {
    throw error instanceof Error && "code" in error ? refuse.noPlace(target, error) : error;
  }
}

const latest = (entries: readonly Planned[]): number =>
  entries.reduce((last, entry) => Math.max(last, entry.kind === "link" ? 0 : Math.floor(entry.mtimeMs)), 0);
