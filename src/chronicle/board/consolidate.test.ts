/** Proposals from the rows of a real store: which sessions count, and that what was taken once is not proposed again. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { openStore } from "../../store/open.ts";
import { openBoard } from "./board.ts";
import { applyProposals, chooseProposals, findProposals } from "./consolidate.ts";

const now = () => new Date("2026-11-15T12:00:00Z");
const since = new Date("2026-10-01T00:00:00Z");
let folder: string;
let db: Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-board-"));
  db = openStore({ folder, now, notice: () => undefined });
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

function session(id: string, change: Record<string, string | null> = {}): void {
  const row = {
    id,
    vendor_id: id,
    source: "copilot-cli",
    path: `/${id}`,
    title: `Title of ${id}`,
    repository: "acme/shop",
    branch: "main",
    cwd: "/srv/shop",
    updated_at: "2026-11-01T00:00:00Z",
    turn_count: 0,
    problem_count: 0,
    bytes: 0,
    models: "[]",
    ...change,
  };
  const columns = Object.keys(row);
  db.prepare(
    `INSERT INTO sessions (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
  ).run(...Object.values(row));
}
const turn = (id: string, index: number, prompt: string, at = "2026-11-01T00:00:00Z"): void =>
  void db
    .prepare("INSERT INTO turns (session_id, turn_index, user_message, timestamp) VALUES (?, ?, ?, ?)")
    .run(id, index, prompt, at);
const call = (id: string, index: number, label: string, status = "ok"): void =>
  void db
    .prepare(
      "INSERT INTO tool_calls (session_id, turn_index, tool_name, status, label) VALUES (?, ?, 'bash', ?, ?)",
    )
    .run(id, index, status, label);
const board = () => openBoard({ folder, now, vendorItems: [] });
const parts = () => ({ folder, now, items: () => board().items() });
const proposals = (request: { repository?: string; branch?: string } = {}) =>
  findProposals(db, { since, ...request }, parts());
const RULE = "Always count money in whole cents.";

it("counts recent sessions of the repository that are there, and what a copy inherited once", () => {
  session("a");
  session("fork");
  session("old", { updated_at: "2026-09-01T00:00:00Z" });
  session("gone");
  db.exec("UPDATE sessions SET vanished_at = '2026-11-02' WHERE id = 'gone'");
  session("other", { repository: "acme/other" });
  session("nowhere", { repository: null });
  for (const id of ["a", "fork", "old", "gone", "nowhere"]) {
    turn(id, 2, RULE);
    call(id, 2, "npm test");
  }
  db.exec("INSERT INTO turn_copies VALUES ('fork', 2, 'a')");
  call("a", 3, "npm run build", "failed");
  call("fork", 3, "npm run build", "failed");
  expect(proposals({ repository: "ACME/shop" })).toMatchObject([
    { name: "always-count-money-in-whole-cents", evidence: [{ session: { id: "a" }, turn: 2 }] },
  ]);
  expect(proposals({ repository: "acme/shop", branch: "dev" })).toEqual([]);
  expect(proposals().map(({ repository }) => repository)).toEqual(["acme/shop"]);
  call("fork", 4, "npm test");
  expect(proposals().map(({ kind }) => kind)).toEqual(["convention", "commands"]);
});

it("links decisions to the turn in which their checkpoint was written", () => {
  session("a", { branch: "feat/x" });
  turn("a", 0, "one", "2026-11-01T10:00:00Z");
  turn("a", 1, "two", "2026-11-01T11:00:00Z");
  turn("a", 2, "three", "2026-11-01T12:00:00Z");
  db.exec(
    "INSERT INTO checkpoints (session_id, checkpoint_number, title, technical_details, history, created_at) VALUES ('a', 1, 'Cents', 'We chose cents because floats lie.', 'He said it must be so, always.', '2026-11-01T11:30:00Z')",
  );
  expect(proposals()).toMatchObject([
    {
      branch: "feat/x",
      name: "decisions-cents",
      description: "Decisions: Cents",
      content: "- We chose cents because floats lie.",
      evidence: [{ session: { source: "copilot-cli", id: "a", title: "Title of a" }, turn: 1 }],
    },
  ]);
});

it("proposes nothing twice: not what is there, not what was removed, and again what was undone", () => {
  session("a");
  session("b");
  turn("a", 0, `${RULE} Never mock the clock in tests.`);
  for (const id of ["a", "b"]) call(id, 0, "npm test");
  const first = proposals();
  expect(first).toHaveLength(3);
  expect(proposals()).toEqual(first);
  const { operation, items } = applyProposals({ folder, now }, first) ?? { operation: "", items: [] };
  expect(items).toHaveLength(3);
  expect(items.every(({ source, evidence }) => source === "sessions" && evidence.length > 0)).toBe(true);
  expect(proposals()).toEqual([]);
  expect(applyProposals({ folder, now }, [])).toBeUndefined();
  const { operation: pruned } = board().prune({ name: "*" });
  expect(proposals()).toEqual([]);
  board().undo(pruned);
  board().undo(operation);
  expect(board().items()).toEqual([]);
  expect(proposals()).toEqual(first);
});

it("writes those that were chosen, and refuses what is proposed no more", () => {
  session("a");
  turn("a", 0, `${RULE} Never mock the clock in tests.`);
  const [one, two] = proposals();
  const chosen = chooseProposals(proposals(), [two?.id ?? ""]);
  applyProposals({ folder, now }, chosen);
  expect(
    board()
      .items()
      .map(({ name }) => name),
  ).toEqual(["never-mock-the-clock-in-tests"]);
  expect(() => chooseProposals(proposals(), [two?.id ?? ""])).toThrow("is not made any more");
  expect(chooseProposals(proposals(), [one?.id ?? ""])).toEqual([one]);
});

it("adds what is new to a list, and refuses when somebody changed it meanwhile", () => {
  for (const id of ["a", "b"]) {
    session(id);
    call(id, 0, "npm test");
  }
  applyProposals({ folder, now }, proposals());
  for (const id of ["a", "b"]) call(id, 1, "npm run lint");
  const update = proposals();
  expect(update).toMatchObject([{ change: "update", content: "- `npm test`\n- `npm run lint`" }]);
  board().edit({ repository: "acme/shop", branch: "*", name: "commands-that-work" }, { content: "mine" });
  expect(() => applyProposals({ folder, now }, update)).toThrow("was changed while it was added to");
  applyProposals({ folder, now }, proposals());
  expect(board().items()[0]?.content).toBe("mine\n- `npm run lint`");
});
