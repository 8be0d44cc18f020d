import { describe, expect, it } from "vitest";
import { type IndexRow, readIndex, toIndex } from "./state-db.ts";

const entry = (more: object = {}): object => ({
  sessionId: "a",
  title: "A",
  lastMessageDate: 1,
  initialLocation: "panel",
  isEmpty: false,
  ...more,
});
const row = (index: unknown, type = "text"): IndexRow => ({
  value: typeof index === "string" ? index : JSON.stringify(index),
  type,
});
const failing = (message: string) => (): never => {
  throw new Error(message);
};

describe("VS Code's list of sessions", () => {
  it("names the sessions, and why one of them is not shown", () => {
    const entries = {
      a: entry(),
      b: entry({ initialLocation: "editor" }),
      c: entry({ isEmpty: true }),
      "copilotcli:/x": entry({ isExternal: true }),
    };
    expect(toIndex(row({ version: 1, entries }))).toEqual({
      state: "read",
      entries: [
        { id: "a", title: "A" },
        { id: "b", title: "A", hidden: 'its place is "editor", not the chat panel' },
        { id: "c", title: "A", hidden: "it is marked as empty" },
      ],
    });
  });

  it.each<[string, IndexRow, string]>([
    ["broken JSON", row("{"), "it is not valid JSON"],
    ["another version", row({ version: 2, entries: {} }), "its version is not 1"],
    ["no entries", row({ version: 1 }), "it has no entries"],
    ["a null entry", row({ version: 1, entries: { a: null } }), "the entry a is not an object"],
    [
      "no title",
      row({ version: 1, entries: { a: entry(), b: { sessionId: "b" } } }),
      "the entry b has no title",
    ],
    [
      "a date as text",
      row({ version: 1, entries: { a: entry({ lastMessageDate: "1" }) } }),
      "the entry a has no lastMessageDate",
    ],
    ["a blob", row({ version: 1, entries: {} }, "blob"), "it is stored as blob, not as text"],
  ])("is thrown away as a whole for %s", (_name, found, reason) => {
    expect(toIndex(found)).toEqual({ state: "invalid", reason });
  });

  it("is empty when VS Code has never written it", () => {
    expect(readIndex("/db", () => undefined)).toEqual({ state: "read", entries: [] });
    expect(readIndex("/db", failing("no such table: ItemTable"))).toEqual({ state: "read", entries: [] });
  });

  it("is not known while the database is held by a writer, or when there is none", () => {
    expect(readIndex("/db", failing("database is locked"))).toEqual({ state: "unknown" });
    expect(readIndex("/db", failing("unable to open database file"))).toEqual({ state: "unknown" });
  });

  it("is lost with a database that is broken", () => {
    const reason = "file is not a database";
    expect(readIndex("/db", failing(reason))).toEqual({ state: "invalid", reason });
  });
});
