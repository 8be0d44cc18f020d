/** Our rows against those that the real Copilot CLI's own reindex writes for the same home. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { refresh } from "../../src/indexer/refresh.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { openCatalog } from "../../src/sources/catalog.ts";
import copilotCli from "../../src/sources/copilot-cli/index.ts";
import { openStore } from "../../src/store/open.ts";
import { createSessionStore } from "../../src/store/session-store.ts";
import { type Copilot, startCopilot } from "./copilot.ts";
import { ATTACHED_SESSION, BESIDE_SESSION, BLANK_SESSION } from "./copilot-index-corners.ts";
import { fillHome, reindex, storeOf } from "./copilot-index-home.ts";
import { REFS_SESSION } from "./copilot-refs.ts";
import { scripted } from "./scripted-model.ts";

let copilot: Copilot;
let folder: string;
let theirs: DatabaseSync;
let ours: DatabaseSync;
const now = () => new Date("2026-11-15T12:00:00Z");

beforeAll(async () => {
  copilot = await startCopilot();
  folder = mkdtempSync(join(tmpdir(), "rethread-reindex-"));
  await fillHome(copilot, join(folder, "data"), now());
  await talk();
  await reindex(copilot);
  theirs = new DatabaseSync(storeOf(copilot), { readOnly: true });

  ours = openStore({ folder, now, notice: () => undefined });
  const catalog = openCatalog(
    [copilotCli],
    { platform: process.platform, homeDir: folder, vars: { COPILOT_HOME: copilot.home } },
    localFs,
  );
  await refresh(catalog, createSessionStore(ours), { outputHead: 256, now });
}, 300_000);
afterAll(async () => {
  theirs?.close();
  ours?.close();
  await copilot?.close();
  rmSync(folder, { recursive: true, force: true });
});

const LIVE = "aaaaaaaa-0000-4000-8000-00000000000a";
let FORK: string;

/** A session that the program indexes while it runs: tools, a sub-agent, and a fork that goes on. */
async function talk(): Promise<void> {
  const bash = { name: "bash", input: { command: "echo one", description: "Say one" } };
  const agent = {
    agent_type: "explore",
    name: "looker",
    description: "look",
    mode: "sync",
    prompt: scripted("Look", { calls: [bash] }, { say: "Found it." }),
  };
  const headless = await copilot.headless();
  await headless.create(LIVE);
  await headless.say(LIVE, scripted("Go", { calls: [bash] }, { say: "Gone." }));
  await headless.say(
    LIVE,
    scripted("Delegate", { calls: [{ name: "task", input: agent }] }, { say: "Delegated." }),
  );
  const { sessionId } = await headless.call("sessions.fork", { sessionId: LIVE });
  FORK = sessionId;
  await headless.resume(FORK);
  await headless.say(FORK, scripted("Go on", { calls: [bash] }, { say: "Went on." }));
  await headless.close();
}

/** The real one passes over them; we read what is there. */
const BEYOND = {
  "77777777-0000-4000-8000-000000000001": "a flat file of an early version",
  "dddddddd-0000-4000-8000-000000000004": "a line with bytes that are not UTF-8",
  [ATTACHED_SESSION]: "a prompt with an attachment alone, compared below",
};
const beyond = Object.keys(BEYOND)
  .map((id) => `'${id}'`)
  .join(", ");
const counts: string[] = [];

/**
 * For the real one a blank prompt ends the turn before it; for us what follows belongs to that turn. In its own store we
 * write what it wants: `copilot-own-store.test.ts` finds no difference there.
 */
const BEHIND_BLANK: Record<string, readonly Record<string, unknown>[]> = {
  turns: [
    { session_id: BLANK_SESSION, turn_index: 2, assistant_response: "said to nothing" },
    {
      session_id: "eeeeeeee-0000-4000-8000-000000000000",
      turn_index: 3,
      assistant_response: "Answer to nothing.",
    },
  ],
  session_files: [{ session_id: BLANK_SESSION, file_path: "behind-a-blank-prompt", turn_index: 2 }],
};
/** What tells a row from all others. */
const KEYS: Record<string, readonly string[]> = {
  turns: ["session_id", "turn_index"],
  session_files: ["session_id", "file_path"],
};
function withOurs(table: string, rows: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  const known = BEHIND_BLANK[table] ?? [];
  const isSame = (a: Record<string, unknown>, b: Record<string, unknown>): boolean =>
    (KEYS[table] ?? []).every((key) => a[key] === b[key]);
  const changed = rows.map((row) => ({ ...row, ...known.find((each) => isSame(each, row)) }));
  expect(changed.filter((row, at) => JSON.stringify(row) !== JSON.stringify(rows[at]))).toHaveLength(
    known.length,
  );
  return changed;
}

