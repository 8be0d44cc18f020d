/** The context board: our own items and those that other programs keep, and every change of ours. */
import { describeContent, findBoardFaults, toBoardText } from "../../model/board/faults.ts";
import {
  BOARD_LIMITS,
  type BoardItem,
  type BoardPlace,
  type BoardSource,
  type BoardText,
  compareItems,
  isOwn,
  isSameRepository,
  OWN_KEEPER,
} from "../../model/board/item.ts";
import { isNamedLike } from "../../model/board/name.ts";
import { AppError } from "../../model/errors.ts";
import {
  type BoardChange,
  type BoardKey,
  type BoardRow,
  changeBoard,
  countBoardUse,
  readBoard,
} from "../../store/state/board.ts";
import { type BoardScope, findItem, isInScope, type Wanted } from "./find-item.ts";
import { boardFull, changedMeanwhile, itemExists, keptElsewhere, toRefusal } from "./refusals.ts";
import { undoChange } from "./undo.ts";

export interface BoardParts {
  /** Our data folder. */
  readonly folder: string;
  readonly now: () => Date;
  /** What other programs keep. */
  readonly vendorItems: readonly BoardItem[];
}

export interface BoardWrite {
  /** Missing where it was only said what would be written. */
  readonly operation?: string;
  readonly item: BoardItem;
}

export interface ItemChange {
  readonly description?: string;
  readonly content?: string;
  readonly source?: BoardSource;
  /** When the caller's copy of the item was last changed: it must still be that one. */
  readonly updatedAt?: string;
}

export interface PruneRequest extends BoardScope {
  /** All of these must hold: the name is like this, it was never read, it was not changed since. */
  readonly name?: string;
  readonly unread?: boolean;
  readonly before?: Date;
  /** Exactly these, instead. */
  readonly items?: readonly (BoardKey & { readonly updatedAt?: string })[];
  /** Only say what would be removed. */
  readonly dryRun?: boolean;
}

export interface Pruned {
  /** Missing where nothing was removed. */
  readonly operation?: string;
  readonly removed: readonly BoardItem[];
  /** What matches, too, and is not ours to remove. */
  readonly readOnly: readonly BoardItem[];
}

export interface Board {
  /** Of one board, or all of them. */
  items(scope?: BoardScope): BoardItem[];
  find(wanted: Wanted): BoardItem;
  /** Counts that its content was read; items of others have counts of their own. */
  countRead(item: BoardItem): BoardItem;
  /** Counts that all of these were handed out together. */
  countUse(items: readonly BoardItem[]): BoardItem[];
  add(
    place: BoardPlace,
    text: Partial<BoardText> & { readonly name: string },
    source: BoardSource,
    how?: { readonly dryRun?: boolean | undefined },
  ): BoardWrite;
  /** An item of another program becomes one of ours by it. */
  edit(wanted: Wanted, change: ItemChange): BoardWrite;
  prune(request: PruneRequest): Pruned;
  /** Of the last change that was not undone, when none is named. */
  undo(operation?: string): BoardChange;
}

