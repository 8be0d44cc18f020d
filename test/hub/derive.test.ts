/** Derived rows: those of the local store, whichever way they come about. */
import { spawn } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDemo } from "../../src/demo/create.ts";
import type { HubDatabase } from "../../src/hub/database/connect.ts";
import { queueReindex, startBackfill, sweep } from "../../src/hub/derive/backfill.ts";
import { deriveSession } from "../../src/hub/derive/derive.ts";
import { type GivenJob, startPresence } from "../../src/hub/derive/presence.ts";
import { deleteSession } from "../../src/hub/ingest/delete.ts";
import { receivePush } from "../../src/hub/ingest/receive.ts";
import { hubSessionId } from "../../src/hub/protocol.ts";
import { workKey } from "../../src/model/session/work-key.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { createMemoryFs } from "../../src/platform/fs/memory.ts";
import type { Database } from "../../src/platform/sqlite/sqlite.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { builtHubProgram } from "../built.ts";
import { FIXTURES } from "../contracts/fixtures.ts";
import { createMachine } from "../handoff/machine.ts";
import { newHub, type TestHub } from "./cluster.ts";
import { indexLocally, pushAll } from "./machine.ts";
import { type People, type Person, peopleOf } from "./people.ts";
import { MACHINE, pushOf } from "./pushing.ts";

let hub: TestHub;
let people: People;
beforeAll(async () => {
  hub = await newHub();
  people = await peopleOf(hub);
});
afterAll(async () => {
  await people.close();
  await hub.close();
});

/** Columns of the local store that the hub has as well; where files are, and what is numbered, is each one's own. */
const TABLES: Record<string, { columns: string; where?: string; order: string }> = {
  sessions: {
    columns: `source, vendor_id, cwd, repository, repository_evidence, host_type, branch, summary, created_at, updated_at,
      title, turn_count, bytes, models, producer, parent_id, parent_kind, parent_title, parent_evidence, from_source, from_id,
      from_title, user_name, agent_name`,
    order: "source, vendor_id",
  },
  turns: {
    columns: `turn_index, user_message, assistant_response, timestamp, ended_at, more, byte_start, byte_end, log_line,
      digest, work, files_changed, compacted, preamble, text_bytes`,
    order: "turn_index",
  },
  turn_copies: { columns: "turn_index", order: "turn_index" },
  checkpoints: {
    columns:
      "checkpoint_number, title, overview, history, work_done, technical_details, important_files, next_steps, created_at, file",
    order: "checkpoint_number",
  },
  session_files: {
    columns:
      "file_path, tool_name, turn_index, first_seen_at, action, evidence, lines_added, lines_removed, uncounted",
    order: "file_path",
  },
  session_refs: {
    columns: "ref_type, ref_value, turn_index, created_at, evidence",
    order: "ref_type, ref_value",
  },
  tool_calls: { columns: "turn_index, tool_name, status, label, result_size, sub_agent", order: "k" },
  assistant_usage_events: {
    columns: `turn_index, agent_id, parent_tool_call_id, model, copilot_usage_model, input_tokens, output_tokens,
      cache_read_tokens, cache_write_tokens, reasoning_tokens, total_nano_aiu, request_multiplier, duration_ms,
      time_to_first_token_ms, output_ttft_ms, inter_token_latency_ms, initiator, api_endpoint, reasoning_effort,
      finish_reason, content_filter_triggered, token_details_json, created_at`,
    order: "k",
  },
  problems: { columns: "code, severity, line", where: "found_by = 'reading'", order: "code, line" },
  search_texts: { columns: "source_type, content, label", order: "source_type, content" },
};
const NUMBERS: Record<string, string> = { tool_calls: "call_number", assistant_usage_events: "usage_number" };

type Rows = Record<string, Record<string, unknown>[]>;

function localRows(store: Database): Rows {
  const rows: Rows = {};
  for (const [table, { columns, where, order }] of Object.entries(TABLES)) {
    const isSessions = table === "sessions";
    const named = columns.split(",").map((name) => `r.${name.trim()}`);
    rows[table] = store
      .prepare(
        `SELECT ${isSessions ? "" : "s.source AS of_source, s.vendor_id AS of_session, "}${named.join(", ")} FROM ${table} r
          ${isSessions ? "" : "JOIN sessions s ON s.id = r.session_id"} ${where ? `WHERE r.${where}` : ""}`,
      )
      .all()
      .map((row) => ({ ...row }));
    sortRows(rows[table], order);
  }
  return rows;
}

