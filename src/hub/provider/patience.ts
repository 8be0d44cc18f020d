/** A database that is restarted is back soon: what is asked meanwhile is asked again. */
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../model/errors.ts";

/** So often, with a pause of this times the number of tries. */
const TRIES = 5;
const PAUSE_MS = 200;

export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      const isBroken = error instanceof AppError && error.code === "database-unavailable";
      if (!isBroken || tries >= TRIES) throw error;
      await sleep(PAUSE_MS * tries);
    }
}
