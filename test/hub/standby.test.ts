/** A read replica by streaming replication: it answers with the same rights, and takes over when its primary dies. */
import { randomUUID } from "node:crypto";
import { cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type HubDatabase, openHubDatabase } from "../../src/hub/database/connect.ts";
import { newToken, storedHash, toCredentials } from "../../src/hub/database/credentials.ts";
import { type PostgresServer, startPostgres } from "../../src/platform/process/postgres-server.ts";
import { adminOf, copyPrepared, FAST, PASSWORD, reachableFolder, SECRET, TEMPLATE } from "./prepared.ts";

// What the command line of a server says, ALTER SYSTEM cannot change.
const { synchronous_commit: _, ...RATHER_FAST } = FAST;
const SETTINGS = { ...RATHER_FAST, max_wal_senders: "4", wal_level: "replica" };
const SLOT = "replica";
let primary: PostgresServer;
let standby: PostgresServer;
const open: HubDatabase[] = [];
const account = randomUUID();
const who = toCredentials(newToken(account));

const hubAt = ({ host, port }: PostgresServer): HubDatabase => {
  const db = openHubDatabase({ host, port, database: TEMPLATE, secret: SECRET });
  open.push(db);
  return db;
};

/** What pg_basebackup does, which no npm package brings: copy the files between two marks, and stream the rest. */
async function startStandby(admin: pg.Client): Promise<PostgresServer> {
  await admin.query("SELECT pg_create_physical_replication_slot($1, true)", [SLOT]);
  return startPostgres({
    folder: join(reachableFolder("standby-"), "postgres"),
    password: PASSWORD,
    settings: {
      ...SETTINGS,
      primary_conninfo: `host=${primary.host} port=${primary.port} user=postgres password='${PASSWORD}' application_name=standby`,
      primary_slot_name: SLOT,
    },
    async fill({ folder, own }) {
      await admin.query("SELECT pg_backup_start('standby', true)");
      cpSync(primary.folder, folder, { recursive: true });
      const { rows } = await admin.query("SELECT labelfile FROM pg_backup_stop(false)");
      rmSync(join(folder, "postmaster.pid"));
      writeFileSync(join(folder, "backup_label"), String(rows[0]?.labelfile));
      writeFileSync(join(folder, "standby.signal"), "");
      for (const name of readdirSync(folder, { recursive: true })) own(join(folder, String(name)));
    },
  });
}

/** Servers take note of their settings in their own time; who connects then has them. */
async function isAcknowledged(): Promise<boolean> {
  const admin = new pg.Client(adminOf(primary, TEMPLATE));
  await admin.connect();
  const { rows } = await admin.query(
    `SELECT current_setting('synchronous_commit') = 'remote_apply' AND current_setting('synchronous_standby_names') <> ''
        AND EXISTS (SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync') AS is`,
  );
  await admin.end();
  return rows[0]?.is === true;
}

beforeAll(async () => {
  primary = await startPostgres({
    folder: join(reachableFolder("primary-"), "postgres"),
    password: PASSWORD,
    settings: SETTINGS,
    fill: copyPrepared,
  });
  const admin = new pg.Client(adminOf(primary, TEMPLATE));
  await admin.connect();
  await admin.query("INSERT INTO hub.accounts (account_id, name) VALUES ($1, 'one')", [account]);
  await admin.query(
    "INSERT INTO hub.tokens (account_id, token_id, hash, scopes) VALUES ($1, $2, $3, '{push,read}')",
    [account, randomUUID(), storedHash(who)],
  );
  standby = await startStandby(admin);
  // From now on a commit is acknowledged when the standby has it.
  await admin.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
  await admin.query("ALTER SYSTEM SET synchronous_commit = 'remote_apply'");
  await admin.query("SELECT pg_reload_conf()");
  await admin.end();
  while (!(await isAcknowledged())) await new Promise((resolve) => setTimeout(resolve, 10));
});
afterAll(async () => {
  await Promise.all(open.map((db) => db.close()));
  await standby.stop();
  await primary.stop();
});

const add = (db: HubDatabase, id: string) =>
  db.as(who, (tx) =>
    tx.change(
      "INSERT INTO hub.sessions (account_id, id, machine_id, source, vendor_id) VALUES ($1, $2, $3, 'copilot-cli', $2)",
      [account, id, randomUUID()],
    ),
  );
const ids = async (db: HubDatabase, as = who): Promise<unknown[]> =>
  (await db.as(as, (tx) => tx.query("SELECT id FROM hub.sessions ORDER BY id"))).map(({ id }) => id);

it("reads on the standby what the primary acknowledged, with the same rights, and writes nothing there", async () => {
  await add(hubAt(primary), "a");
  const replica = hubAt(standby);
  expect(await ids(replica)).toEqual(["a"]);
  expect(await ids(replica, { account, proof: "forged" })).toEqual([]);
  await expect(add(replica, "b")).rejects.toThrow(/read-only transaction/);
});

it("has every acknowledged row after the primary was killed, and goes on writing once it is promoted", async () => {
  const db = hubAt(primary);
  const acknowledged: string[] = [];
  for (let at = 0; at < 20; at++) {
    await add(db, `row ${at}`);
    acknowledged.push(`row ${at}`);
  }
  await primary.kill();
  await expect(add(db, "lost")).rejects.toMatchObject({ code: "database-unavailable" });
  const admin = new pg.Client(adminOf(standby, "postgres"));
  await admin.connect();
  await admin.query("ALTER SYSTEM RESET synchronous_standby_names");
  expect((await admin.query("SELECT pg_promote() AS promoted")).rows).toEqual([{ promoted: true }]);
  await admin.query("SELECT pg_reload_conf()");
  await admin.end();
  const promoted = hubAt(standby);
  await add(promoted, "z");
  expect(await ids(promoted)).toEqual(["a", ...acknowledged.toSorted(), "z"]);
});
