/** Works the queue: makes rows of what was pushed, tries again what failed, and finds what no job asked for. */
import type { Job, JobResult } from "pg-boss";
import type { HubDatabase } from "../database/connect.ts";
import { deriveSession } from "./derive.ts";
import { DERIVE_QUEUE, type DeriveJob, firstResult, newBoss } from "./queue.ts";

export interface BackfillOptions {
  onError(error: unknown): void;
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
      for (const { id, data } of jobs)
        try {
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
    },
  };
}

/** PostgreSQL's counts may be larger than a number, and come as text. */
interface Asked {
  readonly asked: string;
}

/** Asks for the rows of sessions that were pushed and have none of that state, such as those whose job was lost. */
export async function sweep(db: HubDatabase): Promise<number> {
  const { rows } = await db.pool("worker").query<Asked>("SELECT hub.sweep_rows() AS asked");
  return Number(rows[0]?.asked);
}

/** Asks for the rows of all sessions again; of one account, if it is named. Gives back of how many. */
export async function queueReindex(db: HubDatabase, account?: string): Promise<number> {
  const { rows } = await db
    .pool("worker")
    .query<Asked>("SELECT hub.reindex_rows($1) AS asked", [account ?? null]);
  return Number(rows[0]?.asked);
}
