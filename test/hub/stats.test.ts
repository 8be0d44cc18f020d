/** Statistics of a hub come from counts by day; these are compared with what every single turn says. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { HubDatabase, Transaction } from "../../src/hub/database/connect.ts";
import { migrateHub } from "../../src/hub/database/migrate.ts";
import { dateFiles } from "../../src/hub/database/migrations/0007/day-counts.ts";
import { settle } from "../../src/hub/derive/settle.ts";
import type { HubFilter } from "../../src/hub/query/filter.ts";
import { type HubStatsBy, hubStats, hubStatsBy } from "../../src/hub/query/stats/stats.ts";
import { createRandom } from "../leaks/random.ts";
import { newHub, type TestHub } from "./cluster.ts";
import { type People, type Person, peopleOf } from "./people.ts";
import { SECRET } from "./prepared.ts";

let hub: TestHub;
let people: People;
let [ada, ben, cleo]: Person[] = [];
beforeAll(async () => {
  hub = await newHub();
  people = await peopleOf(hub);
  [ada, ben, cleo] = [await people.add("ada"), await people.add("ben"), await people.add("cleo")];
  const team = await people.team("crew", ada, ben);
  const { below } = createRandom(7);
  await fillWith(() => below(2 ** 30) / 2 ** 30, [ada, ben], team);
});

const of = <T>(random: () => number, values: readonly T[]): T =>
  values[Math.floor(random() * values.length)] as T;

const insert = (table: string, row: Readonly<Record<string, unknown>>) =>
  people.ask(
    `INSERT INTO hub.${table} (${Object.keys(row).join(", ")}) VALUES (${Object.keys(row).map((_, at) => `$${at + 1}`)})`,
    Object.values(row),
  );

/** Over five days, some times that are none, and one from the past. */
const timeFor = (random: () => number): string | null => {
  const odd = random();
  if (odd < 0.05) return null;
  if (odd < 0.1) return of(random, ["", "soon", "1999-01-01T00:00:00.000Z", "2026-11-12Tnoon"]);
  const two = (below: number): string => String(Math.floor(random() * below)).padStart(2, "0");
  return `2026-11-1${Math.floor(random() * 5)}T${two(24)}:${two(60)}:${two(60)}.000Z`;
};

/** Sessions of both, of which some have the turns of others, some are shared, and some have none. */
async function fillWith(random: () => number, owners: readonly Person[], team: string): Promise<void> {
  for (const { account } of owners) {
    const ids: string[] = [];
    for (let at = 0; at < 24; at++) {
      const id = `s${String(at).padStart(2, "0")}`;
      const key = { account_id: account, team_id: random() < 0.5 ? team : null };
      const turns = of(random, [0, 2, 3, 6, 6]);
      const isCopyOf = at > 1 && random() < 0.75 ? of(random, ids) : undefined;
      const kept = random() < 0.3 ? 99 : 2;
      await insert("sessions", {
        ...{ ...key, id, machine_id: randomUUID(), vendor_id: id, turn_count: turns, derived_version: 1 },
        source: of(random, ["copilot-cli", "claude-code"]),
        repository: of(random, ["Acme/Shop", "acme/shop", "acme/web", null]),
        ...{ cwd: of(random, ["/work/a", null]), created_at: `2026-11-09T00:00:${id.slice(1)}.000Z` },
        ...{ updated_at: timeFor(random), models: JSON.stringify([of(random, ["gpt-5.4", "o9"])]) },
      });
      for (let turn = 0; turn < turns; turn++)
        await insert("turns", {
          ...{ ...key, session_id: id, turn_index: turn, timestamp: timeFor(random) },
          work: (isCopyOf !== undefined && turn < kept ? Number(isCopyOf.slice(1)) : at) * 10 + turn,
        });
      // Some of no turn, and of one that is not there.
      const turn = (): number | null => (random() < 0.2 ? null : Math.floor(random() * (turns + 1)));
      for (let call = 0; call < 5; call++) {
        const named = { ...key, session_id: id };
        await insert("tool_calls", {
          ...{ ...named, call_number: call, turn_index: turn(), status: of(random, ["failed", "ok"]) },
          tool_name: of(random, ["bash", "Bash", "view"]),
        });
        await insert("assistant_usage_events", {
          ...{ ...named, usage_number: call, turn_index: turn(), input_tokens: Math.floor(random() * 1000) },
          ...{ model: of(random, ["gpt-5.4", "GPT-5.4", "claude-sonnet-5"]), output_tokens: call },
          ...{ cache_read_tokens: of(random, [null, 7]), cache_write_tokens: of(random, [null, 3]) },
        });
        await insert("session_files", {
          ...{ ...named, turn_index: turn(), file_path: `/work/${call}${of(random, "abc".split(""))}.ts` },
          ...{ action: of(random, ["read", "edit"]), evidence: "tool" },
        });
      }
      ids.push(id);
    }
    await people.ask(dateFiles((name) => `hub.${name}`));
    await hub.db.work(account, (tx) => settle(tx, account, ids));
  }
}

