/**
 * Which workers are there: each holds a lock on a connection of its own, which ends with the process. Jobs of a worker
 * that is gone are given out again at once; the queue's heartbeat would find them only after a minute.
 */
import { randomInt } from "node:crypto";
import pg from "pg";
import { clientConfig, type HubDatabase } from "../database/connect.ts";
import { DERIVE_QUEUE, QUEUE_SCHEMA } from "./queue.ts";

/** A job as one worker was given it: each time it is given out, its count grows. */
export interface GivenJob {
  readonly id: string;
  readonly retryCount: number;
}

export interface Claim {
  /** Those that are still this worker's. */
  readonly ids: ReadonlySet<string>;
  /** False once others may have taken them, as they see nothing of this worker anymore. */
  isHeld(): boolean;
}

export interface Presence {
  /** Writes down whose these jobs are, which is to be done before any of them. */
  claim(jobs: readonly GivenJob[]): Promise<Claim>;
  stop(): Promise<void>;
}

const LOOK_MS = 1000;
/** Between the moment a worker is given jobs and the moment it claims them lies one question to the database. */
const UNCLAIMED_SECONDS = 5;
/** The locks of workers; all others of a hub have one key instead of two. */
const LOCK_CLASS = 0x72746877;
const LARGEST_NUMBER = 2 ** 31;

/** A machine that lost its power says nothing, and is asked. */
const BE_HERE = `SELECT pg_advisory_lock(${LOCK_CLASS}, $1), set_config('tcp_keepalives_idle', '5', false),
  set_config('tcp_keepalives_interval', '2', false), set_config('tcp_keepalives_count', '3', false)`;

const CLAIM = `UPDATE ${QUEUE_SCHEMA}.job SET output = jsonb_build_object('worker', $1::int)
  WHERE name = '${DERIVE_QUEUE}' AND state = 'active'
    AND (id, retry_count) IN (SELECT * FROM unnest($2::uuid[], $3::int[])) RETURNING id`;

const IS_GONE = `CASE WHEN j.output ? 'worker' THEN NOT EXISTS (
      SELECT 1 FROM pg_locks l
       WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.classid = ${LOCK_CLASS} AND l.granted
         AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
         AND l.objid = (j.output ->> 'worker')::oid)
    ELSE j.started_on < now() - interval '${UNCLAIMED_SECONDS} seconds' END`;

/** It counts as a try: a session that ends every worker is given up at some time. */
const GIVE_OUT = `UPDATE ${QUEUE_SCHEMA}.job j SET
    state = CASE WHEN j.retry_count < j.retry_limit THEN 'retry' ELSE 'failed' END::${QUEUE_SCHEMA}.job_state,
    completed_on = CASE WHEN j.retry_count < j.retry_limit THEN NULL ELSE now() END,
    start_after = now(), heartbeat_on = NULL, output = '{"error": "Its worker ended before it was done"}'
  WHERE j.name = '${DERIVE_QUEUE}' AND j.state = 'active' AND ${IS_GONE}`;

export interface PresenceOptions {
  onError(error: unknown): void;
  /** How often it looks for workers that are gone. */
  readonly lookMs?: number;
}

export async function startPresence(
  db: HubDatabase,
  { onError, lookMs = LOOK_MS }: PresenceOptions,
): Promise<Presence> {
  let here: Promise<Here> | undefined;
  const beHere = (): Promise<Here> => {
    if (here) return here;
    const forget = (): void => {
      if (here === connecting) here = undefined;
    };
    const connecting = connect(db, forget);
    connecting.catch(forget);
    here = connecting;
    return connecting;
  };
  const look = async (): Promise<void> => {
    await beHere();
    await db.pool("worker").query(GIVE_OUT);
  };
  await look();
  let looking = Promise.resolve();
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    looking = look()
      .catch(onError)
      .finally(() => {
        isLooking = false;
      });
  }, lookMs);
  timer.unref();
  return {
    async claim(jobs) {
      const mine = await beHere();
      const { rows } = await db
        .pool("worker")
        .query<{ id: string }>(CLAIM, [
          mine.number,
          jobs.map(({ id }) => id),
          jobs.map(({ retryCount }) => retryCount),
        ]);
      return { ids: new Set(rows.map(({ id }) => id)), isHeld: () => !mine.isLost() };
    },
    async stop() {
      clearInterval(timer);
      await looking;
      await (await here?.catch(() => undefined))?.end();
    },
  };
}

interface Here {
  readonly number: number;
  isLost(): boolean;
  end(): Promise<void>;
}

async function connect({ place }: HubDatabase, onLost: () => void): Promise<Here> {
  const client = new pg.Client({ ...clientConfig(place, "worker"), keepAlive: true });
  let isLost = false;
  const lose = (): void => {
    isLost = true;
    onLost();
  };
  client.on("error", lose);
  client.on("end", lose);
  await client.connect();
  const number = randomInt(1, LARGEST_NUMBER);
  try {
    await client.query(BE_HERE, [number]);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  return { number, isLost: () => isLost, end: () => client.end() };
}