async function hubRows({ account }: Person): Promise<Rows> {
  const rows: Rows = {};
  for (const [table, { columns, order }] of Object.entries(TABLES)) {
    const isSessions = table === "sessions";
    const named = columns.split(",").map((name) => `r.${name.trim()}`);
    const found = await people.ask(
      `SELECT ${isSessions ? "" : "s.source AS of_source, s.vendor_id AS of_session, "}${named.join(", ")} FROM hub.${table} r
        ${isSessions ? "" : "JOIN hub.sessions s ON s.account_id = r.account_id AND s.id = r.session_id"}
        WHERE r.account_id = $1 ${NUMBERS[table] ? `ORDER BY r.${NUMBERS[table]}` : ""}`,
      [account],
    );
    rows[table] = found.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toNumber(value, name)])),
    );
    sortRows(rows[table] ?? [], order);
  }
  return rows;
}

const COUNTS = /^(bytes|byte_|digest|work|log_line|line|text_bytes|result_size|.*_tokens|.*_nano_aiu|.*_ms$)/;
const toNumber = (value: unknown, name: string): unknown =>
  typeof value === "string" && COUNTS.test(name) && !/evidence|work_done/.test(name) ? Number(value) : value;

/** By session, then as it is told; where a table has no order of its own, as it comes. */
function sortRows(rows: Record<string, unknown>[], order: string): void {
  const names = ["of_source", "of_session", ...(order === "k" ? [] : order.split(", "))];
  const key = (row: Record<string, unknown>): string =>
    names
      .map((name) => (typeof row[name] === "number" ? String(row[name]).padStart(9, "0") : row[name]))
      .join("\0");
  rows.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}

async function deriveAll({ account }: Person): Promise<void> {
  for (const { id } of await people.ask("SELECT id FROM hub.sessions WHERE account_id = $1 ORDER BY id", [
    account,
  ]))
    await deriveSession(hub.db, { account, session: String(id) });
}

async function compare(name: string, catalog: Catalog): Promise<{ who: Person; local: Rows }> {
  const who = await people.add(name);
  const store = await indexLocally(catalog);
  const local = localRows(store);
  await pushAll(hub.db, who, catalog, store);
  store.close();
  await deriveAll(who);
  expect(await hubRows(who)).toEqual(local);
  return { who, local };
}

async function demoCatalog(): Promise<Catalog> {
  const fs = createMemoryFs();
  const demo = await createDemo({
    fs,
    sources: SOURCES,
    home: "/data",
    now: new Date("2026-11-15T12:00:00Z"),
  });
  return openCatalog(SOURCES, { platform: "linux", homeDir: "/home/a", vars: demo.vars }, fs);
}

describe("rows that are made of what was pushed", () => {
  it("are those of the local store for every session of the demo, and the same when made again", async () => {
    const { who, local } = await compare("demo", await demoCatalog());
    for (const table of Object.keys(TABLES))
      if (table !== "problems" && table !== "turn_copies")
        expect(local[table]?.length, table).toBeGreaterThan(0);
    const everything = async () =>
      Promise.all(
        [...Object.keys(TABLES), "daily_stats"].map((table) =>
          people.ask(
            `SELECT r.* FROM hub.${table} r WHERE r.account_id = $1 ORDER BY ${table === "sessions" ? "id" : "r::text"}`,
            [who.account],
          ),
        ),
      );
    const strip = (tables: Record<string, unknown>[][]) =>
      tables.map((rows) => rows.map(({ derived_at: _, ...row }) => row));
    const before = strip(await everything());
    await deriveAll(who);
    expect(strip(await everything())).toEqual(before);
  });

  it("are those of the local store for what was handed over, and for a fork of it", async () => {
    const time = "2026-11-15T12:00:01.000Z";
    const prompt = {
      kind: "prompt",
      id: "e1",
      time,
      text: "Paint it",
      origin: { line: 1, start: 0, end: 0 },
    } as const;
    const work = workKey({ source: "copilot-cli", renewsIds: false }, prompt);
    const row = (sessionId: string, minute: number) =>
      `${JSON.stringify({
        ...{
          type: "user",
          uuid: `u${minute}`,
          parentUuid: null,
          sessionId,
          cwd: "/srv/work",
          version: "2.1.0",
        },
        ...{ timestamp: `2026-11-15T12:0${minute}:00.000Z`, message: { role: "user", content: "Paint it" } },
        handoff: { work, from: { source: "copilot-cli", id: "s", title: "Paint it", to: made } },
      })}\n`;
    const [made, fork] = ["aaaa0000-0000-4000-8000-000000000001", "aaaa0000-0000-4000-8000-000000000002"];
    const { local } = await compare(
      "handed over",
      await createMachine(SOURCES, {
        [`/home/copilot/${LOG("s")}`]: START + ASK(1, "Paint it"),
        [`/home/claude/projects/-srv-work/${made}.jsonl`]: row(made, 1),
        [`/home/claude/projects/-srv-work/${fork}.jsonl`]: row(fork, 2),
      }),
    );
    expect(local.turn_copies).toHaveLength(2);
    const origins = local.sessions?.map(({ vendor_id, parent_id, from_source, from_id, from_title }) => [
      ...[vendor_id, parent_id],
      ...[from_source, from_id, from_title],
    ]);
    expect(origins).toEqual(
      expect.arrayContaining([
        ["s", null, null, null, null],
        [made, null, "copilot-cli", "s", "Paint it"],
        [fork, made, null, null, null],
      ]),
    );
  });

  it.each(FIXTURES.map((fixture) => [fixture.name, fixture] as const))(
    "are those of the local store for %s",
    async (name, { source, home }) => {
      const env = { platform: "linux", homeDir: "/nowhere", vars: {} } as const;
      const catalog = openCatalog([{ ...source, locate: [home] }], env, localFs);
      const { local } = await compare(name, catalog);
      expect(local.sessions?.length).toBeGreaterThan(0);
    },
  );
});

