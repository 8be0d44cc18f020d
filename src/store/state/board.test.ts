import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { AppError } from "../../model/errors.ts";
import { isThere } from "../../platform/disk/own-files.ts";
import {
  type BoardRow,
  changeBoard,
  countBoardUse,
  KEPT_CHANGES,
  readBoard,
  readBoardChanges,
  readBoardFacts,
  readBoardMark,
  seedBoard,
} from "./board.ts";
import { boardNewsFolder } from "./board-news.ts";
import { openState, statePath } from "./open.ts";

const now = () => new Date("2026-11-15T12:00:00Z");
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-board-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const row = (name: string, change: Partial<BoardRow> = {}): BoardRow => ({
  repository: "acme/shop",
  branch: "main",
  name,
  source: "user",
  description: "d",
  content: "c",
  readCount: 0,
  useCount: 0,
  createdAt: now().toISOString(),
  updatedAt: now().toISOString(),
  evidence: [{ session: { source: "vscode", id: "s", title: "t" }, turn: 2 }],
  facts: [`fact-of-${name}`],
  ...change,
});
const put = (...rows: BoardRow[]) => changeBoard(folder, now, () => ({ kind: "add", put: rows }));

it("is not made by asking", () => {
  expect([readBoard(folder, now), readBoardChanges(folder, now), readBoardMark(folder, now)]).toEqual([
    [],
    [],
    "none",
  ]);
  expect([...readBoardFacts(folder, now, "acme/shop")]).toEqual([]);
  expect(isThere(statePath(folder))).toBe(false);
});

it("keeps whole rows, and what each was before a change and after it", () => {
  const added = put(row("a"), row("b"));
  expect(readBoard(folder, now)).toEqual([row("a"), row("b")]);
  const edited = changeBoard(folder, now, () => ({
    kind: "edit",
    put: [row("a", { content: "new" })],
    remove: [row("b")],
  }));
  expect(edited?.items).toEqual([
    { before: row("b") },
    { before: row("a"), after: row("a", { content: "new" }) },
  ]);
  expect(readBoard(folder, now)).toEqual([row("a", { content: "new" })]);
  expect(readBoardChanges(folder, now)).toEqual([edited, added]);
});

it("takes names of repositories that differ in case for one", () => {
  put(row("a"));
  put(row("a", { repository: "Acme/Shop", content: "new" }));
  expect(readBoard(folder, now).map(({ content }) => content)).toEqual(["new"]);
});

it("writes nothing where nothing was decided, or a decision failed", () => {
  put(row("a"));
  const mark = readBoardMark(folder, now);
  expect(changeBoard(folder, now, () => undefined)).toBeUndefined();
  expect(() =>
    changeBoard(folder, now, () => {
      throw new AppError("usage", "no", "no");
    }),
  ).toThrow("no");
  expect(readBoardMark(folder, now)).toBe(mark);
  expect(readBoardChanges(folder, now)).toHaveLength(1);
});

it("knows the facts of what was removed, and shows none of it", () => {
  put(row("a"), row("b", { removedAt: now().toISOString() }), row("c", { repository: "other/one" }));
  expect(readBoard(folder, now).map(({ name }) => name)).toEqual(["a", "c"]);
  expect([...readBoardFacts(folder, now, "ACME/shop")].sort()).toEqual(["fact-of-a", "fact-of-b"]);
});

it("counts reads and uses, and has another mark after each of them", () => {
  put(row("a"), row("b"));
  const marks = [readBoardMark(folder, now)];
  countBoardUse(folder, now, [row("a")], "read");
  marks.push(readBoardMark(folder, now));
  countBoardUse(folder, now, [row("a"), row("b"), row("none")], "use");
  marks.push(readBoardMark(folder, now));
  expect(new Set(marks).size).toBe(3);
  expect(readBoard(folder, now).map(({ readCount, useCount }) => [readCount, useCount])).toEqual([
    [1, 1],
    [0, 1],
  ]);
});

it("never has the mark of another state.db, however many changes that has seen", () => {
  put(row("a"));
  const mark = readBoardMark(folder, now);
  rmSync(statePath(folder));
  put(row("b"));
  expect(readBoardMark(folder, now)).not.toBe(mark);
});

it("notes what was undone by what, also when the undo is undone", () => {
  const added = put(row("a"));
  const undo = changeBoard(folder, now, () => ({
    kind: "undo",
    remove: [row("a")],
    ...(added && { undoes: added }),
  }));
  const states = () => readBoardChanges(folder, now).map(({ undoneBy = null }) => undoneBy);
  expect(states()).toEqual([null, undo?.operation]);
  const redo = changeBoard(folder, now, () => ({
    kind: "undo",
    put: [row("a")],
    ...(undo && { undoes: undo }),
  }));
  expect(states()).toEqual([null, redo?.operation, null]);
});

it("forgets changes that lie far back", () => {
  const db = openState(folder, now);
  db.exec(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${KEPT_CHANGES + 5})
     INSERT INTO board_changes (operation, kind, at, items) SELECT 'old-' || i, 'add', '', '[]' FROM n`,
  );
  db.close();
  const last = put(row("a"));
  const changes = readBoardChanges(folder, now);
  expect([changes.length, changes[0]?.operation]).toEqual([KEPT_CHANGES, last?.operation]);
});

it("is seeded without a change that could be undone", () => {
  seedBoard(folder, now, [row("a")]);
  seedBoard(folder, now, [row("a")]); // by a process that began at the same time
  expect([readBoard(folder, now), readBoardChanges(folder, now)]).toEqual([[row("a")], []]);
});

it("tells those who watch its folder, and leaves nothing there", () => {
  put(row("a"));
  expect(isThere(boardNewsFolder(folder))).toBe(false);
  mkdirSync(boardNewsFolder(folder));
  put(row("b"));
  expect(readdirSync(boardNewsFolder(folder))).toEqual([]);
});
