/** The queue of the backfill: pg-boss, in a schema of its own on the same database. */
import type { ClientBase } from "pg";
import type { Db, PgBoss } from "pg-boss";
import { roleName } from "../database/roles.ts";

export const QUEUE_SCHEMA = "hub_queue";
/**
 * One job per session that waits: pushes during a run ask for one more. Nothing forbids two of one session to run, as the
 * session's lock does; were it the queue's affair, nobody would be given any job while one such waits.
 */
export const DERIVE_QUEUE = "derive";

export interface DeriveJob {
  readonly account: string;
  readonly session: string;
}

const RETRIES = { retryLimit: 8, retryDelay: 2, retryBackoff: true, retryDelayMax: 600 };
/** Of a worker that hangs, but is there; one that was killed is noticed sooner (`presence.ts`). */
const HEARTBEAT_SECONDS = 60;
const EXPIRE_SECONDS = 3600;
const KEEP_DONE_SECONDS = 24 * 3600;

/** As the owner, after the migrations: makes the queue, or brings it to the schema of this version of pg-boss. */
export async function prepareQueue(client: ClientBase): Promise<void> {
  const boss = await newBoss(
    { executeSql: async (text, values) => firstResult(await client.query(text, values)) },
    { migrate: true },
  );
  await boss.start();
  await boss.createQueue(DERIVE_QUEUE, {
    policy: "short",
    ...RETRIES,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: EXPIRE_SECONDS,
    deleteAfterSeconds: KEEP_DONE_SECONDS,
  });
  await boss.stop({ close: false, graceful: false });
  // Looked through every second, while those that are done are kept for a day.
  const { rows } = await client.query<{ index: string | null }>(
    `SELECT to_regclass('${QUEUE_SCHEMA}.job_active') AS index`,
  );
  if (rows[0]?.index === null)
    await client.query(`CREATE INDEX job_active ON ${QUEUE_SCHEMA}.job (started_on) WHERE state = 'active'`);
  const worker = roleName("worker");
  await client.query(`GRANT USAGE ON SCHEMA ${QUEUE_SCHEMA} TO ${worker}`);
  await client.query(
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${QUEUE_SCHEMA} TO ${worker}`,
  );
  await client.query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${QUEUE_SCHEMA} TO ${worker}`);
  await client.query(`REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA ${QUEUE_SCHEMA} FROM PUBLIC`);
  await client.query(`GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${QUEUE_SCHEMA} TO ${worker}`);
}

export async function newBoss(db: Db, options: { readonly migrate: boolean }): Promise<PgBoss> {
  // Only a hub needs it.
  const { PgBoss } = await import("pg-boss");
  return new PgBoss({
    db,
    schema: QUEUE_SCHEMA,
    migrate: options.migrate,
    createSchema: options.migrate,
    supervise: !options.migrate,
    schedule: false,
    // Indexes belong to the owner, who is not logged in.
    reindex: false,
    monitorVacuum: false,
  });
}

/** Several statements at once have several results. */
export const firstResult = <T>(result: T | T[]): T => (Array.isArray(result) ? (result.at(-1) as T) : result);
