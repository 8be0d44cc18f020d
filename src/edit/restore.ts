/** Takes back what was done of a write: exactly what was there before is there again. */
import { dirname } from "node:path";
import type { Basis, EditPlan, Planned, Step } from "../model/plan.ts";
import type { Disk } from "../platform/disk.ts";
import { isThere } from "../platform/own-files.ts";
import type { KeptFile } from "../store/kept-file.ts";
import { build } from "./build.ts";
import { entriesBelow, progressOf } from "./compare-entries.ts";
import type { Sources } from "./content.ts";
import { restoreSet } from "./set-step.ts";
import type { Stage } from "./stage.ts";

export interface Restoring {
  readonly backup: readonly KeptFile[];
  readonly stage: Stage;
  readonly disk: Disk;
  readonly sources: Sources;
  /** Throws while a program runs that would not notice that values of its database are put back. */
  readonly checkPrograms: () => Promise<void>;
}

/** False when somebody else was there since: then nothing is touched, as it would cost what they did. */
export async function restore(
  { steps, basis }: Pick<EditPlan, "steps" | "basis">,
  { backup, stage, disk, sources, checkPrograms }: Restoring,
): Promise<boolean> {
  const taken = steps
    .map((step, number) => ({ step, number }))
    .filter(({ step, number }) => isTaken(step, number, stage))
    .map((each) => ({ ...each, is: progressOf(each.step, basis, "other-files") }));
  if (taken.some(({ is }) => is === "foreign")) return false;
  if (taken.some(({ step, is }) => step.does === "set" && is === "after")) await checkPrograms();
  for (const { step, number, is } of taken.toReversed()) {
    if (step.does === "set") {
      restoreSet(disk, step, is);
      continue;
    }
    if (is === "before") continue; // an earlier attempt got this far
    if (step.does === "place") disk.rename(step.path, stage.built(number));
    else if (isThere(stage.taken(number))) disk.rename(stage.taken(number), step.path);
    else {
      const restored = freeName(`${stage.built(number)}-back`);
      await build(disk, fromBackup(step.path, basis, backup), restored, sources);
      disk.rename(restored, step.path);
    }
    disk.sync(dirname(step.path));
  }
  return true;
}

/** What a step puts in its place is no longer where it was built; what it takes away is where it waits. */
const isTaken = (step: Step, number: number, stage: Stage): boolean =>
  step.does === "remove"
    ? !isThere(step.path) || isThere(stage.taken(number))
    : !isThere(stage.built(number)); // of a database: the copy, which takes its place first

/** What was at a path before, as something that can be written: folders and links as they were seen, files from the vault. */
export function fromBackup(path: string, basis: readonly Basis[], backup: readonly KeptFile[]): Planned[] {
  const kept = new Map(backup.map((file) => [file.path, file]));
  return entriesBelow(path, basis).map((entry) => {
    if (entry.kind !== "file") return entry;
    const file = kept.get(entry.path);
    if (!file) throw new Error(`no backup of ${entry.path}`);
    const { ino: _, ...recorded } = entry;
    const { mode, mtimeMs, size } = file;
    return { ...recorded, mode, mtimeMs, size, pieces: [{ blocks: file.blocks, size }] };
  });
}

/** A restoring that was interrupted may have left something under the first name. */
function freeName(path: string): string {
  let free = path;
  for (let number = 2; isThere(free); number++) free = `${path}-${number}`;
  return free;
}
