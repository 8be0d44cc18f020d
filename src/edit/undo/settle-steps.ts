/**
 * Settles each session of an interrupted write: restores the old state or, if the session was changed since, completes
 * the new one.
 */
import { dirname } from "node:path";
import type { Became, EditPlan, Planned, PlannedSession, Step } from "../../model/plan.ts";
import type { Disk } from "../../platform/disk/disk.ts";
import { isTakenUp, lookAt } from "../../platform/disk/tree.ts";
import { hashOf } from "../../platform/fs/file-hash.ts";
import { localFs } from "../../platform/fs/local.ts";
import type { SharedDatabase } from "../../sources/editor.ts";
import type { KeptFile } from "../../store/vault/kept-file.ts";
import { build } from "../apply/build.ts";
import { type Progress, progressOf } from "../apply/compare-entries.ts";
import type { Sources } from "../apply/content.ts";
import { restoreSet } from "../apply/set-step.ts";
import type { Stage } from "../apply/stage.ts";
import { isBetween, isTaken, takeStep } from "../apply/take-step.ts";
import { fromBackup } from "../backups/from-backup.ts";
import { type GroupOutcome, groupSteps, type NumberedStep } from "../plan/step-groups.ts";

export interface Settling {
  readonly backup: readonly KeptFile[];
  readonly stage: Stage;
  readonly disk: Disk;
  readonly sources: Sources;
  readonly database?: SharedDatabase;
  /** Throws while a program runs that would not notice that values of its database change. */
  readonly checkPrograms: () => Promise<void>;
  /** Throws while one of them is open in its program. */
  readonly checkClosed: (sessions: readonly PlannedSession[]) => Promise<void>;
}

type SettledPlan = Pick<EditPlan, "steps" | "basis" | "session" | "also">;
type TakenStep = NumberedStep & { readonly is: Progress };

/** Doing this again after a crash in the middle of it comes to the same. */
export async function settleSteps(plan: SettledPlan, settling: Settling): Promise<GroupOutcome[]> {
  const outcomes: GroupOutcome[] = [];
  for (const group of groupSteps(plan).toReversed())
    outcomes.unshift({ group, became: await settleGroup(group, plan, settling) });
  return outcomes;
}

async function settleGroup(
  { steps, sessions }: GroupOutcome["group"],
  { basis }: SettledPlan,
  settling: Settling,
): Promise<Became> {
  const { stage, backup, disk, database } = settling;
  const isOver = ({ step, number }: NumberedStep): boolean => isTaken(step, number, stage);
  const withProgress = async (which: readonly NumberedStep[]): Promise<TakenStep[]> => {
    const found: TakenStep[] = [];
    for (const { step, number } of which) {
      const is = isBetween(step, number, stage) ? "after" : await progressOf(localFs, step, basis, backup);
      found.push({ step, number, is });
    }
    return found;
  };
  const taken = await withProgress(steps.filter(isOver));
  const foreign = taken.filter(({ is }) => is === "foreign");
  if (foreign.length === 0) {
    await takeBack(taken, basis, settling);
    return "old";
  }
  // The result was continued since, and undoing it would lose that work, so the write is completed.
  const untaken = await withProgress(steps.filter((each) => !isOver(each)));
  const left = untaken.filter(({ step, is }) => !(step.does === "replace" && step.minor && is !== "before"));
  if (left.every(({ is }) => is === "before")) {
    if (left.some(({ step }) => step.does === "set")) await settling.checkPrograms();
    for (const { step, number } of left) takeStep(disk, step, number, stage, database);
    return "new";
  }
  for (const { step } of foreign) if ((await tailOf(step)) === undefined) return "mixed";
  await settling.checkClosed(sessions);
  await takeBack(taken, basis, settling);
  return "old";
}

async function takeBack(
  taken: readonly TakenStep[],
  basis: EditPlan["basis"],
  { backup, stage, disk, sources, checkPrograms }: Settling,
): Promise<void> {
  if (taken.some(({ step, is }) => step.does === "set" && is === "after")) await checkPrograms();
  for (const { step, number, is } of taken.toReversed()) {
    if (step.does === "set") {
      restoreSet(disk, step, is);
      continue;
    }
    if (is === "before") continue; // an earlier attempt got this far
    const tail = is === "foreign" ? await tailOf(step) : undefined;
    if (step.does === "place") disk.rename(step.path, stage.built(number));
    else if (isTakenUp(stage.taken(number)) && !tail) giveBack(step, number, stage, disk);
    else {
      const restored = freeName(`${stage.built(number)}-back`);
      const entries = fromBackup(step.path, basis, backup);
      await build(disk, tail ? entries.map((entry) => withTail(entry, tail)) : entries, restored, sources);
      clearPlace(step, restored, number, stage, disk);
      disk.rename(restored, step.path);
    }
    disk.sync(dirname(step.path));
  }
}

/** What waits in staging is the very thing that was there. */
function giveBack(step: Step, number: number, stage: Stage, disk: Disk): void {
  clearPlace(step, stage.taken(number), number, stage, disk);
  disk.rename(stage.taken(number), step.path);
}

/** A folder takes the place of nothing, and nothing takes its place: what was put there goes where it was built. */
function clearPlace(step: Step, back: string, number: number, stage: Stage, disk: Disk): void {
  if (!isTakenUp(step.path)) return;
  if ([step.path, back].some((path) => lookAt(path)?.kind === "folder"))
    disk.rename(step.path, stage.built(number));
}

interface Tail {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** What was appended to a file since we wrote it; nothing where it was changed in another way. */
async function tailOf(step: Step): Promise<Tail | undefined> {
  if (step.does !== "replace") return undefined;
  const [entry, more] = step.entries;
  const found = lookAt(step.path);
  if (entry?.kind !== "file" || more || found?.kind !== "file" || found.size <= entry.size) return undefined;
  if (entry.sha256 === undefined || (await hashOf(localFs, step.path, entry.size)) !== entry.sha256)
    return undefined;
  return { file: step.path, start: entry.size, end: found.size };
}

const withTail = (entry: Planned, tail: Tail): Planned =>
  entry.kind === "file"
    ? { ...entry, size: entry.size + tail.end - tail.start, pieces: [...(entry.pieces ?? []), tail] }
    : entry;

/** A restoring that was interrupted may have left something under the first name. */
function freeName(path: string): string {
  let free = path;
  for (let number = 2; isTakenUp(free); number++) free = `${path}-${number}`;
  return free;
}
