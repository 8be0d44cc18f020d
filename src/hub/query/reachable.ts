/**
 * Answers about what can be reached while a server of a hub over several servers is down: what fails because of one is
 * asked again about the accounts on the others, and the answer says whose sessions are missing.
 */
import { AppError } from "../../model/errors.ts";
import type { HubDatabase } from "../database/connect.ts";
import type { Credentials } from "../database/credentials.ts";
import type { HubFilter } from "./filter.ts";

/** Part of an answer that may lack something. */
export interface Reached {
  /** The people whose sessions lie on a server that does not answer, by name; none where all could be asked. */
  readonly unreachable?: readonly string[];
}

/** Asks about everybody; without what cannot be reached, if need be. */
export async function askReachable<T extends object>(
  db: HubDatabase,
  who: Credentials,
  filter: HubFilter,
  ask: (filter: HubFilter) => Promise<T>,
): Promise<T & Reached> {
  try {
    return await ask(filter);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "database-unavailable") throw error;
    const people = await placePeople(db, who).catch(() => []);
    const lost = await findLost(db, who, people);
    const accounts = people.flatMap(({ account, server }) => (lost.has(server) ? [] : [account]));
    if (lost.size === 0 || accounts.length === 0) throw error;
    const unreachable = people.flatMap(({ name, server }) => (lost.has(server) ? [name] : []));
    return { ...(await ask({ ...filter, accounts })), unreachable: unreachable.toSorted() };
  }
}

interface Placed {
  readonly account: string;
  readonly name: string;
  /** Empty for this one. */
  readonly server: string;
}

/** The server of a partition, as the catalog of this one says it. */
const BY_PARTITION = `(SELECT f.srvname AS server, substring(b.bound FROM 'modulus (\\d+)')::int AS modulus,
        substring(b.bound FROM 'remainder (\\d+)')::int AS remainder
   FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
   CROSS JOIN LATERAL pg_get_expr(c.relpartbound, c.oid) b(bound)
   LEFT JOIN pg_foreign_table t ON t.ftrelid = c.oid LEFT JOIN pg_foreign_server f ON f.oid = t.ftserver
  WHERE i.inhparent = 'hub.sessions'::regclass) p
  ON satisfies_hash_partition('hub.sessions'::regclass, p.modulus, p.remainder, a.account_id)`;

/** The node of a shard. */
const BY_SHARD = `(SELECT d.shardid, n.nodename || ':' || n.nodeport AS server
   FROM pg_dist_placement d JOIN pg_dist_node n ON n.groupid = d.groupid) p
  ON p.shardid = get_shard_id_for_distribution_column('hub.sessions', a.account_id)`;

/** On which server the rows of each lie whose sessions one may see. */
async function placePeople(db: HubDatabase, who: Credentials): Promise<Placed[]> {
  const { isCitus } = await db.dialect();
  return db.as(who, async (tx) => {
    const rows = await tx.query(
      `SELECT a.account_id AS account, a.name, coalesce(p.server, '') AS server
         FROM (SELECT DISTINCT u.account FROM unnest(array_append(hub.my_mates(), hub.me())) u(account)) m
         JOIN hub.accounts a ON a.account_id = m.account
         JOIN ${isCitus ? BY_SHARD : BY_PARTITION}
        ORDER BY 2, 1`,
    );
    return rows.map((row) => ({
      account: String(row.account),
      name: String(row.name),
      server: String(row.server),
    }));
  });
}

/** Each server is asked about one account that it has. */
async function findLost(
  db: HubDatabase,
  who: Credentials,
  people: readonly Placed[],
): Promise<ReadonlySet<string>> {
  const lost = new Set<string>();
  const servers = new Map(people.map(({ server, account }) => [server, account]));
  await Promise.all(
    [...servers].map(async ([server, account]) => {
      const asked = db.as(who, (tx) =>
        tx.query("SELECT 1 FROM hub.sessions s WHERE s.account_id = $1 LIMIT 1", [account]),
      );
      await asked.catch(() => lost.add(server));
    }),
  );
  return lost;
}
