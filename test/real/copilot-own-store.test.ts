/** What `rethread index --copilot` writes, judged by the real Copilot CLI: its reindex, its query tool, its next session. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { builtCommand } from "../built.ts";
import { runCommand } from "../cli/run-command.ts";
import { type Copilot, logHolds, startCopilot } from "./copilot.ts";
import { BESIDE_SESSION, ATTACHED_SESSION as WITHOUT_WORKSPACE } from "./copilot-index-corners.ts";
import { fillHome, reindex, storeOf } from "./copilot-index-home.ts";
import { messagesSent } from "./openai.ts";
import { scripted, sleep } from "./scripted-model.ts";

const MAIN = builtCommand();
const LIVE = "aaaaaaaa-0000-4000-8000-00000000000a";
const MAKER = "aaaaaaaa-0000-4000-8000-00000000000b";
/** As the real reindex knows them. Of checkpoints not the titles, which it overwrites with nothing. */
const COMPARED = {
  turns: "*",
  session_files: "*",
  session_refs: "*",
  checkpoints:
    "id, session_id, checkpoint_number, overview, history, work_done, technical_details, important_files, next_steps, created_at",
  search_index: "session_id, source_type, source_id, content",
  assistant_usage_events: "*",
};

let copilot: Copilot;
let folder: string;
const state = (...names: string[]): string => join(copilot.home, "session-state", ...names);
const env = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  TMPDIR: tmpdir(),
  HOME: folder,
  COPILOT_HOME: copilot.home,
  RETHREAD_HOME: join(folder, "rethread"),
  TZ: "UTC",
});
const words = (...more: string[]): string[] => ["index", "--copilot", ...more];
function rethread(...more: string[]) {
  const { stdout, stderr, code } = runCommand(MAIN, words("--json", ...more), { env: env(), cwd: folder });
  return { ...JSON.parse(stdout), stderr, code };
}
function rowsOf(table: keyof typeof COMPARED, condition = "true") {
  const db = new DatabaseSync(storeOf(copilot), { readOnly: true });
  try {
    const sql = `SELECT ${COMPARED[table]} FROM ${table} WHERE ${condition} ORDER BY 1, 2, 3, 4`;
    return db
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  } finally {
    db.close();
  }
}
const allRows = () =>
  Object.fromEntries(Object.keys(COMPARED).map((table) => [table, rowsOf(table as keyof typeof COMPARED)]));
const count = (table: keyof typeof COMPARED, condition?: string): number => rowsOf(table, condition).length;