function rowsOf(db: DatabaseSync, table: string, columns: string, condition = "true") {
  const rows = db.prepare(`SELECT ${columns} FROM ${table} WHERE ${condition} ORDER BY ${columns}`).all();
  return rows.map((row) => ({ ...row }));
}
function compare(table: string, columns: string, condition = "true"): void {
  const real = rowsOf(theirs, table, columns, `session_id <> '${ATTACHED_SESSION}'`);
  counts.push(`${real.length} ${table}`);
  expect(real.length).toBeGreaterThan(1);
  expect(rowsOf(ours, table, columns, `session_id NOT IN (${beyond}) AND ${condition}`)).toEqual(
    withOurs(table, real),
  );
}

it("has the same turns", () => {
  compare("turns", "session_id, turn_index, user_message, assistant_response");
  // Of turns that it saw end, the program keeps when that was.
  const seen = `session_id NOT IN ('${LIVE}', '${FORK}', '${ATTACHED_SESSION}')`;
  const times = "session_id, turn_index, timestamp";
  expect(rowsOf(ours, "turns", times, `${seen} AND session_id NOT IN (${beyond})`)).toEqual(
    rowsOf(theirs, "turns", times, seen),
  );
});
it("has a turn for a prompt with an attachment alone, which the real one passes over", () => {
  const turns = (db: DatabaseSync) =>
    rowsOf(
      db,
      "turns",
      "turn_index, user_message, assistant_response",
      `session_id = '${ATTACHED_SESSION}'`,
    ).map(Object.values);
  expect(turns(theirs)).toEqual([
    [0, "words", "to words"],
    [1, "more words", "to more words"],
  ]);
  expect(turns(ours)).toEqual([
    [0, "words", "to words"],
    [1, "", "to an attachment"],
    [2, "more words", "to more words"],
  ]);
});
it("has the same files, and tells those that were only read", () => {
  compare("session_files", "session_id, file_path, tool_name, turn_index", "evidence = 'tool'");
  expect(
    rowsOf(ours, "session_files", "file_path", `action = 'read' AND session_id = '${REFS_SESSION}'`),
  ).toEqual([{ file_path: "src/read.ts" }]);
});
it("has the same references, and marks those it found beyond them", () => {
  compare("session_refs", "session_id, ref_type, ref_value, turn_index", "evidence = 'tool'");
  const more = rowsOf(
    ours,
    "session_refs",
    "ref_type, ref_value, evidence",
    `evidence <> 'tool' AND session_id = '${REFS_SESSION}'`,
  );
  expect(more.map((row) => Object.values(row).join(" "))).toEqual([
    "commit 1234567 mentioned",
    "commit 3333333 command",
    "commit 4444444 command",
    "commit 5555555 command",
    "commit 9999999 command",
    "commit aaaaaaa command",
    "issue 52 command",
    "issue 7 mentioned",
    "pr 44 command",
    "pr 47 command",
    "pr 99 mentioned",
  ]);
});
it("has the same checkpoints, and the titles that the real one loses", () => {
  compare(
    "checkpoints",
    "session_id, checkpoint_number, overview, history, work_done, technical_details, important_files, next_steps",
  );
  // Two of them are in the log, and all five beside it.
  expect(rowsOf(theirs, "checkpoints", "overview", `session_id = '${BESIDE_SESSION}'`)).toHaveLength(5);
  expect(rowsOf(theirs, "checkpoints", "title", "title <> ''")).toEqual([]);
  expect(rowsOf(ours, "checkpoints", "title", "title = ''")).toEqual([]);
});
it("has what the program noted of its model calls while it ran, which its reindex cannot make again", () => {
  const noted = usageOf(theirs);
  counts.push(`${noted.length} assistant_usage_events`);
  expect(noted.filter((row) => row.agent_id !== null).length).toBe(2);
  expect(noted.length).toBe(8);
  expect(usageOf(ours)).toEqual(noted);
});
/** Without the hour, which differs by a thousandth of a second, and in a fork without the turn, counted from 0 there. */
const usageOf = (db: DatabaseSync): Record<string, unknown>[] =>
  db
    .prepare("SELECT * FROM assistant_usage_events WHERE session_id IN (?, ?) ORDER BY created_at")
    .all(LIVE, FORK)
    // By `call_key` we alone recognise a call.
    .map(({ id: _id, created_at: _at, call_key: _key, turn_index, ...row }) => ({
      ...row,
      ...(row.session_id === LIVE && { turn_index }),
    }));
it("has the same sessions, and knows more of those without workspace.yaml", () => {
  const columns = "id, cwd, repository, branch, summary";
  const known = new Map(rowsOf(ours, "sessions", columns).map((row) => [row.id, row]));
  const real = rowsOf(theirs, "sessions", columns);
  for (const row of real) {
    const told = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
    expect(known.get(row.id)).toMatchObject(told);
  }
  console.log(`Real reindex: ${[...counts, `${real.length} sessions`].join(", ")} compared, no row differs`);
});
