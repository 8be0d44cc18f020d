/** A process that serves a hub, works its queue, or both, until it is killed. */
import { openHubDatabase } from "../../src/hub/database/connect.ts";
import { startBackfill } from "../../src/hub/derive/backfill.ts";
import { toBinding } from "../../src/server/binding.ts";
import { listenHub } from "../../src/server/hub/listen-hub.ts";
import type { ServingOrder } from "./processes.ts";

process.once("message", async ({ place, port, concurrency }: ServingOrder) => {
  const db = openHubDatabase(place);
  const report = (error: unknown): void => void process.send?.({ error: String(error) });
  if (concurrency > 0) await startBackfill(db, { concurrency, onError: report });
  const listening =
    port === undefined
      ? undefined
      : await listenHub({
          hub: { db },
          binding: toBinding(undefined, undefined, "/"),
          ...{ port, webFolder: "/nowhere", now: () => new Date(), report },
        });
  process.send?.({ port: listening?.port ?? 0 });
});
process.once("disconnect", () => process.exit(0));
