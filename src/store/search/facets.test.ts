import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import type { SessionFilter } from "../filter.ts";
import { openStore } from "../open.ts";
import { createSessionStore } from "../session-store.ts";
import { search, searchFacets } from "./search.ts";

const now = new Date("2026-11-15T12:00:00Z");
let folder: string;
let db: Database;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-facets-"));
  db = openStore({ folder, now: () => now, notice: () => undefined });
  const store = createSessionStore(db);
  store.begin();
  for (let at = 0; at < 60; at++) {
    const id = `session-${at}`;
    const rows = store.replace(id);
    rows.turn({ index: 0, user: at % 2 === 0 ? "why does the limiter drop" : "tidy the shelves", more: "" });
    rows.turn({ index: 1, user: "and the limiter again", more: "" });
    store.finish(id, {
      session: {
        source: at % 3 === 0 ? "vscode" : "copilot-cli",
        id,
        title: id,
        turns: 2,
        problems: at === 0 ? 1 : 0,
        models: at < 10 ? ["gpt-5", 'odd "name"'] : ["gpt-5-mini"],
        path: `/home/${id}`,
        bytes: 1,
        repository: at < 20 ? "acme/shop" : "acme/shop-api",
        branch: at % 2 === 0 ? "main" : "feature/main",
        ...(at === 4 && { parent: { id: "session-0", kind: "clone" as const } }),
      },
      problems: at === 0 ? [{ code: "record-torn", source: "vscode", path: "/home", message: "torn" }] : [],
      mark: { fingerprint: { size: 1, mtimeMs: at, ino: at } },
    });
  }
  store.commit();
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

const facets = (text: string, filter: SessionFilter = {}) =>
  searchFacets(db, { text, filter, limit: 5, now });

it("counts every session with hits, not only those of the page", () => {
  expect(facets("drop")).toEqual({
    source: [
      { value: "copilot-cli", count: 20 },
      { value: "vscode", count: 10 },
    ],
    repository: [
      { value: "acme/shop-api", count: 20 },
      { value: "acme/shop", count: 10 },
    ],
    branch: [{ value: "main", count: 30 }],
    model: [
      { value: "gpt-5-mini", count: 25 },
      { value: "gpt-5", count: 5 },
      { value: 'odd "name"', count: 5 },
    ],
    workspace: [],
    tag: [],
    problems: 1,
    copies: 1,
  });
  expect(facets("shelves").branch).toEqual([{ value: "feature/main", count: 30 }]);
  expect(facets("limiter").source).toEqual([
    { value: "copilot-cli", count: 40 },
    { value: "vscode", count: 20 },
  ]);
});

it("counts each under the other filters, and has nothing where nothing is found", () => {
  const narrow = facets("limiter", { sources: ["vscode"], repository: "acme/shop", exact: true });
  expect(narrow.source).toEqual([
    { value: "copilot-cli", count: 13 },
    { value: "vscode", count: 7 },
  ]);
  expect(narrow.repository).toEqual([
    { value: "acme/shop-api", count: 13 },
    { value: "acme/shop", count: 7 },
  ]);
  expect(narrow.branch.reduce((sum, { count }) => sum + count, 0)).toBe(7);
  expect(facets("zzzyxq")).toMatchObject({ source: [], model: [], problems: 0, copies: 0 });
});

it("finds whole names when asked to", () => {
  const total = (filter: SessionFilter) =>
    new Set(search(db, { text: "limiter", filter, limit: 100, now }).hits.map(({ session }) => session.id))
      .size;
  expect(total({ repository: "acme/shop" })).toBe(60);
  expect(total({ repository: "acme/shop", exact: true })).toBe(20);
  expect(total({ model: "gpt-5", exact: true })).toBe(10);
  expect(total({ model: 'odd "name"', exact: true })).toBe(10);
  expect(total({ branch: "main", exact: true })).toBe(30);
});

it("finds what one session says, and nothing of others", () => {
  const session = { source: "copilot-cli", id: "session-4" };
  const { hits } = search(db, { text: "limiter", filter: { session }, limit: 20, now });
  expect(hits.map((hit) => [hit.session.id, hit.turn]).sort()).toEqual([
    ["session-4", 0],
    ["session-4", 1],
  ]);
  const other = { source: "vscode", id: "session-4" };
  expect(search(db, { text: "limiter", filter: { session: other }, limit: 20, now }).hits).toEqual([]);
});
