/** The plan that takes a write back: each step turned around, the last one first. */
import { AppError } from "../model/errors.ts";
import { type Basis, type EditPlan, type SetStep, type Step, sessionsOf } from "../model/plan.ts";
import { newCopy } from "../platform/database-copies.ts";
import { readTree } from "../platform/tree.ts";
import type { Editor } from "../sources/editor.ts";
import type { KeptFile } from "../store/kept-file.ts";
import type { JournalEntry } from "../store/state/journal.ts";
import { isCell, readCells } from "./cells.ts";
import { entriesBelow, progressOf } from "./compare-entries.ts";
import { fromBackup } from "./restore.ts";

interface Turned {
  readonly step: Step;
  readonly basis: readonly Basis[];
}

export function planUndo(
  { operation, plan }: JournalEntry,
  backup: readonly KeptFile[],
  now: Date,
  takeApart: Editor["takeApart"] = () => [],
): EditPlan {
  const turn = (step: Step): Turned[] => {
    if (step.does === "set") {
      const back = turnSet(step, now);
      if (!back) throw changedSince(operation, plan, step.path);
      return back.cells.length === 0 ? [] : [{ step: back, basis: [] }];
    }
    const is = progressOf(step, plan.basis);
    if (is !== "after" && step.does === "replace" && step.minor) return [];
    if (is === "after") return [turnAround(step, plan.basis, backup)];
    const smaller = step.does === "place" ? takeApart(step, now) : [];
    if (smaller.length === 0) throw changedSince(operation, plan, step.path);
    return smaller.toReversed().flatMap(turn);
  };
  const parts = plan.steps.toReversed().flatMap(turn);
  const { title, from, hideout } = plan;
  return {
    kind: "undo",
    undoes: operation,
    ...(plan.kind !== "undo" && { undoneKind: plan.kind }),
    title,
    from,
    hideout,
    session: plan.session,
    ...(plan.also && { also: plan.also.map(({ expected: _, ...session }) => session) }),
    closed: sessionsOf(plan),
    basis: parts.flatMap(({ basis }) => basis),
    steps: parts.map(({ step }) => step),
    losses: [],
  };
}

/**
 * Only our own values go back, whatever else the program has written since. Nothing when it has changed one of them;
 * one that we added goes as it is now, as the program adds what it notes of its own.
 */
function turnSet(step: SetStep, now: Date): SetStep | undefined {
  const found = readCells(step);
  const turned = step.cells.map((cell, i) => {
    const current = found[i];
    if (current === undefined) return undefined;
    if (isCell(cell, current, cell.before)) return "undone";
    const isOurs = cell.before === null || isCell(cell, current, cell.after);
    return isOurs ? { ...cell, before: current, after: cell.before } : undefined;
  });
  if (turned.includes(undefined)) return undefined;
  const cells = turned.filter((cell) => cell !== undefined && cell !== "undone").toReversed();
  return { ...step, cells, copy: newCopy(step.path, now) };
}

/** What is there now is as the write left it; that must still be so when the undoing begins. */
function turnAround(
  step: Exclude<Step, SetStep>,
  basis: readonly Basis[],
  backup: readonly KeptFile[],
): Turned {
  const { path } = step;
  const { hideout, as } = step;
  const near = { ...(hideout !== undefined && { hideout }), ...(as !== undefined && { as }) };
  const now = readTree(path).map((entry) => ({ entry }));
  if (step.does === "place") return { step: { does: "remove", path, ...near }, basis: now };
  const entries = fromBackup(path, basis, backup);
  if (step.does === "remove") return { step: { does: "place", path, entries, ...near }, basis: [] };
  return {
    step: { does: "replace", path, entries, ...near },
    basis: entriesBelow(path, now).map((entry) => ({ entry })),
  };
}

function changedSince(operation: string, { kind, session }: EditPlan, path: string): AppError {
  return new AppError(
    "changed-since",
    `${path} was changed since operation ${operation} (${kind}), and undoing that would lose the change`,
    kind === "clone" || kind === "fork" || kind === "import"
      ? `It can be taken away all the same, with a backup: rethread delete ${session.source}:${session.id}`
      : `If that was rethread, undo it first (see rethread history); else read what is there now: rethread show ${session.source}:${session.id}`,
  );
}
