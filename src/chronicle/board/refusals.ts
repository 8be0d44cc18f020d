/** What the board refuses, and what to do about it. */
import type { BoardFault } from "../../model/board/faults.ts";
import {
  BOARD_LIMITS,
  type BoardItem,
  type BoardPlace,
  branchWords,
  placeWords,
} from "../../model/board/item.ts";
import { AppError } from "../../model/errors.ts";
import type { Advice } from "../../model/remedy.ts";
import type { BoardKey } from "../../store/state/board.ts";

export const toRefusal = ({ message, secrets, field }: BoardFault): AppError =>
  new AppError(
    secrets ? "secret-refused" : "usage",
    message,
    secrets ? "Take it out; say where it is kept instead" : hintFor(field),
  );

const hintFor = (field: BoardFault["field"]): string =>
  field === "name"
    ? `Use a short name such as build-command, of at most ${BOARD_LIMITS.name} characters`
    : field === "repository" || field === "branch"
      ? "Name it as git does"
      : `Use plain text of at most ${BOARD_LIMITS[field].toLocaleString("en")} characters`;

export const itemExists = (key: BoardKey): AppError =>
  new AppError("board-item-exists", `${placeWords(key)} already has an item named ${key.name}`, {
    say: "Change it",
    remedy: { action: "board", args: { action: "edit", name: key.name, ...placeArgs(key) } },
  });

export const boardFull = (repository: string, has: number, more: number): AppError =>
  new AppError(
    "board-full",
    more === 1
      ? `The board of ${repository} has ${has} items, and at most ${BOARD_LIMITS.items} are kept`
      : `The board of ${repository} has ${has} items, and at most ${BOARD_LIMITS.items} are kept, so ${more} more do not fit`,
    {
      say: "Remove items that nobody reads",
      remedy: { action: "board", args: { action: "prune", unread: true, repo: repository } },
    },
  );

export const notFound = (name: string, where: string, elsewhere: BoardItem | undefined): AppError =>
  new AppError(
    "board-item-not-found",
    `There is no item named ${name} on the board of ${where}`,
    seeItems(elsewhere),
  );

/** One of the same name may be on another branch, or in another repository. */
const seeItems = (elsewhere: BoardItem | undefined): Advice =>
  elsewhere
    ? {
        say: `There is one for ${placeWords(elsewhere)}`,
        remedy: {
          action: "board",
          args: { action: "get", name: elsewhere.name, ...placeArgs(elsewhere) },
        },
      }
    : { say: "See all items", remedy: { action: "board", args: { action: "list", all: true } } };

export const ambiguous = (name: string, [first, ...others]: readonly [BoardItem, ...BoardItem[]]): AppError =>
  new AppError(
    "board-item-ambiguous",
    `${first.repository} has several items named ${name}: ${[first, ...others].map(({ branch }) => branchWords(branch)).join(", ")}`,
    {
      say: "Name the branch",
      remedy: { action: "board", args: { action: "get", name, ...placeArgs(first) } },
    },
  );

export const keptElsewhere = ({ name, keptBy }: BoardItem): AppError =>
  new AppError("board-read-only", `${name} is kept by ${keptBy}, so it can only be read here`, {
    say: "To have one of your own in its place, change it",
    remedy: { action: "board", args: { action: "edit", name } },
  });

export const changedMeanwhile = (name: string): AppError =>
  new AppError("changed-since", `${name} was changed since you read it`, {
    say: "Read it again",
    remedy: { action: "board", args: { action: "get", name } },
  });

const placeArgs = ({ repository, branch }: BoardPlace) => ({ repo: repository, branch });
