import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BOARD_LIMITS, type BoardItem } from "../../model/board/item.ts";
import type { AppError } from "../../model/errors.ts";
import { changeBoard, readBoardChanges } from "../../store/state/board.ts";
import { type Board, openBoard } from "./board.ts";

let folder: string;
let clock: Date;
const now = () => clock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-board-"));
  clock = new Date("2026-11-15T12:00:00Z");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MAIN = { repository: "acme/shop", branch: "main" };
const TEXT = { name: "test-command", content: "Run `npm test`." };
const vendor = (change: Partial<BoardItem> = {}): BoardItem => ({
  ...MAIN,
  name: "cents",
  description: "Money",
  content: "We count in cents.",
  source: "agent",
  keptBy: "copilot-cli",
  readCount: 3,
  useCount: 7,
  evidence: [],
  ...change,
});
const open = (...vendorItems: BoardItem[]): Board => openBoard({ folder, now, vendorItems });
const later = (days = 1): void => {
  clock = new Date(clock.getTime() + days * 86_400_000);
};
const failure = (work: () => unknown): Pick<AppError, "code" | "message" | "hint"> => {
  try {
    work();
  } catch (error) {
    const { code, message, hint } = error as AppError;
    return { code, message, hint };
  }
  throw new Error("it did not fail");
};
const names = (items: readonly BoardItem[]): string[] => items.map(({ name }) => name);

describe("adding", () => {
  it("keeps a text with what it is about and when it was written", () => {
    const { operation, item } = open().add(MAIN, { ...TEXT, content: "\nRun `npm test`.\r\n" }, "user");
    expect(item).toEqual({
      ...MAIN,
      name: "test-command",
      description: "Run `npm test`.",
      content: "Run `npm test`.",
      source: "user",
      keptBy: "rethread",
      readCount: 0,
      useCount: 0,
      createdAt: "2026-11-15T12:00:00.000Z",
      updatedAt: "2026-11-15T12:00:00.000Z",
      evidence: [],
    });
    expect(operation).toMatch(/^board-[0-9a-f]{8}$/);
    expect(open().items()).toEqual([item]);
  });

  it("refuses a name that is there, and takes the same on another branch", () => {
    const board = open();
    board.add(MAIN, TEXT, "user");
    expect(failure(() => board.add({ ...MAIN, repository: "ACME/Shop" }, TEXT, "user"))).toEqual({
      code: "board-item-exists",
      message: "ACME/Shop, branch main already has an item named test-command",
      hint: "Change it: rethread board edit test-command --repo ACME/Shop --branch main",
    });
    const { item } = board.add({ repository: "ACME/Shop", branch: "*" }, TEXT, "user");
    expect(item.repository).toBe("acme/shop");
  });

  it("refuses secrets by their kind, and texts that are too long, before anything is written", () => {
    const board = open();
    const secret = failure(() => board.add(MAIN, { ...TEXT, content: "DB_PASSWORD=letmein" }, "user"));
    expect(secret).toEqual({
      code: "secret-refused",
      message: "The content contains a secret (password), and the board keeps none",
      hint: "Take it out; say where it is kept instead",
    });
    expect(failure(() => board.add(MAIN, { ...TEXT, name: "a b" }, "user")).code).toBe("usage");
    expect(failure(() => board.add(MAIN, { name: "a" }, "user")).message).toBe("The content is empty");
    expect(failure(() => board.add({ ...MAIN, branch: "a\u0000" }, TEXT, "user")).code).toBe("usage");
    expect(board.items()).toEqual([]);
  });

  it("keeps so many items of a repository and no more, whatever their branches", () => {
    const rows = Array.from({ length: BOARD_LIMITS.items }, (_, i) => ({
      ...MAIN,
      branch: `b${i % 7}`,
      name: `item-${i}`,
      description: "",
      content: "c",
      source: "user" as const,
      readCount: 0,
      useCount: 0,
      createdAt: "",
      updatedAt: "",
      evidence: [],
      facts: [],
    }));
    changeBoard(folder, now, () => ({ kind: "add", put: rows }));
    expect(failure(() => open().add(MAIN, TEXT, "user"))).toEqual({
      code: "board-full",
      message: "The board of acme/shop has 100 items, and at most 100 are kept",
      hint: "Remove items that nobody reads: rethread board prune --repo acme/shop --unread",
    });
    open().add({ ...MAIN, repository: "acme/other" }, TEXT, "user");
    open().prune({ items: [{ ...MAIN, branch: "b0", name: "item-0" }] });
    open().add(MAIN, TEXT, "user");
  });
});

