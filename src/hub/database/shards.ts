/**
 * Spreads a hub over several servers with PostgreSQL's own means: each partition of every table lies on a node and is a
 * foreign table (postgres_fdw) of the head, which alone is asked and alone decides who sees what. All rows of an account
 * are on one node.
 */
import type pg from "pg";
import { newClient } from "./connect.ts";
import type { Layout } from "./layout.ts";
import { MIGRATIONS, type Migrated, migrateHub } from "./migrate.ts";
import { partitionsOn } from "./migration.ts";
import { OWNER, passwordOf, prepareRoles, roleName } from "./roles.ts";

export interface HubNode {
  /** A name for the server, in small letters. */
  readonly name: string;
  /** Logs in as who may make roles and schemas there. */
  readonly admin: pg.ClientConfig;
  /** Under which the head reaches it, where that differs. */
  readonly address?: { readonly host: string; readonly port: number };
}

/** Partitions go to the nodes in turn. */
export const spreadOver = (names: readonly string[], partitions: number): Layout => ({
  partitions,
  serverOf: (partition) => names[partition % names.length],
});

/** Makes a hub whose rows lie on nodes. The head's admin must be a superuser, since only such may use postgres_fdw. */
export async function migrateSharded(
  head: pg.ClientConfig,
  nodes: readonly HubNode[],
  { secret, partitions }: { readonly secret: string; readonly partitions: number },
): Promise<Migrated> {
  for (const { name } of nodes)
    if (!/^[a-z][a-z0-9_]{0,30}$/.test(name)) throw new Error(`${name} is no name for a node`);
  const layout = spreadOver(
    nodes.map(({ name }) => name),
    partitions,
  );
  for (const node of nodes) await prepareNode(node, layout, secret);
  await prepareHead(head, nodes, secret);
  return migrateHub(head, { secret, layout });
}

/** The tables of a node, for the role by which the head logs in. Nothing is there for anybody else. */
async function prepareNode({ name, admin }: HubNode, layout: Layout, secret: string): Promise<void> {
  await within(admin, async (client) => {
    await prepareRoles(client, secret);
    await client.query("CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public");
    await client.query("CREATE SCHEMA IF NOT EXISTS hub");
    await client.query(
      "CREATE TABLE IF NOT EXISTS hub.migrations (id text PRIMARY KEY, partitions integer NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())",
    );
    await client.query(`GRANT USAGE ON SCHEMA hub TO ${roleName("shard")}`);
    const { rows } = await client.query<{ id: string }>("SELECT id FROM hub.migrations");
    const known = new Set(rows.map(({ id }) => id));
    for (const migration of MIGRATIONS) {
      if (known.has(migration.id)) continue;
      await client.query("BEGIN");
      for (const statement of migration.shard?.(layout, name) ?? []) await client.query(statement);
      await client.query("INSERT INTO hub.migrations (id, partitions) VALUES ($1, $2)", [
        migration.id,
        partitionsOn(layout, name).length,
      ]);
      await client.query("COMMIT");
    }
  });
}

async function prepareHead(head: pg.ClientConfig, nodes: readonly HubNode[], secret: string): Promise<void> {
  await within(head, async (client) => {
    await prepareRoles(client, secret);
    await client.query("CREATE EXTENSION IF NOT EXISTS postgres_fdw");
    // PostgreSQL 18 sends the UPDATE of a plan that finds its partition when it is run to the wrong foreign table.
    await client.query(
      `ALTER DATABASE ${client.escapeIdentifier(String(head.database))} SET plan_cache_mode = force_custom_plan`,
    );
    for (const { name, admin, address } of nodes) {
      const { host = admin.host, port = admin.port } = address ?? {};
      const options = Object.entries({
        host,
        port,
        dbname: admin.database,
        // Nodes are asked at the same time; what they know (trigrams) is left to them.
        async_capable: true,
        extensions: "pg_trgm",
        fetch_size: 1000,
        connect_timeout: 5,
        // A search over many accounts is planned by sizes that the nodes know.
        use_remote_estimate: false,
      }).map(([key, value]) => `${key} ${client.escapeLiteral(String(value))}`);
      await client.query(
        `CREATE SERVER IF NOT EXISTS ${name} FOREIGN DATA WRAPPER postgres_fdw OPTIONS (${options.join(", ")})`,
      );
      await client.query(`GRANT USAGE ON FOREIGN SERVER ${name} TO ${OWNER}`);
      const password = client.escapeLiteral(passwordOf("shard", secret));
      for (const role of [OWNER, ...(["app", "sql", "worker"] as const).map(roleName)])
        await client.query(
          `CREATE USER MAPPING IF NOT EXISTS FOR ${role} SERVER ${name} OPTIONS (user '${roleName("shard")}', password ${password})`,
        );
    }
  });
}

async function within(admin: pg.ClientConfig, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = newClient(admin);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
