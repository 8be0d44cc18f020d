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
const failing = (errcode: number, message: string) => async (): Promise<never> => {
  throw Object.assign(new Error(message), { errcode });
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
    ["a version that never was", row({ version: 0, entries: {} }), "its version is not 1"],
    ["a version that is no number", row({ version: "2", entries: {} }), "its version is not 1"],
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

  it("is not judged where a newer VS Code wrote it, or its database", async () => {
    expect(toIndex(row({ version: 2, chats: [] }))).toEqual({
      state: "newer",
      reason: "the list has version 2",
    });
    const newer = { ...row({ version: 1, entries: {} }), userVersion: 2 };
    expect(await readIndex("/db", async () => newer)).toEqual({
      state: "newer",
      reason: "the database has version 2",
    });
  });

  it("is empty when VS Code has never written it", async () => {
    expect(await readIndex("/db", async () => undefined)).toEqual({ state: "read", entries: [] });
    expect(await readIndex("/db", failing(1, "no such table: ItemTable"))).toEqual({
      state: "read",
      entries: [],
    });
  });

  it("is not to be had while somebody writes, or when the database cannot be opened", async () => {
    expect(await readIndex("/db", failing(5, "database is locked"))).toEqual({
      state: "unavailable",
      reason: "it is busy",
    });
    const reason = "unable to open database file";
    expect(await readIndex("/db", failing(14, reason))).toEqual({ state: "unavailable", reason });
  });

  it.each([
    [26, "file is not a database"],
    [11, "database disk image is malformed"],
    [1, "no such column: key"],
  ])("is lost with a database that is broken (%i)", async (code, reason) => {
    expect(await readIndex("/db", failing(code, reason))).toEqual({ state: "invalid", reason });
  });
});