describe("finding", () => {
  it("takes the branch's own before what holds on every branch, and ours before others'", () => {
    const board = open(
      vendor({ name: "a" }),
      vendor({ name: "cents" }),
      vendor({ branch: "dev", name: "b" }),
    );
    board.add({ ...MAIN, branch: "*" }, { ...TEXT, name: "a", content: "everywhere" }, "user");
    expect(board.find({ ...MAIN, name: "a" }).content).toBe("everywhere");
    board.add(MAIN, { ...TEXT, name: "a", content: "here" }, "user");
    expect(board.find({ ...MAIN, name: "a" }).content).toBe("here");
    expect(board.find({ ...MAIN, name: " cents " }).keptBy).toBe("copilot-cli");
    expect(names(board.items(MAIN))).toEqual(["a", "a", "cents"]);
    expect(names(board.items({ repository: "acme/shop" }))).toEqual(["a", "b", "a", "cents"]);
  });

  it("says where one of that name is, or which branches have one", () => {
    const board = open();
    board.add({ ...MAIN, branch: "dev" }, TEXT, "user");
    expect(failure(() => board.find({ ...MAIN, name: "test-command" }))).toEqual({
      code: "board-item-not-found",
      message: "There is no item named test-command on the board of acme/shop, branch main",
      hint: "There is one for acme/shop, branch dev: rethread board get test-command --repo acme/shop --branch dev",
    });
    expect(failure(() => board.find({ ...MAIN, name: "none" })).hint).toBe(
      "See all items: rethread board list --all",
    );
    board.add(MAIN, TEXT, "user");
    expect(failure(() => board.find({ repository: "acme/shop", name: "test-command" }))).toMatchObject({
      code: "board-item-ambiguous",
      message: "acme/shop has several items named test-command: branch dev, branch main",
    });
  });
});

describe("counting", () => {
  it("counts reads of one and uses of all, of our own items alone", () => {
    const board = open(vendor());
    board.add(MAIN, TEXT, "user");
    board.countRead(board.find({ ...MAIN, name: "test-command" }));
    expect(board.countRead(board.find({ ...MAIN, name: "cents" }))).toEqual(vendor());
    board.countUse(board.items(MAIN));
    const after = board.countUse(board.items(MAIN));
    expect(after).toEqual(board.items(MAIN));
    expect(after.map(({ readCount, useCount }) => [readCount, useCount])).toEqual([
      [3, 7],
      [1, 2],
    ]);
  });
});

describe("editing", () => {
  it("changes what is given, and leaves the rest with its counts", () => {
    const board = open();
    const { item } = board.add(MAIN, TEXT, "user");
    board.countRead(item);
    later();
    const edited = board.edit({ ...MAIN, name: "test-command" }, { content: "Run `npm t`." }).item;
    expect(edited).toEqual({
      ...item,
      description: "Run `npm t`.",
      content: "Run `npm t`.",
      readCount: 1,
      updatedAt: "2026-11-16T12:00:00.000Z",
    });
    expect(board.items()).toEqual([edited]);
    board.edit({ ...MAIN, name: "test-command" }, { description: "How to test" });
    const { description } = board.edit({ ...MAIN, name: "test-command" }, { content: "Just do it." }).item;
    expect(description).toBe("How to test");
    expect(failure(() => board.edit({ ...MAIN, name: "test-command" }, {})).code).toBe("usage");
    expect(
      failure(() => board.edit({ ...MAIN, name: "test-command" }, { description: "two\nlines" })).code,
    ).toBe("usage");
  });

  it("refuses when the item was changed since it was read", () => {
    const board = open();
    const { item } = board.add(MAIN, TEXT, "user");
    later();
    board.edit({ ...MAIN, name: "test-command" }, { content: "theirs" });
    const stale = { content: "mine", updatedAt: item.updatedAt ?? "" };
    expect(failure(() => board.edit({ ...MAIN, name: "test-command" }, stale)).code).toBe("changed-since");
    expect(board.items()[0]?.content).toBe("theirs");
  });

  it("adopts an item of another program, which then stands in its place until that is undone", () => {
    const odd = vendor({ name: "how we count", content: "In cents." });
    const board = open(odd);
    const { item, operation } = board.edit({ ...MAIN, name: "how we count" }, {});
    expect(item).toMatchObject({
      name: "how we count",
      content: "In cents.",
      keptBy: "rethread",
      source: "user",
    });
    expect(board.items()).toEqual([item]);
    board.undo(operation);
    expect(board.items()).toEqual([odd]);
  });
});

