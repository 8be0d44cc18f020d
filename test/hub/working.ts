/** A process that works the queue of a hub until it is killed. */
import { type HubPlace, openHubDatabase } from "../../src/hub/database/connect.ts";
import { startBackfill } from "../../src/hub/derive/backfill.ts";

const [place = ""] = process.argv.slice(2);
await startBackfill(openHubDatabase(JSON.parse(place) as HubPlace), { onError: console.error });
