/**
 * A hub whose tables Citus distributes over nodes by account. Who somebody is lies on every node, and the policies of each
 * node ask there; what a policy may not be made of on Citus, or would ask once for every row, is made otherwise here.
 */
import type pg from "pg";
import { AppError } from "../../model/errors.ts";
import { CITUS_FUNCTIONS } from "./citus-functions.ts";
import { ASKED_FUNCTIONS, policiesOf, replacePolicies } from "./citus-policies.ts";
import { LOGIN_ROLES, OWNER, passwordOf, roleName } from "./roles.ts";

/** On every node: what policies and names are read from. */
const EVERYWHERE = ["accounts", "tokens", "teams", "members"];
/** On the coordinator alone, so that it can be written while a node is down. */
const AT_HOME = ["audit", "migrations"];

const [APP, SQL, WORKER] = [roleName("app"), roleName("sql"), roleName("worker")];

/** Whether Citus is there, and the hub, if there is one yet, was not made with partitions. */
export async function isForCitus(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus')
        AND NOT EXISTS (SELECT 1 FROM pg_class WHERE oid = to_regclass('hub.sessions') AND relkind = 'p') AS is`,
  );
  return rows[0]?.is === true;
}

/**
 * Before the migrations, as a superuser. The coordinator logs in to the nodes as whoever asks it, also as the owner, whose
 * functions look past row-level security.
 */
export async function prepareCitus(client: pg.Client, secret: string): Promise<void> {
  await refuseRowsAtHome(client);
  const passwords = new Map([
    [OWNER, passwordOf("owner", secret)],
    ...LOGIN_ROLES.map((role) => [roleName(role), passwordOf(role, secret)] as const),
  ]);
  await client.query(
    `ALTER ROLE ${OWNER} LOGIN PASSWORD ${client.escapeLiteral(passwords.get(OWNER) ?? "")}`,
  );
  const known = [...passwords].map(
    ([role, password]) => `(0, '${role}', ${client.escapeLiteral(`password=${password}`)})`,
  );
  await onAllNodes(
    client,
    `INSERT INTO pg_dist_authinfo (nodeid, rolename, authinfo) VALUES ${known.join(", ")}
       ON CONFLICT (rolename, nodeid) DO UPDATE SET authinfo = excluded.authinfo`,
  );
  const { rows } = await client.query<{ name: string }>("SELECT quote_ident(current_database()) AS name");
  for (const setting of [
    // Who asks is named by SET LOCAL, which then reaches the nodes.
    "citus.propagate_set_commands = 'local'",
    // A plan that is kept knows neither the shard nor, in its policies, who asks.
    "plan_cache_mode = force_custom_plan",
  ])
    await client.query(`ALTER DATABASE ${rows[0]?.name} SET ${setting}`);
  // A node is told who asks by a statement, which others of the same role could read in its list of what goes on.
  for (const role of [OWNER, APP, SQL, WORKER])
    await client.query(`ALTER ROLE ${role} SET track_activities = off`);
}

/** What the coordinator asks itself it may plan once and keep, with the answers of policies in it (`citus-functions.ts`). */
async function refuseRowsAtHome(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    "SELECT 1 FROM pg_dist_node WHERE groupid = 0 AND shouldhaveshards",
  );
  if (rowCount === 0) return;
  throw new AppError(
    "database-unavailable",
    "The coordinator of the Citus cluster may hold rows, and then one account could see those of another",
    "Run `SELECT citus_set_node_property(nodename, nodeport, 'shouldhaveshards', false) FROM pg_dist_node WHERE groupid = 0`",
  );
}

/** On the nodes it would allow what it is to refuse. */
async function refuseRestrictive(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT p.polname || ' of ' || p.polrelid::regclass AS name FROM pg_policy p
       JOIN pg_dist_partition d ON d.logicalrelid = p.polrelid WHERE NOT p.polpermissive`,
  );
  if (rows[0]) throw new Error(`Citus knows no restrictive policy: ${rows[0].name}`);
}

async function onAllNodes(client: pg.Client, sql: string): Promise<void> {
  const { rows } = await client.query<{ nodeid: number; success: boolean; result: string }>(
    "SELECT nodeid, success, result FROM run_command_on_all_nodes($1)",
    [sql],
  );
  const failed = rows.find(({ success }) => !success);
  if (failed) throw new Error(`Node ${failed.nodeid} of the Citus cluster says: ${failed.result}`);
}

/** After the migrations; what is done already is left as it is. */
export async function distribute(client: pg.Client): Promise<void> {
  await client.query("BEGIN");
  for (const statement of CITUS_FUNCTIONS) await client.query(statement);
  for (const table of await newTables(client)) {
    const policies = replacePolicies(table, await policiesOf(client, table), !EVERYWHERE.includes(table));
    for (const statement of policies) await client.query(statement);
    await client.query(
      EVERYWHERE.includes(table)
        ? `SELECT create_reference_table('hub.${table}')`
        : `SELECT create_distributed_table('hub.${table}', 'account_id', colocate_with => '${table === FIRST ? "default" : `hub.${FIRST}`}')`,
    );
  }
  await refuseRestrictive(client);
  await client.query("COMMIT");
  await client.query("BEGIN");
  for (const statement of await identityOnNodes(client)) await client.query(statement);
  await client.query("COMMIT");
}

/** The others lie where its rows do. */
const FIRST = "sessions";

async function newTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
      WHERE c.relnamespace = 'hub'::regnamespace AND c.relkind = 'r' AND c.relname <> ALL ($1)
        AND NOT EXISTS (SELECT 1 FROM pg_dist_partition d WHERE d.logicalrelid = c.oid)
        AND EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'account_id')
      ORDER BY c.relname <> ALL ($2), c.relname <> $3, c.relname`,
    [AT_HOME, EVERYWHERE, FIRST],
  );
  return rows.map(({ name }) => name);
}

/**
 * The functions that know who asks, so that they read the tables of the node that they run on by their own names there. By
 * the names that all nodes share, Citus would refuse to answer within a statement that it has sent to a node.
 */
async function identityOnNodes(client: pg.Client): Promise<string[]> {
  const { rows: shards } = await client.query<{ name: string; shard: string }>(
    `SELECT c.relname AS name, s.shardid AS shard FROM pg_dist_shard s JOIN pg_class c ON c.oid = s.logicalrelid
      WHERE c.relnamespace = 'hub'::regnamespace AND c.relname = ANY ($1)`,
    [EVERYWHERE],
  );
  const { rows } = await client.query<{ definition: string }>(
    `SELECT pg_get_functiondef(p.oid) AS definition FROM pg_proc p
      WHERE p.pronamespace = 'hub'::regnamespace AND p.proname = ANY ($1)`,
    [["my_token", ...ASKED_FUNCTIONS]],
  );
  const changed = rows.map(({ definition }) =>
    shards.reduce(
      (text, { name, shard }) =>
        text.replaceAll(new RegExp(`\\bhub\\.${name}\\b`, "g"), `hub.${name}_${shard}`),
      definition,
    ),
  );
  // Sessions lie on the node that asks about their machine, and nothing of theirs is changed meanwhile.
  return [
    ...changed,
    "ALTER FUNCTION hub.shows_machine(uuid, uuid) SET citus.allow_nested_distributed_execution = on",
  ];
}
