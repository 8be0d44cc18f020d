import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeCopilotStore } from "../../test/copilot-store.ts";
import { pidLike } from "../../test/lookalike.ts";
import { fixOf } from "../model/problem.ts";
import { localFs } from "../platform/fs/local.ts";
import { diagnose } from "../query/doctor.ts";
import { openCatalog } from "../sources/catalog.ts";
import copilotCli from "../sources/copilot-cli/index.ts";
import { openCopilotStore } from "../store/copilot/copilot-store.ts";
import { collectRows } from "../store/copilot/wanted.ts";
import { rebuildVendorStore } from "./vendor-store.ts";
import { findVendorLag } from "./vendor-store-lag.ts";

const ID = "0b1c0000-0000-4000-8000-000000000001";
let home: string;
const storePath = (): string => join(home, "session-store.db");
const state = (...names: string[]): string => join(home, "session-state", ...names);

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "rethread-own-store-"));
  write(ID, "one", "two");
  makeCopilotStore(storePath()).close();
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(id: string, ...prompts: string[]): void {
  const line = (type: string, data: object): string =>
    `${JSON.stringify({ type, data, id: ID, timestamp: "2026-10-01T10:00:00.000Z", parentId: null })}\n`;
  const start = line("session.start", {
    sessionId: id,
    version: 1,
    producer: "copilot-agent",
    copilotVersion: "1.0.102",
    startTime: "2026-10-01T10:00:00.000Z",
  });
  mkdirSync(state(id), { recursive: true });
  writeFileSync(
    state(id, "events.jsonl"),
    start + prompts.map((content) => line("user.message", { content })).join(""),
  );
}
/** Rebuilds, and says how often a copy was made before. */
async function rebuild(dryRun = false) {
  let backups = 0;
  const env = { platform: process.platform, homeDir: home, vars: { COPILOT_HOME: home } };
  const catalog = openCatalog([copilotCli], env, localFs);
  const [place] = catalog.vendorStores;
  if (!place) throw new Error("Copilot CLI has a store of its own");
  const {
    path: _,
    bytesRead: __,
    ...result
  } = await rebuildVendorStore(catalog, place, {
    dryRun,
    backUp: async () => `backup ${++backups}`,
  });
  return result;
}
function all(sql: string) {
  const db = new DatabaseSync(storePath());
  const rows = db
    .prepare(sql)
    .all()
    .map((row) => Object.values(row).join(" "));
  db.close();
  return rows;
}
function change(sql: string): void {
  const db = new DatabaseSync(storePath());
  db.exec(sql);
  db.close();
}

it("is seen to lag behind the sessions, until it is rebuilt", async () => {
  const env = { platform: process.platform, homeDir: home, vars: { COPILOT_HOME: home } };
  const catalog = openCatalog([copilotCli], env, localFs);
  const lag = async (): Promise<string[]> => {
    const { problems } = await diagnose(catalog, {
      around: (sessions) => findVendorLag(catalog, sessions),
    });
    const found = problems.filter(({ code }) => code === "index-behind");
    return found.map(
      (problem) => `${problem.path.slice(home.length + 1)}: ${problem.message} (${fixOf(problem)})`,
    );
  };
  const said = (what: string): string[] => [
    `session-store.db: the index that GitHub Copilot CLI keeps ${what} (rethread index --copilot)`,
  ];
  write("0b1c0000-0000-4000-8000-000000000002", "three");
  expect(await lag()).toEqual(said("lacks 2 sessions"));
  await rebuild();
  expect(await lag()).toEqual([]);
  write(ID, "one", "two", "more", "and more");
  rmSync(state("0b1c0000-0000-4000-8000-000000000002"), { recursive: true });
  expect(await lag()).toEqual(
    said("lacks 2 turns of sessions that it has, and still has 1 session whose files are gone"),
  );
  await rebuild();
  expect(await lag()).toEqual([]);
  rmSync(storePath());
  expect(await lag()).toEqual([]);
});

it("fills an empty store, with one copy before, and finds nothing to do the next time", async () => {
  write("0b1c0000-0000-4000-8000-000000000002", "three");
  const tables = {
    sessions: { added: 2, updated: 0, removed: 0 },
    turns: { added: 3, updated: 0, removed: 0 },
    search_index: { added: 3, updated: 0, removed: 0 },
  };
  const report = { indexed: 2, unchanged: 0, removed: 0, problems: 0, unreadable: 0, tables };
  expect(await rebuild(true)).toEqual(report);
  expect(all("SELECT * FROM sessions")).toEqual([]);
  expect(await rebuild()).toEqual({ ...report, backup: "backup 1" });
  expect(all("SELECT turn_index, user_message, timestamp FROM turns ORDER BY user_message")).toEqual([
    "0 one 2026-10-01T10:00:00.000Z",
    "0 three 2026-10-01T10:00:00.000Z",
    "1 two 2026-10-01T10:00:00.000Z",
  ]);
  expect(await rebuild()).toEqual({ ...report, indexed: 0, unchanged: 2, tables: {} });
});

