/** Turns the placing of a session that is here already into replacing those of its files that differ. */
import type { Basis, Planned, Step } from "../../model/plan.ts";
import { isAtOrBelow } from "../../model/values/paths.ts";
import { lookThrough } from "../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";

export interface InPlace {
  readonly steps: readonly Step[];
  /** The files that change, as they were when the plan was made. */
  readonly basis: readonly Basis[];
}

/** `former` are the session's files so far: those that lie where it is placed, and are no part of it any more, go. */
export async function placeOver(
  fs: SessionFs,
  steps: readonly Step[],
  former: readonly string[],
  isSame: (entry: Planned) => Promise<boolean>,
): Promise<InPlace> {
  const changed: Step[] = [];
  for (const step of steps)
    if (step.does === "place" && (await fs.exists(step.path)))
      changed.push(...(await overEntries(fs, step, isSame)), ...gone(step, former));
    else changed.push(step);
  const basis: Basis[] = [];
  for (const { does, path } of changed) {
    const entry = does === "replace" || does === "remove" ? await lookThrough(fs, path) : undefined;
    if (entry) basis.push({ entry });
  }
  return { steps: changed, basis };
}

type Placing = Extract<Step, { does: "place" }>;

async function overEntries(
  fs: SessionFs,
  { entries, ...step }: Placing,
  isSame: (entry: Planned) => Promise<boolean>,
): Promise<Step[]> {
  const own = step.sessions ? { sessions: step.sessions } : {};
  const steps: Step[] = [];
  /** A folder that is missing comes with all that is in it. */
  let folder: { readonly path: string; readonly entries: Planned[] } | undefined;
  for (const entry of entries) {
    if (folder && isAtOrBelow(entry.path, folder.path)) {
      folder.entries.push(entry);
      continue;
    }
    const isThere = await fs.exists(entry.path);
    if (entry.kind === "folder") {
      if (isThere) continue;
      folder = { path: entry.path, entries: [entry] };
      steps.push({ does: "place", ...folder, ...own });
    } else if (!isThere) steps.push({ does: "place", path: entry.path, entries: [entry], ...own });
    else if (!(await isSame(entry)))
      steps.push({ does: "replace", path: entry.path, entries: [entry], ...own });
  }
  return steps;
}

function gone({ path, entries }: Placing, former: readonly string[]): Step[] {
  const kept = new Set(entries.map((entry) => entry.path));
  return former
    .filter((file) => file !== path && isAtOrBelow(file, path) && !kept.has(file))
    .map((file) => ({ does: "remove", path: file }));
}
