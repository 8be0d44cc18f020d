import { describe, expect, it } from "vitest";
import type { Cell } from "../../../../model/plan.ts";
import { toIndex } from "../../index-db/state-db.ts";
import { rescueList } from "./list.ts";
import type { ChatFacts } from "./part.ts";

const facts = (title: string, ended = 1000): ChatFacts => ({
  title,
  created: 1,
  started: 2,
  ended,
  turns: 1,
  state: 1,
});
const entry = (sessionId: string, more: object = {}): object => ({
  sessionId,
  title: sessionId,
  lastMessageDate: 5,
  initialLocation: "panel",
  isEmpty: false,
  ...more,
});
const rescueOf = (value: unknown, chats: Record<string, ChatFacts>, files = Object.keys(chats)) =>
  rescueList({ value, chats: new Map(Object.entries(chats)), hasFile: (id) => files.includes(id) });
const listOf = (entries: Record<string, object>): string => JSON.stringify({ version: 1, entries });
const written = ([cell]: readonly Cell[]) => JSON.parse(cell?.after ?? "null");

describe("a list that VS Code reads", () => {
  it("is left alone where it names what is there, external sessions and chats of no interest included", () => {
    const list = listOf({
      a: entry("a"),
      "vscode-chat-session://cloud/x": entry("x", { isExternal: true }),
      emptied: entry("emptied"),
      "never filled": entry("n", { isEmpty: true }),
    });
    expect(rescueOf(list, { a: facts("A") }, ["a", "emptied"])).toEqual({ cells: [], found: [] });
  });

  it("changes in single entries only", () => {
    const hidden = entry("hidden", { isEmpty: true, initialLocation: undefined });
    const { cells, found } = rescueOf(listOf({ hidden, gone: entry("gone") }), {
      hidden: facts("Hidden"),
      unlisted: facts("Unlisted", 77),
    });
    const key = "chat.ChatSessionStore.index";
    expect(cells).toEqual([
      { key, at: ["entries", "hidden", "initialLocation"], before: null, after: '"panel"' },
      { key, at: ["entries", "hidden", "isEmpty"], before: "true", after: "false" },
      {
        key,
        at: ["entries", "gone"],
        before: JSON.stringify(entry("gone")),
        after: null,
        between: ["hidden", null],
      },
      { key, at: ["entries", "unlisted"], before: null, after: expect.any(String) },
    ]);
    expect(JSON.parse(cells.at(-1)?.after ?? "")).toEqual({
      sessionId: "unlisted",
      title: "Unlisted",
      lastMessageDate: 77,
      timing: { created: 1, lastRequestStarted: 2, lastRequestEnded: 77 },
      initialLocation: "panel",
      hasPendingEdits: false,
      isEmpty: false,
      isExternal: false,
      lastResponseState: 1,
    });
    expect(found.map(({ id }) => id)).toEqual(["hidden", "gone", "unlisted"]);
  });

  it("takes the newest chats up to the number that VS Code lists, and says what stays out", () => {
    const listed = Object.fromEntries(Array.from({ length: 398 }, (_, at) => [`l${at}`, entry(`l${at}`)]));
    const chats = { old: facts("Old", 10), newer: facts("Newer", 20), newest: facts("Newest", 30) };
    const { cells, found } = rescueOf(listOf(listed), chats, [...Object.keys(listed), ...Object.keys(chats)]);
    expect(cells.map(({ at }) => at?.[1])).toEqual(["newest", "newer"]);
    expect(found.at(-1)).toEqual({ what: "1 older chat is not listed: VS Code lists at most 400" });
  });
});

it("makes a list where there is none, entry by entry, so that VS Code's own stay when that is undone", () => {
  expect(rescueOf(null, { a: facts("A") }).cells).toMatchObject([
    { at: ["entries", "a"], before: null, around: '{"version":1,"entries":{}}' },
  ]);
});

describe("a list that VS Code would throw away", () => {
  const external = entry("x", { isExternal: true, future: 1 });
  it.each([
    ["that is no JSON", "no list", []],
    ["that is torn", listOf({ a: entry("a", { future: 1 }), b: entry("b") }).slice(0, -30), ["a"]],
    ["of a version that never was", JSON.stringify({ version: 0, entries: { a: entry("a") } }), ["a"]],
    ["whose version is no number", JSON.stringify({ version: "2", entries: { a: entry("a") } }), ["a"]],
    [
      "with a bad entry",
      listOf({ a: entry("a"), b: { sessionId: "b" }, "cloud://x": external }),
      ["a", "cloud://x"],
    ],
    ["without entries", '{"version":1}', []],
  ])("%s is made anew: what is sound of it stays, the rest comes from the files", (_, value, kept) => {
    const { cells } = rescueOf(value, { a: facts("A"), b: facts("B") });
    expect(cells).toMatchObject([{ key: "chat.ChatSessionStore.index", before: value }]);
    expect(toIndex({ value: cells[0]?.after, type: "text" }).state).toBe("read");
    const { entries } = written(cells);
    expect(Object.keys(entries).sort()).toEqual([...new Set(["a", "b", ...kept])].sort());
    expect(entries.a.title).toBe(kept.includes("a") ? "a" : "A");
    if (kept.includes("cloud://x")) expect(entries["cloud://x"]).toEqual(external);
  });

  it("keeps what else it says, and names every entry that it cannot keep", () => {
    const entries = { a: entry("a"), gone: entry("gone"), bad: { title: "x" }, none: null };
    const list = JSON.stringify({ version: 1, migrated: { from: "x" }, entries });
    const { cells, found } = rescueOf(list, { a: facts("A") });
    expect(written(cells)).toEqual({ version: 1, migrated: { from: "x" }, entries: { a: entry("a") } });
    expect(found.slice(1)).toEqual([
      { id: "gone", what: "listed, but nothing is left of it: removed from the list" },
      {
        id: "bad",
        what: "listed, but its entry has no sessionId, and no file has more: removed from the list",
      },
      {
        id: "none",
        what: "listed, but its entry is not an object, and no file has more: removed from the list",
      },
    ]);
  });
});

it("leaves a list alone that a newer VS Code wrote", () => {
  const list = JSON.stringify({ version: 2, entries: { a: entry("a") }, order: ["a"] });
  expect(rescueOf(list, { b: facts("B") })).toEqual({ cells: [], found: [] });
});
