/** Finds a write by its name, and checks whether it can still be undone. */
import { AppError } from "../../model/errors.ts";
import type { Advice } from "../../model/remedy.ts";
import { bestOf, rankStart } from "../../model/values/id.ts";
import type { JournalEntry } from "../../store/state/journal.ts";

const HINT: Advice = { say: "See all writes", remedy: { action: "history" } };

/** By any unique start of its name. */
export function findWrite(entries: readonly JournalEntry[], name: string): JournalEntry {
  const [found, other] = bestOf(entries, ({ operation }) => rankStart(name, operation));
  if (found && !other) return found;
  throw new AppError(
    "operation-not-found",
    `${other ? "Several writes match" : "No write matches"} "${name}"`,
    HINT,
  );
}

/** One whose backup is still there; the last one that was not undone yet, when none is named. */
export function findKept(entries: readonly JournalEntry[], name?: string): JournalEntry {
  const found =
    name === undefined
      ? entries.find(({ state, plan }) => state === "committed" && plan.kind !== "undo")
      : findWrite(entries, name);
  if (!found) throw new AppError("operation-not-found", "There is no write to undo", HINT);
  refuseReleased(found);
  return found;
}

/** The last one that was not undone yet, when none is named. An undo can be undone, too. */
export function findUndoable(entries: readonly JournalEntry[], name?: string): JournalEntry {
  const found = findKept(entries, name);
  if (found.state === "committed") return found;
  const undone = entries.find(({ plan, state }) => plan.undoes === found.operation && state === "committed");
  throw new AppError(
    "not-undoable",
    undone
      ? `Operation ${found.operation} was already undone by ${undone.operation}`
      : `Operation ${found.operation} failed and was undone at once`,
    undone
      ? { say: "To redo it, undo that", remedy: { action: "undo", args: { operation: undone.operation } } }
      : HINT,
  );
}

export function refuseReleased({ operation, releasedAt }: JournalEntry): void {
  if (releasedAt === undefined) return;
  throw new AppError(
    "not-undoable",
    `The backup of operation ${operation} was removed on ${releasedAt.slice(0, 10)}, so it can no longer be undone`,
    {
      say: "See which writes can be undone",
      remedy: { action: "history" },
      after: ". config.json sets how long backups are kept (backupDays, backupBytes)",
    },
  );
}
