/**
 * The tokens of Claude Code's sessions, each model call once. What is expected was also counted by ccusage 20.0.26 on the
 * same files (`docs/usage.md`).
 */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { countBothWays } from "../../test/stats/both-ways.ts";
import { localFs } from "../platform/fs/local.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";
import { statsOf } from "../query/stats.ts";
import { openCatalog } from "../sources/catalog.ts";
import { SOURCES } from "../sources/registry.ts";
import { openStore } from "../store/open.ts";
import { createSessionStore } from "../store/session-store.ts";
import { rebuild } from "./rebuild.ts";
import { refresh } from "./refresh.ts";

const now = () => new Date("2026-11-15T12:00:00Z");
const options = { outputHead: 256, now, vanished: "remove" } as const;
let folder: string;
let db: Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-calls-"));
  db = openStore({ folder: join(folder, "store"), now, notice: () => undefined });
});
afterEach(() => {
  if (db.isOpen) {
    const { byTallies, byRows } = countBothWays(db, { filter: {}, cacheApart: ["claude-code"] });
    expect(byTallies).toEqual(byRows);
    db.close();
  }
  rmSync(folder, { recursive: true, force: true });
});

const catalog = () =>
  openCatalog(
    SOURCES,
    { platform: "linux", homeDir: folder, vars: { CLAUDE_CONFIG_DIR: join(folder, "claude") } },
    localFs,
  );
const index = () => refresh(catalog(), createSessionStore(db), options);
/** Calls, all input with what the cache had, and output. */
const counted = () => {
  const { modelCalls, inputTokens, outputTokens } = statsOf(catalog(), { db }, {}).totals;
  return [modelCalls, inputTokens, outputTokens];
};

interface RowOptions {
  readonly parent?: string | null;
  readonly sidechain?: boolean;
  readonly request?: string | null;
}
const [A, B] = ["aaaa0000-0000-4000-8000-000000000001", "bbbb0000-0000-4000-8000-000000000002"];
const uuid = (name: string) => `${name.padEnd(8, "0").slice(0, 8)}-0000-4000-8000-000000000000`;
const row = (session: string, type: string, name: string, message: object, more: RowOptions = {}) => ({
  type,
  uuid: uuid(name),
  parentUuid: more.parent === undefined || more.parent === null ? null : uuid(more.parent),
  sessionId: session,
  isSidechain: more.sidechain ?? false,
  cwd: "/srv/shop",
  version: "2.1.0",
  timestamp: "2026-11-01T10:00:00.000Z",
  message,
  ...(type === "assistant" && more.request !== null && { requestId: more.request ?? `req_${name}` }),
});
const ask = (session: string, name: string, parent: string | null) =>
  row(session, "user", name, { role: "user", content: `Question ${name.slice(1)}` }, { parent });
/** 100 tokens in, 1000 from the cache, 10 written to it. */
const say = (
  session: string,
  name: string,
  parent: string,
  id: string,
  output: number,
  more: RowOptions = {},
) =>
  row(
    session,
    "assistant",
    name,
    {
      id,
      role: "assistant",
      model: "claude-sonnet-4-5",
      content: [{ type: "text", text: `Answer ${name}` }],
      usage: {
        input_tokens: 100,
        cache_read_input_tokens: 1000,
        cache_creation_input_tokens: 10,
        output_tokens: output,
      },
    },
    { parent, ...more },
  );
const fileOf = (session: string) => join(folder, "claude/projects/-srv-shop", `${session}.jsonl`);
const lines = (rows: readonly object[]) => rows.map((each) => `${JSON.stringify(each)}\n`).join("");
function put(session: string, ...rows: object[]): void {
  mkdirSync(dirname(fileOf(session)), { recursive: true });
  writeFileSync(fileOf(session), lines(rows));
}

