/** Our own board items in the form in which the store has those of every keeper. */
import { OWN_KEEPER } from "../../model/board/item.ts";
import type { KeptItem } from "../context-items.ts";
import { type BoardRow, readBoard, readBoardMark } from "./board.ts";

export interface BoardMirror {
  mark(): string;
  all(): KeptItem[];
}

export const createBoardMirror = (folder: string, now: () => Date): BoardMirror => ({
  mark: () => readBoardMark(folder, now),
  all: () => readBoard(folder, now).map(toKeptItem),
});

const toKeptItem = (row: BoardRow): KeptItem => ({
  repository: row.repository,
  branch: row.branch,
  src: row.source,
  name: row.name,
  description: row.description,
  content: row.content,
  readCount: row.readCount,
  count: row.useCount,
  keptBy: OWN_KEEPER,
  updatedAt: row.updatedAt,
});