const FILTERS: readonly HubFilter[] = [
  {},
  { repository: "acme/shop" },
  { people: ["ben"] },
  { sources: ["claude-code"], since: "2026-11-11T00:00:00.000Z" },
  { since: "2026-11-11T09:30:00.000Z" },
  { until: "2026-11-13T00:00:00.000Z" },
  { since: "2026-11-11", until: "2026-11-12T23:59:59.999Z" },
  { since: "2026-11-12T06:00:00.000Z", until: "2026-11-12T18:00:00.000Z" },
  { since: "2027-01-01T00:00:00.000Z" },
];

describe("statistics from counts by day", () => {
  it.each(FILTERS.map((filter) => [JSON.stringify(filter), filter] as const))(
    "are those that every turn tells, for each asker, for %s",
    async (_, filter) => {
      const all = [];
      for (const who of [ada, ben, cleo]) {
        if (!who) throw new Error("nobody asks");
        const [counted, told] = [
          await hubStats(hub.db, who, filter),
          await hubStats(hub.db, who, filter, { isDetailed: true }),
        ];
        expect(counted).toEqual(told);
        all.push(counted.totals.turns);
      }
      expect(all[2]).toBe(0);
    },
  );

  it("have copies, of sessions that the asker sees and of others, among what they count", async () => {
    const [row] = await people.ask(
      `SELECT count(DISTINCT c.session_id) FILTER (WHERE o.team_id IS NULL AND s.team_id IS NOT NULL)::int AS hidden,
              count(DISTINCT c.session_id)::int AS copies
         FROM hub.turn_copies c JOIN hub.sessions s ON s.account_id = c.account_id AND s.id = c.session_id
         JOIN hub.sessions o ON o.account_id = c.account_id AND o.id = c.owner`,
    );
    expect(Number(row?.hidden)).toBeGreaterThan(2);
    expect(Number(row?.copies)).toBeGreaterThan(10);
    for (const who of [ada, ben])
      expect((await hubStats(hub.db, who as Person, {})).totals.turns).toBeGreaterThan(50);
  });

  it("read no turn, no call and, but for the list of files, no file", async () => {
    const plans = async (by: HubStatsBy): Promise<string> => {
      let plan = "";
      if (!ada) throw new Error("nobody asks");
      await hubStatsBy(
        watching(hub.db, (text) => {
          plan += text;
        }),
        ada,
        {},
        by,
      );
      return plan;
    };
    for (const by of ["day", "week", "repository", "source", "person", "model", "tool"] as const) {
      const plan = await plans(by);
      expect(plan).toMatch(/daily_stats_p\d/);
      expect(plan).not.toMatch(/\b(turns|tool_calls|assistant_usage_events|session_files)_p\d/);
    }
    const plan = await plans("file");
    expect(plan).not.toMatch(/\b(turns|tool_calls|assistant_usage_events)_p\d/);
  });
});

/** Tells the plan of every question. */
const watching = (db: HubDatabase, onPlan: (plan: string) => void): HubDatabase => ({
  ...db,
  as: (who, work, options) =>
    db.as(
      who,
      (tx: Transaction) =>
        work({
          ...tx,
          async query(sql, values) {
            const plan = await tx.query(`EXPLAIN ${sql}`, values);
            onPlan(`${plan.map((row) => row["QUERY PLAN"]).join("\n")}\n`);
            return tx.query(sql, values);
          },
        }),
      options,
    ),
});

describe("a hub of an older version", () => {
  it("gets the counts of what is there already", async () => {
    const rows = () =>
      Promise.all([
        people.ask("SELECT * FROM hub.daily_stats ORDER BY account_id, session_id, day, owner"),
        people.ask("SELECT account_id, session_id, file_path, at FROM hub.session_files ORDER BY 1, 2, 3"),
      ]);
    const before = await rows();
    await people.ask("DELETE FROM hub.migrations WHERE id = '0007-statistics'");
    await people.ask("ALTER TABLE hub.session_files DROP COLUMN at");
    await people.ask("DELETE FROM hub.daily_stats");
    expect((await migrateHub(hub.admin, { secret: SECRET })).applied).toEqual(["0007-statistics"]);
    expect(await rows()).toEqual(before);
    expect(before[0].length).toBeGreaterThan(100);
  });
});
