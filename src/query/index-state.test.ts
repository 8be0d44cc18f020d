import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createApp } from "../app/app.ts";
import { toConfig } from "../app/config.ts";
import type { App } from "../app/contract.ts";
import { SOURCES } from "../sources/registry.ts";
import { openStore, storePath } from "../store/open.ts";

const now = new Date("2026-11-15T12:00:00.000Z");
let folder: string;
let app: App;

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-state-")));
  app = await createApp(
    toConfig(
      { demo: "on" },
      {
        vars: { RETHREAD_HOME: join(folder, "data") },
        platform: "linux",
        homeDir: join(folder, "home"),
        folder,
        stdout: {},
        stderr: {},
        self: ["true"],
        now: () => now,
      },
    ),
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("counts what is in the store as it is, and the sessions of each home", async () => {
  const empty = await app.indexState();
  expect(empty).toMatchObject({ isIndexing: false, sessions: 0, turns: 0, problems: 0 });
  expect(empty.homes.map(({ source, exists, variable }) => [source, exists, variable])).toEqual([
    ["copilot-cli", true, "COPILOT_HOME"],
    ["vscode", true, "VSCODE_STORAGE_PATH"],
    ["claude-code", true, "CLAUDE_CONFIG_DIR"],
    // Of which the demo has no sessions.
    ["codex", false, "CODEX_HOME"],
  ]);
  await app.index();
  const { sessions } = await app.list();
  const state = await app.indexState();
  const sum = (of: (session: (typeof sessions)[number]) => number) =>
    sessions.reduce((total, session) => total + of(session), 0);
  expect([state.sessions, state.turns, state.problems]).toEqual([
    sessions.length,
    sum(({ turns }) => turns),
    sum(({ problems }) => problems),
  ]);
  expect(state.problems).toBeGreaterThan(0);
  expect(state.homes.map((home) => home.sessions)).toEqual(
    state.homes.map(({ source }) => sessions.filter((session) => session.source === source).length),
  );
  expect(state.storeBytes).toBeGreaterThan(100_000);
  expect(state.indexedAt).toMatch(/^\d{4}-/);
  expect(state.trouble).toBeUndefined();
});

it("says that somebody is writing to the store, this app or another process", async () => {
  await app.index();
  const { storePath: path } = await app.indexState();
  const other = openStore({ folder: join(path, ".."), now: () => now, notice: () => undefined });
  other.exec("BEGIN IMMEDIATE");
  expect((await app.indexState()).isIndexing).toBe(true);
  other.exec("ROLLBACK");
  other.close();
  expect((await app.indexState()).isIndexing).toBe(false);
  const run = app.index({ rebuild: true });
  const during = await app.indexState();
  await run;
  expect([during.isIndexing, (await app.indexState()).isIndexing]).toEqual([true, false]);
});

it("says so all the while a watch reads sessions for the first time, between its writes, too", async () => {
  const seen: boolean[] = [];
  let isOver = false;
  const begun = app.watch({ onRefresh: () => undefined }).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const { isIndexing } = await app.indexState();
    if (!isOver) seen.push(isIndexing);
    await setImmediate();
  }
  await (await begun).close();
  expect(new Set(seen)).toEqual(new Set([true]));
  expect((await app.indexState()).isIndexing).toBe(false);
});

it("answers without a store that can be used, and says why it cannot", async () => {
  const { storePath: path } = await app.indexState();
  rmSync(path);
  mkdirSync(path);
  writeFileSync(join(path, "in the way"), "");
  const state = await app.indexState();
  expect(state).toMatchObject({ sessions: 0, storePath: storePath(join(path, "..")) });
  expect(state.trouble).toContain("session-store.db");
  expect(state.homes).toHaveLength(SOURCES.length);
});