it("counts a call of a fork once, though all of its rows have new ids", async () => {
  put(A, ask(A, "a1", null), say(A, "a2", "a1", "msg_1", 5, { request: "req_1" }));
  await index();
  put(
    B,
    ask(B, "b1", null),
    say(B, "b2", "b1", "msg_1", 5, { request: "req_1" }),
    ask(B, "b3", "b2"),
    say(B, "b4", "b3", "msg_2", 7),
  );
  await index();
  expect(counted()).toEqual([2, 2 * 1110, 12]);
  expect(db.prepare("SELECT session_id FROM call_copies").all()).toEqual([{ session_id: B }]);

  // Built anew it is the same, and without the original the fork has its calls.
  db.close();
  await rebuild(catalog(), join(folder, "store"), options);
  db = openStore({ folder: join(folder, "store"), now, notice: () => undefined });
  expect(counted()).toEqual([2, 2 * 1110, 12]);
  rmSync(fileOf(A));
  await index();
  expect(counted()).toEqual([2, 2 * 1110, 12]);
  expect(db.prepare("SELECT session_id FROM call_copies").all()).toEqual([]);
});

it("counts what a fork said on its own in the middle of a turn that it has from another session", async () => {
  const begin = (session: string) => [
    ask(session, "x1", null),
    say(session, "x2", "x1", "msg_1", 5, { request: "req_1" }),
  ];
  put(A, ...begin(A), say(A, "x3", "x2", "msg_2", 6));
  await index();
  put(B, ...begin(B), say(B, "b3", "x2", "msg_3", 7));
  await index();
  expect(counted()).toEqual([3, 3 * 1110, 18]);
});

it("counts replies that were rewound, and those on side chains: they were paid for", async () => {
  put(
    A,
    ask(A, "a1", null),
    say(A, "a2", "a1", "msg_1", 5),
    ask(A, "a3", "a2"),
    say(A, "a4", "a3", "msg_2", 6),
    say(A, "s1", "a1", "msg_9", 9, { sidechain: true }),
    ask(A, "a5", "a2"),
    say(A, "a6", "a5", "msg_3", 7),
  );
  await index();
  expect(counted()).toEqual([4, 4 * 1110, 27]);
});

it("takes the fullest record of a reply that streamed in, on whichever of its rows that is", async () => {
  put(
    A,
    ask(A, "a1", null),
    say(A, "a2", "a1", "msg_1", 1, { request: "req_1" }),
    say(A, "a3", "a2", "msg_1", 1, { request: "req_1" }),
    say(A, "a4", "a3", "msg_1", 50, { request: "req_1" }),
    ask(A, "a5", "a4"),
    say(A, "a6", "a5", "msg_2", 1, { request: "req_2" }),
    // The end of the same reply is beside the chain.
    say(A, "a7", "a6", "msg_2", 60, { request: "req_2" }),
    ask(A, "a8", "a6"),
    say(A, "a9", "a8", "msg_3", 3),
  );
  await index();
  expect(counted()).toEqual([3, 3 * 1110, 113]);
});

it("counts a reply once that a later part of the log has again, read at once or in pieces", async () => {
  const begin = [ask(A, "a1", null), say(A, "a2", "a1", "msg_1", 5, { request: "req_1" })];
  const more = [
    ask(A, "a3", "a2"),
    say(A, "a4", "a3", "msg_2", 6),
    ask(A, "a5", "a4"),
    say(A, "a6", "a5", "msg_1", 5, { request: "req_1" }),
  ];
  put(A, ...begin);
  await index();
  appendFileSync(fileOf(A), lines(more));
  await index();
  expect(counted()).toEqual([2, 2 * 1110, 11]);
  put(A, ...begin, ...more, ask(A, "a7", "a6"));
  await index();
  expect(counted()).toEqual([2, 2 * 1110, 11]);
});

it("counts a reply without a request's id once a session, and again in another session", async () => {
  const rows = (session: string, name: string) => [
    ask(session, `${name}1`, null),
    say(session, `${name}2`, `${name}1`, "msg_1", 1, { request: null }),
    say(session, `${name}3`, `${name}2`, "msg_1", 5, { request: null }),
  ];
  put(A, ...rows(A, "a"));
  put(B, ...rows(B, "b"));
  await index();
  expect(counted()).toEqual([2, 2 * 1110, 10]);
});
