/** The hub's database: who is believed, and what the schema looks like on a real server. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newToken, storedHash, toCredentials } from "../../src/hub/database/credentials.ts";
import { createTable, onOneServer } from "../../src/hub/database/layout.ts";
import { migrateHub } from "../../src/hub/database/migrate.ts";
import { newHub, type TestHub } from "./cluster.ts";
import { SECRET } from "./prepared.ts";

let hub: TestHub;
let admin: pg.Client;
const account = randomUUID();
const token = newToken(account);

beforeAll(async () => {
  hub = await newHub();
  admin = new pg.Client(hub.admin);
  await admin.connect();
  await admin.query("INSERT INTO hub.accounts (account_id, name) VALUES ($1, 'one')", [account]);
  await admin.query(
    "INSERT INTO hub.tokens (account_id, token_id, hash, scopes) VALUES ($1, $2, $3, '{push}')",
    [account, randomUUID(), storedHash(toCredentials(token))],
  );
});
afterAll(async () => {
  await admin.end();
  await hub.close();
});

const WHO =
  "SELECT hub.me() AS me, hub.may('push') AS push, hub.may('read') AS read, (SELECT count(*)::int FROM hub.accounts) AS seen";

it("knows an account by its token, with the scopes of that token", async () => {
  const [who] = await hub.db.as(toCredentials(token), (tx) => tx.query(WHO));
  expect(who).toEqual({ me: account, push: true, read: false, seen: 1 });
});

it.each([
  ["the account with another proof", { account, proof: "0".repeat(64) }],
  ["an account that does not exist", { ...toCredentials(token), account: randomUUID() }],
  ["what is no account at all", { account: "' OR true --", proof: "" }],
  ["nobody", { account: "", proof: "" }],
])("shows nothing to %s", async (_, who) => {
  const [found] = await hub.db.as(who, (tx) => tx.query(WHO));
  expect(found).toEqual({ me: null, push: false, read: false, seen: 0 });
});

it("partitions every table by account, with row-level security on each of them and on their partitions", async () => {
  const { rows } = await admin.query(
    `SELECT c.relname, c.relkind, c.relrowsecurity AS secured, pg_get_partkeydef(c.oid) AS key,
            (SELECT count(*)::int FROM pg_policies p WHERE p.schemaname = 'hub' AND p.tablename = c.relname) AS policies
       FROM pg_class c WHERE c.relnamespace = 'hub'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> 'migrations'`,
  );
  const tables = rows.filter(({ relkind }) => relkind === "p");
  expect(tables.length).toBeGreaterThan(15);
  expect(rows.filter(({ secured }) => !secured)).toEqual([]);
  expect(tables.filter(({ key, policies }) => key !== "HASH (account_id)" || policies === 0)).toEqual([]);
});

it("lets no role of the server own a table, make roles, or pass row-level security", async () => {
  const { rows } = await admin.query(
    `SELECT rolname, rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication AS mighty,
            (SELECT count(*)::int FROM pg_class c WHERE c.relowner = r.oid) AS owns
       FROM pg_roles r WHERE rolname LIKE 'rethread\\_%' AND rolcanlogin`,
  );
  expect(rows.map(({ rolname }) => rolname).sort()).toEqual(
    ["app", "shard", "sql", "worker"].map((role) => `rethread_${role}`),
  );
  expect(rows.filter(({ mighty, owns }) => mighty || owns > 0)).toEqual([]);
});

it("makes plain tables with their keys where something else distributes them", () => {
  const [table = "", ...rest] = createTable(
    { name: "things", columns: "id text NOT NULL", key: ["id"], indexes: ["(id)"] },
    onOneServer(0),
  );
  expect(table).toBe("CREATE TABLE hub.things (account_id uuid NOT NULL, id text NOT NULL)");
  expect(rest.join("; ")).toContain("ADD PRIMARY KEY (account_id, id)");
  expect(rest.join("; ")).toContain("ENABLE ROW LEVEL SECURITY");
  expect(rest.join("; ")).not.toContain("PARTITION");
});

it("migrates once", async () => {
  expect(await migrateHub(hub.admin, { secret: SECRET })).toEqual({ applied: [], partitions: 2 });
});
