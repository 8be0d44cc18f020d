import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { EditPlan } from "../../model/plan.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { openStore } from "../../store/open.ts";
import { createSessionStore, type SessionStore } from "../../store/session-store.ts";
import { afterWrite } from "./open-core.ts";

const now = () => new Date("2026-11-15T12:00:00Z");
const session = { source: "vscode", id: "one", path: "/chats/one.jsonl" } as const;
let folder: string;
let db: Database;
let store: SessionStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-after-"));
  db = openStore({ folder, now, notice: () => undefined });
  store = createSessionStore(db);
  store.begin();
  store.replace("one");
  store.finish("one", {
    session: { ...session, title: "One", turns: 0, problems: 0, models: [], bytes: 1 },
    problems: [],
    mark: { fingerprint: { size: 1, mtimeMs: 1, ino: 1 } },
  });
  store.commit();
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

const removing = (path: string): EditPlan => ({
  kind: "rescue",
  title: "One",
  from: { source: "vscode", id: "one" },
  session,
  closed: [],
  basis: [],
  hideout: "/chats/.rethread",
  steps: [{ does: "remove", path }],
  losses: [],
});
const known = (): string[] => store.marks().map(({ path }) => path);

it.each(["/chats/one.jsonl", "/chats"])("forgets a session when %s is taken away", (path) => {
  afterWrite(removing(path), store, folder, now);
  expect(known()).toEqual([]);
});

it("keeps a session beside which another form of it was taken away", () => {
  afterWrite(removing("/chats/one.json"), store, folder, now);
  expect(known()).toEqual(["/chats/one.jsonl"]);
});
