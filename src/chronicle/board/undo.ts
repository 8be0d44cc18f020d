/** Takes a change of the board back: every item is again what it was before, unless it was changed since. */
import { AppError } from "../../model/errors.ts";
import type { Advice } from "../../model/remedy.ts";
import { bestOf, rankStart } from "../../model/values/id.ts";
import type {
  BoardChange,
  BoardDecision,
  BoardRow,
  BoardView,
  ChangedItem,
} from "../../store/state/board.ts";

const HINT: Advice = { say: "See all changes", remedy: { action: "history" } };

export function undoChange({ rows, changes }: BoardView, name?: string): BoardDecision {
  const undoes = findChange(changes(), name);
  const now = (item: ChangedItem): BoardRow | undefined => {
    const { repository, branch, name: itemName } = item.after ?? item.before ?? NOWHERE;
    return rows.find(
      (row) =>
        row.name === itemName &&
        row.branch === branch &&
        row.repository.toLowerCase() === repository.toLowerCase(),
    );
  };
  for (const item of undoes.items)
    if (textOf(now(item)) !== textOf(item.after)) throw changedSince(undoes, item);
  const put = undoes.items.flatMap((item) => {
    const { readCount = 0, useCount = 0 } = now(item) ?? {};
    // What was counted meanwhile stays counted.
    return item.before
      ? [
          {
            ...item.before,
            readCount: Math.max(readCount, item.before.readCount),
            useCount: Math.max(useCount, item.before.useCount),
          },
        ]
      : [];
  });
  const remove = undoes.items.flatMap(({ before, after }) => (before || !after ? [] : [after]));
  return { kind: "undo", put, remove, undoes };
}

const NOWHERE = { repository: "", branch: "", name: "" };

/** All that a person wrote. What was removed says nothing, as what was never there. */
const textOf = (row: BoardRow | undefined): string =>
  row && row.removedAt === undefined ? JSON.stringify([row.description, row.content, row.source]) : "";

/** By any unique start of its name; the last that was not undone, when none is named. An undo can be undone, too. */
function findChange(changes: readonly BoardChange[], name: string | undefined): BoardChange {
  const [found, other] =
    name === undefined
      ? changes.filter(({ kind, undoneBy }) => kind !== "undo" && undoneBy === undefined).slice(0, 1)
      : bestOf(changes, ({ operation }) => rankStart(name, operation));
  if (!found || other)
    throw new AppError(
      "operation-not-found",
      name === undefined
        ? "There is no change of the board to undo"
        : `${other ? "Several changes match" : "No change of the board matches"} "${name}"`,
      HINT,
    );
  if (found.undoneBy === undefined) return found;
  throw new AppError("not-undoable", `${found.operation} was already undone by ${found.undoneBy}`, {
    say: "To redo it, undo that",
    remedy: { action: "undo", args: { operation: found.undoneBy } },
  });
}

const changedSince = ({ operation }: BoardChange, { before, after }: ChangedItem): AppError =>
  new AppError(
    "changed-since",
    `${(after ?? before ?? NOWHERE).name} was changed since ${operation}; undoing that would lose the change`,
    { say: "Undo the later change first", remedy: { action: "history" } },
  );