it("removes the turns behind a rewind and sessions that are gone, and nothing that only the program knows", async () => {
  write("0b1c0000-0000-4000-8000-000000000002", "gone soon");
  await rebuild();
  change(
    `INSERT INTO assistant_usage_events (session_id, model) SELECT id, 'm' FROM sessions;
     INSERT INTO dynamic_context_items (repository, branch, src, name) VALUES ('r', 'b', 's', 'n');
     INSERT INTO search_index VALUES ('left behind', 'of-no-session', 'turn', 'of-no-session:turn:0');
     UPDATE sessions SET host_type = 'github'`,
  );
  write(ID, "one");
  rmSync(state("0b1c0000-0000-4000-8000-000000000002"), { recursive: true });
  expect(await rebuild()).toMatchObject({
    indexed: 1,
    removed: 2,
    tables: {
      turns: { removed: 2 },
      search_index: { removed: 3 },
      assistant_usage_events: { removed: 1 },
    },
  });
  expect(all("SELECT id, host_type FROM sessions")).toEqual([`${ID} github`]);
  expect(all("SELECT session_id, model FROM assistant_usage_events")).toEqual([`${ID} m`]);
  expect(all("SELECT content FROM search_index")).toEqual(["one"]);
  expect(all("SELECT repository, branch, src, name FROM dynamic_context_items")).toEqual(["r b s n"]);
});

it("leaves the rows of a session alone that cannot be read now", async () => {
  await rebuild();
  rmSync(state(ID, "events.jsonl"));
  mkdirSync(state(ID, "events.jsonl"));
  expect(await rebuild()).toMatchObject({ indexed: 0, removed: 0, unreadable: 1, tables: {} });
  expect(all("SELECT count(*) FROM turns")).toEqual(["2"]);
});

it.each<[string, () => void, object]>([
  ["a store that is not there", () => rmSync(storePath()), { code: "nothing-found" }],
  ["a home without its sessions", () => rmSync(state(), { recursive: true }), { code: "nothing-found" }],
  [
    "a schema it does not know",
    () => change("UPDATE schema_version SET version = 9"),
    { code: "not-supported" },
  ],
  [
    "tables it does not know",
    () =>
      change("ALTER TABLE turns DROP COLUMN timestamp; ALTER TABLE turns RENAME COLUMN user_message TO said"),
    { code: "not-supported" },
  ],
  [
    "a file that is no database",
    () => writeFileSync(storePath(), "no database at all ".repeat(500)),
    { code: "unreadable" },
  ],
  [
    "a session that is open",
    () => writeFileSync(state(ID, `inuse.${pidLike("copilot")}.lock`), ""),
    { code: "agent-running" },
  ],
])("refuses %s, and changes nothing", async (_case, prepare, error) => {
  prepare();
  const bytes = (): string | undefined => {
    try {
      return readFileSync(storePath(), "latin1");
    } catch {
      return undefined; // it is not there, which is what may not change
    }
  };
  const before = bytes();
  await expect(rebuild()).rejects.toMatchObject(error);
  expect(bytes()).toBe(before);
});

it("does not write a second search row for what another process wrote meanwhile", async () => {
  await rebuild();
  const store = openCopilotStore(storePath(), false);
  change(`INSERT INTO search_index VALUES ('three', '${ID}', 'turn', '${ID}:turn:2')`);
  const collector = collectRows(ID);
  for (const [index, user] of ["one", "two", "three"].entries())
    collector.rows.turn({ index, user, more: "" });
  const session = {
    source: "copilot-cli",
    id: ID,
    title: "",
    turns: 3,
    problems: 0,
    models: [],
    path: "",
    bytes: 0,
  };
  store.write(ID, collector.end(session, [], []));
  store.close();
  expect(all("SELECT source_id FROM search_index ORDER BY source_id")).toEqual(
    [0, 1, 2].map((turn) => `${ID}:turn:${turn}`),
  );
});

it("says that somebody else holds the store, once it has waited", async () => {
  const other = new DatabaseSync(storePath());
  other.exec("BEGIN IMMEDIATE");
  await expect(rebuild()).rejects.toMatchObject({ code: "agent-running" });
  other.exec("ROLLBACK");
  other.close();
});
