/** Plans the undo of a write: each step reversed, last step first. */
import { AppError } from "../../model/errors.ts";
import {
  type Basis,
  type EditPlan,
  isOfSettings,
  nounOf,
  type PlaceStep,
  type SetStep,
  type Step,
  sessionsOf,
} from "../../model/plan.ts";
import { shellLine } from "../../model/text/shell-words.ts";
import { readTree } from "../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { newCopy } from "../../platform/sqlite/copy-name.ts";
import type { JournalEntry } from "../../store/state/journal.ts";
import type { KeptFile } from "../../store/vault/kept-file.ts";
import { isCell, readCells, turnCell } from "../apply/cells.ts";
import { progressOf } from "../apply/compare-entries.ts";
import { fromBackup } from "../backups/from-backup.ts";

export type SplitPlacedFolder = (fs: SessionFs, step: PlaceStep, now: Date) => Promise<readonly Step[]>;

interface Turned {
  readonly step: Step;
  readonly basis: readonly Basis[];
  /** What is there in the place of what was taken away. */
  readonly setAside?: string;
}

export async function planUndo(
  fs: SessionFs,
  entry: JournalEntry,
  backup: readonly KeptFile[],
  now: Date,
  splitPlacedFolder: SplitPlacedFolder = async () => [],
): Promise<EditPlan> {
  const { operation, plan } = entry;
  const turn = async (step: Step): Promise<Turned[]> => {
    if (step.does === "set") {
      const back = await turnSet(fs, step, now);
      if (!back) throw changedSince(entry, backup, step.path);
      return back.cells.length === 0 ? [] : [{ step: back, basis: [] }];
    }
    const is = await progressOf(fs, step, plan.basis, backup);
    if (is === "before") return []; // somebody has done it already
    if (is !== "after" && step.does === "replace" && step.minor) return [];
    if (is === "after" || step.does === "remove") return [await turnAround(fs, step, plan.basis, backup)];
    const smaller = step.does === "place" ? await splitPlacedFolder(fs, step, now) : [];
    if (smaller.length === 0) throw changedSince(entry, backup, step.path);
    return turnAll(smaller);
  };
  const turnAll = async (steps: readonly Step[]): Promise<Turned[]> => {
    const turned: Turned[] = [];
    for (const step of steps.toReversed()) turned.push(...(await turn(step)));
    return turned;
  };
  const parts = await turnAll(plan.steps);
  const { title, from, hideout } = plan;
  return {
    kind: "undo",
    undoes: operation,
    undoneKind: plan.kind,
    title,
    from,
    hideout,
    session: plan.session,
    ...(plan.also && { also: plan.also.map(({ expected: _, ...session }) => session) }),
    closed: isOfSettings(plan) ? [] : sessionsOf(plan),
    basis: parts.flatMap(({ basis }) => basis),
    steps: parts.map(({ step }) => step),
    losses: parts.flatMap(({ setAside }) =>
      setAside === undefined
        ? []
        : [`what was put at ${setAside} since then; it is kept, and undoing this operation restores it`],
    ),
  };
}

/**
 * Only our own values go back, whatever else the program has written since. Nothing when it has changed one of them;
 * one that we added goes as it is now, as the program adds what it notes of its own, and one that we removed takes the
 * place of what the program has put there.
 */
async function turnSet(fs: SessionFs, step: SetStep, now: Date): Promise<SetStep | undefined> {
  const found = readCells(step);
  const turned = step.cells.map((cell, i) => {
    const current = found[i];
    if (current === undefined) return undefined;
    if (isCell(cell, current, "before")) return "undone";
    if (current instanceof Uint8Array)
      return isCell(cell, current, "after") ? turnCell(cell, cell.after, true) : undefined;
    const isOurs = cell.before === null || cell.after === null || isCell(cell, current, "after");
    return isOurs ? turnCell(cell, current) : undefined;
  });
  if (turned.includes(undefined)) return undefined;
  const cells = turned.filter((cell) => cell !== undefined && cell !== "undone").toReversed();
  return { ...step, cells, copy: await newCopy(fs, step.path, now) };
}

/**
 * What is there now is as the write left it; that must still be so when the undoing begins. Where something was taken
 * away, its program may have put something else there since: that goes into the backup of the undo.
 */
async function turnAround(
  fs: SessionFs,
  step: Exclude<Step, SetStep>,
  basis: readonly Basis[],
  backup: readonly KeptFile[],
): Promise<Turned> {
  const { path, hideout, as, sessions } = step;
  const same = {
    ...(hideout !== undefined && { hideout }),
    ...(as !== undefined && { as }),
    ...(sessions && { sessions }),
  };
  const now = (await readTree(fs, path)).map((entry) => ({ entry }));
  if (step.does === "place") return { step: { does: "remove", path, ...same }, basis: now };
  const entries = fromBackup(path, basis, backup);
  if (now.length === 0) return { step: { does: "place", path, entries, ...same }, basis: [] };
  return {
    step: { does: "replace", path, entries, ...same },
    basis: now,
    ...(step.does === "remove" && { setAside: path }),
  };
}

function changedSince(
  { operation, plan: { kind, session, ...plan } }: JournalEntry,
  backup: readonly KeptFile[],
  path: string,
): AppError {
  return new AppError(
    "changed-since",
    `${path} was changed since operation ${operation} (${nounOf(kind)}); undoing that would lose the change`,
    isOfSettings({ kind, ...plan })
      ? `To remove only the server: ${shellLine`rethread mcp uninstall ${session.source}`}`
      : session.source === ""
        ? "Edit the file by hand"
        : backup.length === 0
          ? {
              say: "You can still delete it, with a backup",
              remedy: { action: "delete", session: `${session.source}:${session.id}` },
            }
          : {
              say: "Get the earlier state as a new session",
              remedy: { action: "undo", args: { operation, asCopy: true } },
            },
  );
}