const LOG = (id: string): string => `session-state/${id}/events.jsonl`;
const EVENT = (at: number, type: string, data: object): string =>
  `${JSON.stringify({ type, data, id: `e${at}`, timestamp: `2026-11-15T12:00:0${at}.000Z`, parentId: null })}\n`;
const START = EVENT(0, "session.start", { sessionId: "s", version: 1, producer: "copilot-agent" });
const ASK = (at: number, content: string): string => EVENT(at, "user.message", { content });

async function pushLog(who: Person, id: string, before: string, text: string, more = {}): Promise<string> {
  const { header, bodies } = pushOf([{ path: LOG(id), before, texts: [text], ...more }], { id });
  await receivePush(hub.db, who, header, bodies);
  return hubSessionId("copilot-cli", id, MACHINE.id);
}
const turnsOf = async (session: string): Promise<unknown[]> =>
  (
    await people.ask("SELECT user_message FROM hub.turns WHERE session_id = $1 ORDER BY turn_index", [
      session,
    ])
  ).map((row) => row.user_message);
const rowOf = async (session: string) =>
  (
    await people.ask(
      "SELECT raw_version::int, derived_version::int, derive_error, turn_count FROM hub.sessions WHERE id = $1",
      [session],
    )
  )[0];
const jobs = async (session: string) =>
  (
    await people.ask("SELECT state FROM hub_queue.job WHERE data->>'session' = $1 ORDER BY created_on", [
      session,
    ])
  ).map(({ state }) => state);

/** Hears of each time that a worker looks for others that are gone. */
const watched =
  (db: HubDatabase, looked: () => void): HubDatabase["pool"] =>
  (role) =>
    new Proxy(db.pool(role), {
      get(pool, name) {
        const value = Reflect.get(pool, name);
        if (name !== "query") return typeof value === "function" ? value.bind(pool) : value;
        return (text: string, values?: unknown[]) => {
          if (text.includes("pg_locks")) looked();
          return pool.query(text, values);
        };
      },
    });

