/** Compares derived rows with those of a clean derivation: the same files pushed once, in peace, to a hub of their own. */
import type pg from "pg";
import type { HubDatabase } from "../../src/hub/database/connect.ts";
import { toCredentials } from "../../src/hub/database/credentials.ts";
import { DERIVED_TABLES } from "../../src/hub/database/migrations/0001-hub.ts";
import { deriveSession } from "../../src/hub/derive/derive.ts";
import { decodePush } from "../../src/hub/ingest/frame.ts";
import { receivePush } from "../../src/hub/ingest/receive.ts";
import { hubSessionId } from "../../src/hub/protocol.ts";
import { makeHistory, SOURCE } from "./history.ts";
import { addPusher, type Pusher } from "./people.ts";
import { frameOf } from "./pushing.ts";

/** What the time of the derivation and the number of pushes say; everything else is compared. */
const OF_THE_RUN = ["pushed_at", "derived_at", "raw_version", "derived_version"];

export interface BothHubs {
  readonly admin: pg.Client;
  readonly clean: HubDatabase;
  readonly cleanAdmin: pg.Client;
}

export interface SameRows {
  readonly sessions: number;
  /** By table: how many rows, and a hash of them. */
  readonly ours: Readonly<Record<string, string>>;
  readonly cleanly: Readonly<Record<string, string>>;
}

/** Pushes what the hub has of these sessions to the clean one, in the name of the same account, and makes its rows. */
export async function compareRows(
  { admin, clean, cleanAdmin }: BothHubs,
  person: Pusher,
  seeds: readonly number[],
  turns: number,
): Promise<SameRows> {
  await addPusher(cleanAdmin, person, "the same");
  await copyShares(admin, cleanAdmin, person.account);
  const { rows } = await admin.query<{ session_id: string; parts: string }>(
    "SELECT session_id, count(*) AS parts FROM hub.raw_events WHERE account_id = $1 GROUP BY 1",
    [person.account],
  );
  const stored = new Map(rows.map(({ session_id, parts }) => [session_id, Number(parts)]));
  const who = toCredentials(person.token);
  for (const seed of seeds) {
    const history = makeHistory(seed, turns);
    const session = hubSessionId(SOURCE, history.id, person.machine.id);
    const parts = stored.get(session) ?? 0;
    for (let part = 0; part < parts; part++) {
      const { header, bodies } = decodePush(frameOf(history, part, person).frame);
      await receivePush(clean, who, header, bodies);
    }
    if (parts > 0) await deriveSession(clean, { account: person.account, session });
  }
  return {
    sessions: stored.size,
    ours: await hashRows(admin, person.account),
    cleanly: await hashRows(cleanAdmin, person.account),
  };
}

/** A hash of all rows of an account, by table. */
async function hashRows(admin: pg.Client, account: string): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const table of ["sessions", ...DERIVED_TABLES]) {
    const { rows } = await admin.query<{ count: string; hash: string }>(
      `SELECT count(*), md5(coalesce(string_agg(r.text, E'\\n' ORDER BY r.text), '')) AS hash
         FROM (SELECT (to_jsonb(t) - $2::text[])::text AS text FROM hub.${table} t WHERE account_id = $1) r`,
      [account, OF_THE_RUN],
    );
    hashes[table] = `${rows[0]?.count} rows ${rows[0]?.hash}`;
  }
  return hashes;
}

/** What the account shows to its team, which is part of each row. */
async function copyShares(from: pg.Client, to: pg.Client, account: string): Promise<void> {
  for (const [table, columns] of [
    ["members", ["account_id", "team_id"]],
    ["shares", ["account_id", "share_id", "team_id", "repository", "shared_at"]],
  ] as const) {
    const { rows } = await from.query<Record<string, unknown>>(
      `SELECT * FROM hub.${table} WHERE account_id = $1`,
      [account],
    );
    for (const row of rows)
      await to.query(
        `INSERT INTO hub.${table} (${columns.join(", ")}) VALUES (${columns.map((_, at) => `$${at + 1}`).join(", ")})`,
        columns.map((column) => row[column]),
      );
  }
}
