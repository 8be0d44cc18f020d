/** The context board: short texts that are worth knowing about a repository and one of its branches. */
import type { SessionKey } from "../values/id.ts";

/** Whose board an item is on. */
export interface BoardPlace {
  /** As decision 0026 names it; the path of a work tree that has no remote. */
  readonly repository: string;
  readonly branch: string;
}

/** Stands in the place of a branch for what holds on all of them; no branch can be called that. */
export const EVERY_BRANCH = "*";

/** The texts of an item, which people write. */
export interface BoardText {
  readonly name: string;
  /** One line for the list. */
  readonly description: string;
  /** Markdown. */
  readonly content: string;
}

/** Where a statement was made. */
export interface BoardEvidence {
  readonly session: SessionKey & { readonly title: string };
  /** Missing where it is about the session as a whole. */
  readonly turn?: number;
}

export interface BoardItem extends BoardPlace, BoardText {
  /** Who wrote it: `user`, `agent`, or `sessions` for what was made from them. Copilot CLI may have further words. */
  readonly source: string;
  /** `rethread`, or the source whose own program keeps it: such an item is only read. */
  readonly keptBy: string;
  /** How often its content was asked for. */
  readonly readCount: number;
  /** How often it was handed out with its whole board. */
  readonly useCount: number;
  /** ISO; missing where its keeper does not note it. */
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly evidence: readonly BoardEvidence[];
}

/** What any keeper knows of an item. */
export type BoardNote = Omit<BoardItem, "keptBy" | "createdAt" | "updatedAt" | "evidence">;

export const OWN_KEEPER = "rethread";

export const isOwn = ({ keptBy }: Pick<BoardItem, "keptBy">): boolean => keptBy === OWN_KEEPER;

/** Who may be named as the writer of an item of ours. */
export const BOARD_SOURCES = ["user", "agent", "sessions"] as const;
export type BoardSource = (typeof BOARD_SOURCES)[number];

/** Characters of each text, and items of a repository: a board is read by models, so it is kept small. */
export const BOARD_LIMITS = {
  name: 64,
  description: 200,
  content: 16_000,
  items: 100,
  repository: 300,
  branch: 250,
} as const;

/** Changes of the board have names of their own, beside those of writes to sessions. */
export const isBoardOperation = (name: string): boolean => name.startsWith("board-");

/** What a branch is called in sentences. */
export const branchWords = (branch: string): string =>
  branch === EVERY_BRANCH ? "every branch" : `branch ${branch}`;

export const placeWords = ({ repository, branch }: BoardPlace): string =>
  branch === EVERY_BRANCH ? repository : `${repository}, ${branchWords(branch)}`;

/** Whether somebody who works on a branch sees the item; on no branch in particular, all are seen. */
export const isOnBoard = (item: BoardPlace, repository: string, branch?: string): boolean =>
  isSameRepository(item.repository, repository) &&
  (branch === undefined || item.branch === branch || item.branch === EVERY_BRANCH);

/** Case does not matter in the names of most servers. */
export const isSameRepository = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** By repository; what holds on every branch first; then by branch and name. */
export function compareItems(a: BoardItem, b: BoardItem): number {
  const rank = ({ branch }: BoardPlace): number => (branch === EVERY_BRANCH ? 0 : 1);
  return (
    compare(a.repository.toLowerCase(), b.repository.toLowerCase()) ||
    rank(a) - rank(b) ||
    compare(a.branch, b.branch) ||
    compare(a.name, b.name) ||
    compare(a.keptBy, b.keptBy) ||
    compare(a.source, b.source)
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