/** What a worker has done, as it sees it. */
async function untilDerived(session: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const row = await rowOf(session);
    if (row && row.raw_version === row.derived_version) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${session} was not derived: ${JSON.stringify(await rowOf(session))}`);
}

describe("the backfill", () => {
  let who: Person;
  const errors: unknown[] = [];
  beforeAll(async () => {
    who = await people.add("worked for");
  });

  it("makes rows of what was pushed before and while it runs, once for pushes that wait", async () => {
    const session = await pushLog(who, "grows", "", START + ASK(1, "first"));
    await pushLog(who, "grows", START + ASK(1, "first"), ASK(2, "second"));
    expect(await jobs(session)).toEqual(["created"]);
    const backfill = await startBackfill(hub.db, { onError: (error) => void errors.push(error) });
    await untilDerived(session);
    expect(await turnsOf(session)).toEqual(["first", "second"]);
    await pushLog(who, "grows", START + ASK(1, "first") + ASK(2, "second"), ASK(3, "third"));
    await untilDerived(session);
    expect(await turnsOf(session)).toEqual(["first", "second", "third"]);
    await backfill.stop();
    expect(errors).toEqual([]);
  });

  it("gives what a killed worker had in hand to another at once, and nothing of one that is slow", async () => {
    const ids = ["held", "behind"];
    const sessions = await Promise.all(ids.map((id) => pushLog(who, id, "", START + ASK(1, "first"))));
    // Whoever has the first of them waits here for as long as we like.
    await people.ask("BEGIN");
    await people.ask("LOCK TABLE hub.daily_stats IN EXCLUSIVE MODE");
    const words = [builtHubProgram("working"), JSON.stringify(hub.place)];
    const killed = spawn(process.execPath, words, { stdio: "inherit" });
    const given = async () =>
      people.ask(
        "SELECT state, retry_count, output ? 'worker' AS claimed FROM hub_queue.job WHERE data->>'session' = ANY ($1)",
        [sessions],
      );
    const inHand = sessions.map(() => ({ state: "active", retry_count: 0, claimed: true }));
    await expect.poll(given, { timeout: 20_000 }).toEqual(inHand);
    const noted: unknown[] = [];
    let looks = 0;
    const seen = { ...hub.db, pool: watched(hub.db, () => void looks++) };
    const backfill = await startBackfill(seen, { onError: (error) => void noted.push(error), lookMs: 50 });
    await expect.poll(() => looks).toBeGreaterThan(4);
    expect(await given()).toEqual(inHand);
    killed.kill("SIGKILL");
    await expect
      .poll(async () => (await given()).filter(({ retry_count }) => retry_count === 1))
      .toHaveLength(ids.length);
    await people.ask("ROLLBACK");
    for (const session of sessions) await untilDerived(session);
    await backfill.stop();
    expect(noted).toEqual([]);
    expect(await Promise.all(sessions.map(turnsOf))).toEqual([["first"], ["first"]]);
  });

  it("gives out what a worker was given and never claimed, and settles nothing that another has by now", async () => {
    const session = await pushLog(who, "unclaimed", "", START + ASK(1, "first"));
    const take = (ago: number) =>
      people.ask(
        `UPDATE hub_queue.job SET state = 'active', started_on = now() - $2 * interval '1 second'
          WHERE data->>'session' = $1 RETURNING id, retry_count AS "retryCount"`,
        [session, ago],
      ) as Promise<unknown[]> as Promise<GivenJob[]>;
    const mine = await take(1);
    const presence = await startPresence(hub.db, { onError: (error) => void errors.push(error) });
    expect(await jobs(session)).toEqual(["active"]);
    expect((await presence.claim(mine)).ids.size).toBe(1);
    const later = mine.map((job) => ({ ...job, retryCount: job.retryCount + 1 }));
    expect((await presence.claim(later)).ids.size).toBe(0);
    await presence.stop();
    await people.ask("UPDATE hub_queue.job SET output = NULL WHERE data->>'session' = $1", [session]);
    await take(60);
    await (await startPresence(hub.db, { onError: (error) => void errors.push(error) })).stop();
    expect(await jobs(session)).toEqual(["retry"]);
    await people.ask("UPDATE hub_queue.job SET retry_count = retry_limit WHERE data->>'session' = $1", [
      session,
    ]);
    await take(60);
    await (await startPresence(hub.db, { onError: (error) => void errors.push(error) })).stop();
    expect(await jobs(session)).toEqual(["failed"]);
    expect(errors).toEqual([]);
    await deriveSession(hub.db, { account: who.account, session });
  });

  it("takes no more of a batch once its connection is lost, and is there again with the next", async () => {
    const presence = await startPresence(hub.db, { onError: () => undefined });
    const claim = await presence.claim([]);
    expect(claim.isHeld()).toBe(true);
    await people.ask(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    await expect.poll(() => claim.isHeld()).toBe(false);
    expect((await presence.claim([])).isHeld()).toBe(true);
    await presence.stop();
  });

  it("finds what no job asks for", async () => {
    const session = await pushLog(who, "lost", "", START + ASK(1, "first"));
    await people.ask("DELETE FROM hub_queue.job WHERE data->>'session' = $1", [session]);
    expect(await sweep(hub.db)).toBe(1);
    expect(await sweep(hub.db)).toBe(0);
    expect(await jobs(session)).toEqual(["created"]);
  });

  it("does not wait for the future after a clock that was ahead was set right", async () => {
    const pushed = await pushLog(who, "ahead", "", START + ASK(1, "first"));
    const given = await pushLog(who, "given ahead", "", START + ASK(1, "first"));
    await people.ask(
      "UPDATE hub_queue.job SET start_after = now() + interval '2 years' WHERE state = 'created'",
    );
    await people.ask(
      "UPDATE hub_queue.job SET state = 'active', started_on = now() + interval '2 years' WHERE data->>'session' = $1",
      [given],
    );
    await people.ask(
      "UPDATE hub_queue.queue SET maintain_on = now() + interval '2 years', monitor_on = now() + interval '2 years'",
    );
    await sweep(hub.db);
    const late = await people.ask(
      `SELECT 1 FROM hub_queue.job WHERE greatest(start_after, started_on) > now() AND state <> 'failed'
       UNION ALL SELECT 1 FROM hub_queue.queue WHERE greatest(maintain_on, monitor_on) > now()`,
    );
    expect(late).toEqual([]);
    // As if it had been given out a while ago.
    await people.ask(
      "UPDATE hub_queue.job SET started_on = started_on - interval '1 minute' WHERE state = 'active'",
    );
    const backfill = await startBackfill(hub.db, { onError: (error) => void errors.push(error), lookMs: 50 });
    await untilDerived(pushed);
    await untilDerived(given);
    await backfill.stop();
    expect(errors).toEqual([]);
  });

  it("makes rows again that an older version made, and leaves those of its own", async () => {
    const session = await pushLog(who, "older", "", START + ASK(1, "first"));
    await deriveSession(hub.db, { account: who.account, session });
    const asked = async () => {
      await people.ask("DELETE FROM hub_queue.job");
      await sweep(hub.db);
      return jobs(session);
    };
    expect(await asked()).toEqual([]);
    await people.ask("UPDATE hub.sessions SET rows_version = rows_version - 1 WHERE id = $1", [session]);
    expect(await asked()).toEqual(["created"]);
    await deriveSession(hub.db, { account: who.account, session });
    expect(await asked()).toEqual([]);
  });

  it("makes the rows of a push before those that are only made again, and brings them forward", async () => {
    const again = await pushLog(who, "again", "", START + ASK(1, "first"));
    await deriveSession(hub.db, { account: who.account, session: again });
    await people.ask("DELETE FROM hub_queue.job");
    const waiting = () =>
      people.ask(
        "SELECT data->>'session' AS session FROM hub_queue.job WHERE state = 'created' ORDER BY priority DESC, created_on",
      );
    await people.ask("UPDATE hub.sessions SET rows_version = rows_version - 1 WHERE id = $1", [again]);
    await sweep(hub.db);
    const pushed = await pushLog(who, "pushed", "", START + ASK(1, "first"));
    expect((await waiting()).at(-1)).toEqual({ session: again });
    expect(await waiting()).toContainEqual({ session: pushed });
    await pushLog(who, "again", START + ASK(1, "first"), ASK(2, "second"));
    expect((await waiting())[0]).toEqual({ session: again });
    await people.ask("DELETE FROM hub_queue.job");
    await queueReindex(hub.db, who.account);
    const other = await pushLog(who, "pushed meanwhile", "", START + ASK(1, "first"));
    expect((await waiting())[0]).toEqual({ session: other });
    for (const session of [again, pushed, other])
      await deriveSession(hub.db, { account: who.account, session });
    await people.ask("DELETE FROM hub_queue.job");
  });

  it("rebuilds all sessions, or those of one account", async () => {
    const [{ n } = { n: 0 }] = await people.ask(
      "SELECT count(*)::int AS n FROM hub.sessions WHERE account_id = $1",
      [who.account],
    );
    await people.ask("DELETE FROM hub_queue.job");
    expect(await queueReindex(hub.db, who.account)).toBe(n);
    await pushLog(await people.add("one more"), "other", "", START);
    await people.ask("DELETE FROM hub_queue.job");
    expect(await queueReindex(hub.db)).toBeGreaterThan(Number(n));
    await people.ask("DELETE FROM hub_queue.job");
  });

  it("goes on where it was killed, with nothing half done", async () => {
    const session = await pushLog(who, "killed", "", START + ASK(1, "first"));
    await deriveSession(hub.db, { account: who.account, session });
    await pushLog(who, "killed", START + ASK(1, "first"), ASK(2, "second"));
    // Rows are gone and written anew by then, and its transaction is cut off while it waits for us.
    await people.ask("BEGIN");
    await people.ask("LOCK TABLE hub.daily_stats IN EXCLUSIVE MODE");
    const running = deriveSession(hub.db, { account: who.account, session });
    const cut = expect(running).rejects.toMatchObject({ code: "database-unavailable" });
    let killed: unknown[] = [];
    while (killed.length === 0)
      killed = await people.ask(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE usename = 'rethread_worker' AND datname = $1 AND wait_event_type = 'Lock'`,
        [hub.place.database],
      );
    await cut;
    await people.ask("ROLLBACK");
    expect(await turnsOf(session)).toEqual(["first"]);
    await deriveSession(hub.db, { account: who.account, session }).catch(() =>
      deriveSession(hub.db, { account: who.account, session }),
    );
    expect(await turnsOf(session)).toEqual(["first", "second"]);
    expect(await rowOf(session)).toMatchObject({ raw_version: 2, derived_version: 2, derive_error: null });
  });

  it("says why a session has no rows, and has them once it was pushed anew", async () => {
    const session = await pushLog(who, "false", "", START, { more: true });
    await pushLog(who, "false", START, ASK(1, "first"), { sha256: "0".repeat(64) });
    const job = { account: who.account, session };
    await expect(deriveSession(hub.db, job)).rejects.toMatchObject({ code: "unreadable" });
    expect((await rowOf(session))?.derive_error).toMatch(/is not the file whose hash was sent/);
    await pushLog(who, "false", "", START + ASK(1, "again"), { generation: 1 });
    await deriveSession(hub.db, job);
    expect(await turnsOf(session)).toEqual(["again"]);
    expect((await rowOf(session))?.derive_error).toBeNull();
  });

  it("notes files that are no session", async () => {
    const { header, bodies } = pushOf([{ path: "notes.txt", texts: ["hello"] }], { id: "none" });
    await receivePush(hub.db, who, header, bodies);
    const session = hubSessionId("copilot-cli", "none", MACHINE.id);
    expect(await deriveSession(hub.db, { account: who.account, session })).toBe("empty");
    expect((await rowOf(session))?.derive_error).toMatch(/hold no session/);
  });

  it("keeps characters that PostgreSQL does not take", async () => {
    const session = await pushLog(who, "odd", "", START + ASK(1, "a\0b \ud800 c"));
    await deriveSession(hub.db, { account: who.account, session });
    expect(await turnsOf(session)).toEqual(["a\ufffdb \ufffd c"]);
  });

  it("keeps names of models that can be asked as JSON, which knows no escaped NUL either", async () => {
    const answer = EVENT(2, "assistant.message", { content: "yes", messageId: "m", model: "gpt\0\ud800" });
    const session = await pushLog(who, "model", "", START + ASK(1, "first") + answer);
    await deriveSession(hub.db, { account: who.account, session });
    const [row] = await people.ask("SELECT models::jsonb AS models FROM hub.sessions WHERE id = $1", [
      session,
    ]);
    expect(row?.models).toEqual(["gpt\ufffd\ufffd"]);
  });

  it("neither reads what is sealed nor brings back what was deleted", async () => {
    const sealed = pushOf([{ path: LOG("sealed"), texts: ["x"] }], { id: "sealed", isSealed: true });
    const body = Buffer.from("x");
    await receivePush(hub.db, who, sealed.header, [body]);
    const session = hubSessionId("copilot-cli", "sealed", MACHINE.id);
    expect(await jobs(session)).toEqual([]);
    expect(await deriveSession(hub.db, { account: who.account, session })).toBe("gone");
    const deleted = await pushLog(who, "deleted", "", START + ASK(1, "first"));
    await deriveSession(hub.db, { account: who.account, session: deleted });
    expect((await deleteSession(hub.db, who, deleted)).rows).toBeGreaterThan(2);
    expect(await deriveSession(hub.db, { account: who.account, session: deleted })).toBe("gone");
    for (const table of ["turns", "search_texts", "daily_stats", "problems"])
      expect(await people.ask(`SELECT 1 FROM hub.${table} WHERE session_id = $1`, [deleted])).toEqual([]);
  });

  it("sees nothing of other accounts", async () => {
    const session = await pushLog(who, "mine", "", START + ASK(1, "first"));
    const other = await people.add("somebody else");
    expect(await deriveSession(hub.db, { account: other.account, session })).toBe("gone");
  });
});
