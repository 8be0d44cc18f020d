/** Whether a hub can do its work now: its database answers, has the schema of this version, and its queue is there. */
import type { HubDatabase } from "../database/connect.ts";
import { MIGRATIONS } from "../database/migrate.ts";
import { queueState } from "./status.ts";

export interface Readiness {
  readonly database: boolean;
  readonly schema: boolean;
  readonly queue: boolean;
}

/** A probe that waits longer than this has its answer. */
const WITHIN_MS = 3000;

export async function readinessOf(db: HubDatabase): Promise<Readiness> {
  const schema = await answered(db.open((tx) => tx.query("SELECT hub.schema_state() AS known")));
  const known = schema?.[0]?.known as readonly string[] | undefined;
  const queue = schema && (await answered(queueState(db)));
  return {
    database: schema !== undefined,
    schema: known !== undefined && MIGRATIONS.every(({ id }) => known.includes(id)),
    queue: queue !== undefined,
  };
}

/** Nothing where it fails, or takes too long. */
async function answered<T>(asked: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), WITHIN_MS);
  });
  try {
    return await Promise.race([asked.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
