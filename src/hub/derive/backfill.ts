/** Works the queue: makes rows of what was pushed, tries again what failed, and finds what no job asked for. */
import type { Job, JobResult } from "pg-boss";
import { ROWS_VERSION } from "../../store/session-writer.ts";
import type { HubDatabase } from "../database/connect.ts";
import { deriveSession } from "./derive.ts";
import { type PresenceOptions, startPresence } from "./presence.ts";
import { DERIVE_QUEUE, type DeriveJob, firstResult, newBoss, QUEUE_SCHEMA } from "./queue.ts";

export interface BackfillOptions extends PresenceOptions {
  /** How many sessions at once. */
  readonly concurrency?: number;
}

export interface Backfill {
  /** Lets what is under way come to its end. */
  stop(): Promise<void>;
}

const POLL_SECONDS = 0.5;
/** Fetched at once, and settled one by one; a full batch is followed by the next without a pause. */
const BATCH = 16;
const SWEEP_MS = 60_000;

export async function startBackfill(db: HubDatabase, options: BackfillOptions): Promise<Backfill> {
  const pool = db.pool("worker");
  const boss = await newBoss(
    { executeSql: async (text, values) => firstResult(await pool.query(text, values)) },
    { migrate: false },
  );
  boss.on("error", options.onError);
  const presence = await startPresence(db, options);
  await boss.start();
  await boss.work(
    DERIVE_QUEUE,
    {
      localConcurrency: options.concurrency ?? 1,
      pollingIntervalSeconds: POLL_SECONDS,
      batchSize: BATCH,
      burstWhenBatchFull: true,
      perJobResults: true,
    },
    async (jobs: Job<DeriveJob>[]): Promise<JobResult[]> => {
      const results: JobResult[] = [];
      const { ids, isHeld } = await presence.claim(jobs);
      for (const { id, data } of jobs)
        try {
          // Another has it by now, and settles it.
          if (!ids.has(id)) continue;
          if (!isHeld()) throw new Error("The worker lost its connection, so another may have taken the job");
          results.push({ id, status: "completed", output: { outcome: await deriveSession(db, data) } });
        } catch (error) {
          options.onError(error);
          // The parser of JSON quotes what it read, which admins are not to see.
          const reason = error instanceof SyntaxError ? error.name : String(error);
          results.push({ id, status: "failed", output: { error: reason } });
        }
      return results;
    },
  );
  const look = (): void => void sweep(db).catch(options.onError);
  look();
  const timer = setInterval(look, SWEEP_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await boss.stop({ close: false, graceful: true });
      await presence.stop();
    },
  };
}

/**
 * What a clock wrote that was ahead, and has been set right since, lies in the future: jobs would wait for that time, and
 * so would the queue's own housekeeping. No job is put off for longer than a few minutes.
 */
const PUT_RIGHT = [
  `UPDATE ${QUEUE_SCHEMA}.job SET start_after = least(start_after, now()), started_on = least(started_on, now())
    WHERE name = '${DERIVE_QUEUE}' AND state IN ('created', 'retry', 'active')
      AND greatest(start_after, started_on) > now() + interval '1 hour'`,
  `UPDATE ${QUEUE_SCHEMA}.queue SET maintain_on = NULL, monitor_on = NULL, monitor_claim_on = NULL
    WHERE greatest(maintain_on, monitor_on, monitor_claim_on) > now() + interval '1 hour'`,
];

/** PostgreSQL's counts may be larger than a number, and come as text. */
interface Asked {
  readonly asked: string;
}

/**
 * Asks for the rows of sessions that were pushed and have none of that state, such as those whose job was lost, and of
 * those whose rows an older version made.
 */
export async function sweep(db: HubDatabase): Promise<number> {
  for (const statement of PUT_RIGHT) await db.pool("worker").query(statement);
  const { rows } = await db.pool("worker").query<Asked>("SELECT hub.sweep_rows($1) AS asked", [ROWS_VERSION]);
  return Number(rows[0]?.asked);
}

/** Asks for the rows of all sessions again; of one account, if it is named. Gives back of how many. */
export async function queueReindex(db: HubDatabase, account?: string): Promise<number> {
  const { rows } = await db
    .pool("worker")
    .query<Asked>("SELECT hub.reindex_rows($1) AS asked", [account ?? null]);
  return Number(rows[0]?.asked);
}
