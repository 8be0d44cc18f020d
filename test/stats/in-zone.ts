/** Child process: counts a store both ways in the time zone of its environment, and prints both. */
import { openStore } from "../../src/store/open.ts";
import type { StatsScope } from "../../src/store/stats/stats.ts";
import { countBothWays } from "./both-ways.ts";

const [folder = "", scope = "{}"] = process.argv.slice(2);
const db = openStore({ folder, now: () => new Date(0), notice: () => undefined });
process.stdout.write(JSON.stringify(countBothWays(db, JSON.parse(scope) as StatsScope)));
db.close();