/** Throws when a row, a reference between rows or the search index is not in order. */
function check(): void {
  const db = new DatabaseSync(storeOf(copilot));
  try {
    expect(db.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    expect(db.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
    db.exec("INSERT INTO search_index (search_index) VALUES ('integrity-check')");
  } finally {
    db.close();
  }
}

beforeAll(async () => {
  copilot = await startCopilot();
  folder = mkdtempSync(join(tmpdir(), "rethread-own-store-"));
  // Lets the program make its store, with a row of its own in every table that it alone can fill.
  await copilot.prompt(LIVE, scripted("Note it", { say: "Noted for the quetzal." }));
  await copilot.prompt(MAKER, "Hello");
  await fillHome(copilot, join(folder, "data"), new Date());
  mkdirSync(state(LIVE, "files"), { recursive: true });
  writeFileSync(state(LIVE, "files", "plan.md"), "The plan of the quetzal\n");
  const odd = ["no-number.md", "10-dashed-twice.md", "011-NO-CHECKPOINT.MD"];
  for (const [at, name] of odd.entries())
    writeFileSync(state(BESIDE_SESSION, "checkpoints", name), `<next_steps>${at} in ${name}</next_steps>`);
  writeFileSync(state(BESIDE_SESSION, "checkpoints", "012-broken.md"), Buffer.from([0x3c, 0xff]));
  mkdirSync(state(WITHOUT_WORKSPACE, "checkpoints"), { recursive: true });
  writeFileSync(
    state(WITHOUT_WORKSPACE, "checkpoints", "001-no-workspace.md"),
    "<overview>unseen</overview>",
  );
}, 300_000);
afterAll(async () => {
  await copilot?.close();
  rmSync(folder, { recursive: true, force: true });
});

it("writes what the real reindex would, which then finds nothing to change", async () => {
  const usage = rowsOf("assistant_usage_events");
  expect(usage.length).toBeGreaterThan(0);
  const planned = rethread("--dry-run");
  expect(planned).toMatchObject({ code: 0, dryRun: true, backup: null, removed: 0, unreadable: 0 });
  const { seconds: _, backup, ...done } = rethread();
  expect({ ...done, dryRun: true, backup: null }).toEqual({ ...planned, seconds: undefined });
  expect(readdirSync(join(folder, "rethread", "backups"))).toEqual([String(backup).split("/").at(-1)]);
  check();

  const ours = allRows();
  expect(await reindex(copilot)).toMatch(/Reindex complete: \d+ sessions/);
  const theirs = allRows();
  for (const [table, rows] of Object.entries(theirs)) expect(ours[table]).toEqual(rows);
  expect(theirs.assistant_usage_events).toEqual(usage);
  const numbers = Object.entries(ours).map(([table, rows]) => `${rows.length} ${table}`);
  console.log(`After our rebuild the real reindex changed none of ${numbers.join(", ")}`);
});

it("leaves nothing to do for the next time", () => {
  rethread();
  expect(rethread()).toMatchObject({ code: 0, indexed: 0, removed: 0, tables: {}, backup: null });
});

it("is seen by the program's own query tool", async () => {
  const ask = (query: string) => ({
    name: "session_store_sql",
    input: { description: "look", query, source: "local" },
  });
  copilot.model.clear();
  await copilot.prompt(
    MAKER,
    scripted(
      "Look it up",
      {
        calls: [
          ask("SELECT count(*) AS n FROM turns"),
          ask("SELECT source_type FROM search_index WHERE search_index MATCH 'quetzal' ORDER BY source_type"),
        ],
      },
      { say: "Found." },
    ),
  );
  const last = copilot.model.requests.filter((request) => Array.isArray(request.body?.messages)).at(-1);
  const answers = last ? messagesSent(last).filter(({ role }) => role === "tool") : [];
  expect(answers.map(({ text }) => text.replace(/\s+/g, " "))).toEqual([
    expect.stringMatching(/1 row\(s\) returned: .*\| \d{3} \|/),
    expect.stringMatching(/2 row\(s\) returned: .*turn.*workspace_artifact/),
  ]);
});

it("removes what a rewind and a deletion left behind, which the real reindex does not", async () => {
  const [first] = rowsOf("turns", "turn_index = 3");
  const rewound = String(first?.session_id);
  const log = readFileSync(copilot.log(rewound), "utf8").split("\n");
  const cut = log.findIndex((line, at) => at > 3 && line.startsWith('{"type":"user.message"'));
  writeFileSync(copilot.log(rewound), `${log.slice(0, cut).join("\n")}\n`);
  rmSync(state(LIVE), { recursive: true });
  await reindex(copilot);
  expect(count("turns", `session_id = '${rewound}'`)).toBeGreaterThan(1);
  expect(count("turns", `session_id = '${LIVE}'`)).toBe(1);

  expect(rethread()).toMatchObject({
    code: 0,
    removed: 1,
    tables: { assistant_usage_events: { added: 0, updated: 0, removed: 1 } },
  });
  check();
  expect(count("turns", `session_id = '${rewound}'`)).toBe(1);
  expect(count("search_index", `session_id = '${rewound}' AND source_type = 'turn'`)).toBe(1);
  for (const table of ["turns", "search_index", "assistant_usage_events"] as const)
    expect(count(table, `session_id = '${LIVE}'`)).toBe(0);
});

it("puts a copy back, and that can be undone, too", () => {
  const before = allRows();
  const { backup } = rethread("--restore", join(folder, "rethread", "backups", newestBackup()));
  expect(count("turns", `session_id = '${LIVE}'`)).toBe(1);
  check();
  rethread("--restore", backup);
  expect(allRows()).toEqual(before);
  expect(readdirSync(join(folder, "rethread", "backups")).length).toBeLessThanOrEqual(4);
});
const newestBackup = (): string =>
  readdirSync(join(folder, "rethread", "backups"))
    .sort()
    .at(-1) ?? "";

it("refuses while the program runs, and writes nothing", async () => {
  const id = "aaaaaaaa-0000-4000-8000-00000000000c";
  const running = copilot.prompt(id, scripted("Wait", { say: "Waited.", delayMs: 8000 }));
  while (!logHolds(copilot.log(id), "user.message")()) await sleep(25);
  const digest = (): string =>
    createHash("sha256")
      .update(readFileSync(storeOf(copilot)))
      .digest("hex");
  const before = digest();
  const refused = rethread();
  expect(refused).toMatchObject({ code: 5, error: { code: "agent-running" } });
  expect(digest()).toBe(before);
  await running;
  expect(rethread().code).toBe(0);
});

it("survives being killed at any moment", async () => {
  const home = state();
  // Enough work that a kill comes in the middle of it.
  const many = readdirSync(home).filter((name) => /^[0-9a-f]{8}-/.test(name));
  for (let copy = 0; copy < 4; copy++)
    for (const [at, id] of many.entries())
      cpSync(state(id), state(`${String(copy * 1000 + at).padStart(8, "0")}-0000-4000-9000-000000000000`), {
        recursive: true,
      });
  const db = new DatabaseSync(storeOf(copilot));
  for (const table of ["turns", "checkpoints", "session_files", "session_refs", "search_index"])
    db.exec(`DELETE FROM ${table}`);
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  const empty = readFileSync(storeOf(copilot));
  const started = performance.now();
  expect(rethread().code).toBe(0);
  const took = performance.now() - started;
  const whole = allRows();
  const total = whole.turns?.length ?? 0;

  const reached: number[] = [];
  for (let kill = 1; kill <= KILLS; kill++) {
    for (const companion of ["-wal", "-shm"]) rmSync(storeOf(copilot) + companion, { force: true });
    writeFileSync(storeOf(copilot), empty);
    const child = spawn(process.execPath, [MAIN, ...words()], { env: env(), stdio: "ignore" });
    const closed = new Promise((done) => child.once("close", done));
    await sleep((took * kill) / (KILLS + 1));
    child.kill("SIGKILL");
    await closed;
    check();
    reached.push(count("turns"));
    // From where one kill left it to the end; each of the others begins anew, or it would find ever less to do.
    if (kill === Math.ceil(KILLS * 0.7)) {
      expect(rethread().code).toBe(0);
      expect(withoutIds(allRows())).toEqual(withoutIds(whole));
    }
  }
  console.log(`Killed ${KILLS} times with ${reached.join(", ")} of ${total} turns written`);
  expect(reached.some((turns) => turns > 0 && turns < total)).toBe(true);
  rethread();
  const { code, stdout } = await copilot.prompt(MAKER, scripted("Are you well?", { say: "Very well." }));
  expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: "Very well." });
}, 300_000);
const KILLS = process.env.RETHREAD_FULL === undefined ? 6 : 20;

/** Rows are numbered in the order of writing. */
const withoutIds = (all: ReturnType<typeof allRows>) =>
  Object.fromEntries(
    Object.entries(all).map(([table, rows]) => [
      table,
      rows.map((row) => JSON.stringify({ ...row, id: 0 })).sort(),
    ]),
  );