describe("pruning", () => {
  const fill = (board: Board): void => {
    board.add(MAIN, { ...TEXT, name: "old-read" }, "user");
    board.add(MAIN, { ...TEXT, name: "old-unread" }, "user");
    board.add({ ...MAIN, repository: "acme/other" }, { ...TEXT, name: "old-elsewhere" }, "user");
    board.countRead(board.find({ ...MAIN, name: "old-read" }));
    later(100);
    board.add(MAIN, { ...TEXT, name: "new" }, "user");
  };
  const yesterday = () => new Date(clock.getTime() - 86_400_000);

  it("finds what is old, what nobody read and what is named so, all of it together", () => {
    const board = open(vendor({ readCount: 0 }));
    fill(board);
    const found = (request: object) => names(board.prune({ ...MAIN, ...request, dryRun: true }).removed);
    expect(found({ before: yesterday() })).toEqual(["old-read", "old-unread"]);
    expect(found({ unread: true })).toEqual(["new", "old-unread"]);
    expect(found({ unread: true, before: yesterday() })).toEqual(["old-unread"]);
    expect(found({ name: "OLD-*" })).toEqual(["old-read", "old-unread"]);
    expect(names(board.prune({ name: "*", dryRun: true }).removed)).toHaveLength(4);
    expect(names(board.prune({ ...MAIN, unread: true, dryRun: true }).readOnly)).toEqual(["cents"]);
    expect(failure(() => board.prune(MAIN)).code).toBe("usage");
    expect(board.items()).toHaveLength(5);
    expect(readBoardChanges(folder, now)).toHaveLength(4);
  });

  it("removes just those, and brings all of it back", () => {
    const board = open(vendor());
    fill(board);
    const all = board.items();
    const { removed, operation } = board.prune({ ...MAIN, unread: true });
    expect(names(removed)).toEqual(["new", "old-unread"]);
    expect(names(board.items())).toEqual(["old-elsewhere", "cents", "old-read"]);
    expect(board.prune({ ...MAIN, unread: true })).toEqual({ removed: [], readOnly: [] });
    board.undo(operation);
    expect(board.items()).toEqual(all);
  });

  it("removes items that were chosen, unless one was changed since or is not ours", () => {
    const board = open(vendor());
    const { item } = board.add(MAIN, TEXT, "user");
    later();
    const changed = board.edit({ ...MAIN, name: TEXT.name }, { content: "new" }).item;
    const choose = ({ repository, branch, name, updatedAt }: BoardItem) => ({
      items: [{ repository, branch, name, ...(updatedAt !== undefined && { updatedAt }) }],
    });
    expect(failure(() => board.prune(choose(item))).code).toBe("changed-since");
    expect(failure(() => board.prune(choose(vendor()))).code).toBe("board-read-only");
    expect(failure(() => board.prune(choose(vendor({ name: "none" })))).code).toBe("board-item-not-found");
    expect(names(board.prune(choose(changed)).removed)).toEqual([TEXT.name]);
  });
});

describe("undoing", () => {
  it("takes back the last change, then the one before, and itself", () => {
    const board = open();
    board.add(MAIN, TEXT, "user");
    board.edit({ ...MAIN, name: TEXT.name }, { content: "new" });
    const undo = board.undo();
    expect(board.items()[0]?.content).toBe(TEXT.content);
    board.undo();
    expect(board.items()).toEqual([]);
    expect(failure(() => board.undo())).toMatchObject({
      code: "operation-not-found",
      message: "There is no change of the board to undo",
    });
    expect(failure(() => board.undo("board-ffff")).message).toBe(
      'No change of the board matches "board-ffff"',
    );
    expect(failure(() => board.undo(undo.undoes)).code).toBe("not-undoable");
  });

  it("keeps what was counted since, and refuses where the text was changed", () => {
    const board = open();
    board.add(MAIN, TEXT, "user");
    const { operation } = board.edit({ ...MAIN, name: TEXT.name }, { content: "second" });
    board.countRead(board.find({ ...MAIN, name: TEXT.name }));
    const { operation: undo } = board.undo(operation);
    expect(board.items()[0]).toMatchObject({ content: TEXT.content, readCount: 1 });
    board.undo(undo);
    expect(board.items()[0]).toMatchObject({ content: "second", readCount: 1 });
    board.edit({ ...MAIN, name: TEXT.name }, { content: "third" });
    expect(failure(() => board.undo(operation))).toMatchObject({ code: "changed-since" });
  });

  it("does not bring back what would stand in the place of something new", () => {
    const board = open();
    board.add(MAIN, TEXT, "user");
    const { operation } = board.prune({ name: "*" });
    board.add(MAIN, { ...TEXT, content: "new" }, "user");
    expect(failure(() => board.undo(operation)).code).toBe("changed-since");
  });
});
