/** Where something happened: by file, reference, error and text. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { toolText } from "../model/session/turn-text.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";
import { openStore } from "../store/open.ts";
import { createSessionStore } from "../store/session-store.ts";
import { type WhereRequest, whereIs } from "./where.ts";

const now = new Date("2026-11-15T12:00:00Z");
let folder: string;
let db: Database;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-where-"));
  db = openStore({ folder, now: () => now, notice: () => undefined });
  tell("one", ["Fix the login", "And the tests"], (rows) => {
    rows.file({ path: "/srv/shop/src/login.ts", tool: "edit", action: "edited", evidence: "tool", turn: 0 });
    rows.file({
      path: "/srv/shop/src/login.test.ts",
      tool: "view",
      action: "read",
      evidence: "tool",
      turn: 1,
    });
    rows.ref({ type: "pr", value: "42", evidence: "mentioned", turn: 0 });
    rows.toolCall({
      turn: 1,
      name: "view",
      status: "ok",
      label: "/srv/shop/src/login.ts",
      resultSize: 1,
      subAgent: false,
    });
  });
  tell("two", ["Look at the login"], (rows) => {
    rows.file({ path: "src/login.ts", tool: "view", action: "read", evidence: "tool", turn: 0 });
    rows.ref({ type: "pr", value: "42", evidence: "tool", turn: 0 });
    rows.ref({ type: "commit", value: "1a2b3c4d5e", evidence: "tool", turn: 0 });
  });
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

type Rows = ReturnType<ReturnType<typeof createSessionStore>["replace"]>;

function tell(id: string, prompts: readonly string[], more: (rows: Rows) => void): void {
  const store = createSessionStore(db);
  store.begin();
  const rows = store.replace(id);
  for (const [index, user] of prompts.entries())
    rows.turn({
      index,
      user,
      more: toolText(index === 0 ? `ReferenceError: ${id} is not defined` : "fine"),
      startedAt: `2026-11-0${id === "one" ? 1 : 2}T10:0${index}:00.000Z`,
    });
  more(rows);
  const session = { source: "copilot-cli", id, title: id, turns: prompts.length, problems: 0, models: [] };
  store.finish(id, {
    session: { ...session, path: `/home/${id}`, bytes: 10, updatedAt: "2026-11-14T00:00:00Z" },
    problems: [],
    mark: { fingerprint: { size: 10, mtimeMs: 1, ino: 1 } },
  });
  store.commit();
}

const found = (request: WhereRequest) =>
  whereIs(db, request, now).places.map(({ session, turn, how }) => [session.id, turn, how]);

it("finds a file by its name, changes first, with the prompt and the other turns that touched it", () => {
  expect(found({ file: "login.ts" })).toEqual([
    ["one", 0, "edited"],
    ["two", 0, "read"],
  ]);
  expect(whereIs(db, { file: "login.ts" }, now).places[0]).toMatchObject({
    prompt: "Fix the login",
    time: "2026-11-01T10:00:00.000Z",
    alsoIn: [1],
  });
  expect(found({ file: "src/login" }).length).toBe(3);
  expect(whereIs(db, { file: "src/login", limit: 1 }, now)).toMatchObject({ total: 3, places: [{}] });
});

it("finds references of any kind, those that a tool proves first", () => {
  expect(found({ ref: "#42" })).toEqual([
    ["two", 0, "tool"],
    ["one", 0, "mentioned"],
  ]);
  expect(found({ ref: "1a2b3c4" })).toEqual([["two", 0, "tool"]]);
  expect(found({ ref: "issue:42" })).toEqual([]);
});

it("finds an error in what tools printed, and a text word for word or by its words", () => {
  expect(found({ error: "at a line\nReferenceError: two is not defined" })).toEqual([["two", 0, "turn"]]);
  expect(whereIs(db, { text: "the login" }, now)).toMatchObject({ partial: false });
  expect(whereIs(db, { text: "login the fix" }, now)).toMatchObject({
    partial: true,
    places: [{ session: { id: "one" } }],
  });
  expect(whereIs(db, { text: "zzz qqq" }, now)).toEqual({ places: [], total: 0, partial: false });
});

it.each([{}, { file: "a", text: "b" }, { text: "  " }, { ref: "the login" }])("refuses %j", (request) => {
  expect(() => whereIs(db, request, now)).toThrow(expect.objectContaining({ code: "usage" }));
});