export function openBoard({ folder, now, vendorItems }: BoardParts): Board {
  const items = (scope: BoardScope = {}): BoardItem[] =>
    merge(readBoard(folder, now), vendorItems).filter((item) => isInScope(item, scope));
  const time = (): string => now().toISOString();
  /** Nothing to write is for the caller to say. */
  const change = (decide: Parameters<typeof changeBoard>[2]): BoardChange | undefined =>
    changeBoard(folder, now, decide);
  return {
    items,
    find: (wanted) => findItem(items(), wanted),
    countRead(item) {
      if (!isOwn(item)) return item;
      countBoardUse(folder, now, [item], "read");
      return { ...item, readCount: item.readCount + 1 };
    },
    countUse(all) {
      countBoardUse(folder, now, all.filter(isOwn), "use");
      return all.map((item) => (isOwn(item) ? { ...item, useCount: item.useCount + 1 } : item));
    },
    add(place, given, source, { dryRun = false } = {}) {
      const { name, content = "", description = "" } = given;
      const text = toBoardText({ name, content, description });
      refuseFaults({ ...place, ...text });
      let planned: BoardRow | undefined;
      const written = change(({ rows }) => {
        const there = rows.filter((row) => row.removedAt === undefined);
        const key = { ...place, name: text.name };
        if (there.some((row) => isSameKey(row, key))) throw itemExists(key);
        refuseFull(rows, place.repository, 1);
        const at = time();
        const spelt = { ...place, repository: spellingIn(rows, place.repository) };
        const described = { ...text, description: text.description || describeContent(text.content) };
        const row = { ...NEW, ...spelt, ...described, source, createdAt: at, updatedAt: at };
        planned = row;
        return dryRun ? undefined : { kind: "add", put: [row] };
      });
      return dryRun && planned ? { item: toItem(planned) } : toWrite(written);
    },
    edit(wanted, { updatedAt, description, content, source = "user" }) {
      const found = findItem(items(), wanted);
      if (isOwn(found) && description === undefined && content === undefined)
        throw new AppError(
          "usage",
          `Nothing of ${found.name} was to be changed`,
          "Give a new content or a new description",
        );
      const written = change(({ rows }) => {
        const own = rows.find((row) => isSameKey(row, found) && row.removedAt === undefined);
        const before = own ? toItem(own) : found;
        if (isOwn(found) && !own) throw changedMeanwhile(found.name);
        if (updatedAt !== undefined && before.updatedAt !== updatedAt) throw changedMeanwhile(found.name);
        // A description that was taken from the content follows it.
        const isTaken = before.description === describeContent(before.content);
        const text = toBoardText({
          name: before.name,
          content: content ?? before.content,
          description:
            description ?? (isTaken ? describeContent(content ?? before.content) : before.description),
        });
        // The name stays as it is: another program may allow others than we do.
        refuseFaults({ description: text.description, content: text.content });
        const at = time();
        if (!own) refuseFull(rows, found.repository, 1);
        const row = own ?? { ...NEW, repository: found.repository, branch: found.branch, createdAt: at };
        return { kind: "edit", put: [{ ...row, ...text, name: before.name, source, updatedAt: at }] };
      });
      return toWrite(written);
    },
    prune(request) {
      const matching = (all: readonly BoardItem[]): BoardItem[] => all.filter(criteriaOf(request, all));
      const found = matching(items(request.items ? {} : request));
      const readOnly = found.filter((item) => !isOwn(item));
      if (request.items && readOnly[0]) throw keptElsewhere(readOnly[0]);
      if (request.dryRun) return { removed: found.filter(isOwn), readOnly };
      const written = change(({ rows }) => {
        const there = rows.filter((row) => row.removedAt === undefined);
        const own = there.map(toItem).filter((item) => request.items || isInScope(item, request));
        const removed = matching(own);
        const at = time();
        const put = there
          .filter((row) => removed.some((item) => isSameKey(item, row)))
          .map((row) => ({ ...row, description: "", content: "", evidence: [], removedAt: at }));
        return put.length === 0 ? undefined : { kind: "prune", put };
      });
      const removed = (written?.items ?? []).flatMap(({ before }) => (before ? [toItem(before)] : []));
      return { ...(written && { operation: written.operation }), removed, readOnly };
    },
    undo: (operation) => {
      const undone = change((view) => undoChange(view, operation));
      if (!undone) throw new Error("an undo always writes");
      return undone;
    },
  };
}

/** Which items a request means; an item that was named must be there, as the caller knew it. */
function criteriaOf(request: PruneRequest, all: readonly BoardItem[]): (item: BoardItem) => boolean {
  const { items: named, name, unread, before } = request;
  if (!named) {
    if (name === undefined && !unread && before === undefined)
      throw new AppError(
        "usage",
        "Nothing says which items are to be removed",
        "Name one, or use --unread or --older-than 90d",
      );
    const until = before?.toISOString();
    return (item) =>
      (name === undefined || isNamedLike(item.name, name)) &&
      (!unread || item.readCount === 0) &&
      (until === undefined || (item.updatedAt !== undefined && item.updatedAt < until));
  }
  const wanted = named.map((key) => {
    const found = findItem(all, key);
    if (key.updatedAt !== undefined && found.updatedAt !== key.updatedAt) throw changedMeanwhile(key.name);
    return found;
  });
  return (item) => wanted.includes(item);
}

const NEW = { readCount: 0, useCount: 0, evidence: [], facts: [] } as const;

/** An item of ours takes the place of one that another program keeps under the same name. */
function merge(rows: readonly BoardRow[], vendorItems: readonly BoardItem[]): BoardItem[] {
  const own = rows.map(toItem);
  const others = vendorItems.filter((item) => !own.some((mine) => isSameKey(mine, item)));
  return [...own, ...others].sort(compareItems);
}

export const isSameKey = (a: BoardKey, b: BoardKey): boolean =>
  a.name === b.name && a.branch === b.branch && isSameRepository(a.repository, b.repository);

export const toItem = ({ facts: _, removedAt: __, ...row }: BoardRow): BoardItem => ({
  ...row,
  keptBy: OWN_KEEPER,
});

/** A repository is called as it was called first. */
export const spellingIn = (rows: readonly BoardRow[], repository: string): string =>
  rows.find((row) => isSameRepository(row.repository, repository))?.repository ?? repository;

function refuseFaults(text: Partial<BoardText & BoardPlace>): void {
  const [fault] = findBoardFaults(text);
  if (fault) throw toRefusal(fault);
}

export function refuseFull(rows: readonly BoardRow[], repository: string, more: number): void {
  const has = rows.filter(
    (row) => row.removedAt === undefined && isSameRepository(row.repository, repository),
  ).length;
  if (has + more > BOARD_LIMITS.items) throw boardFull(repository, has, more);
}

function toWrite(change: BoardChange | undefined): BoardWrite {
  const row = change?.items[0]?.after;
  if (!change || !row) throw new Error("an item that was written is in its change");
  return { operation: change.operation, item: toItem(row) };
}
