/** Statistics by tallies and by counting every row anew, beside each other. */
import type { Database } from "../../src/platform/sqlite/sqlite.ts";
import {
  divide,
  divideByFile,
  divideByModel,
  divideByTool,
  readWork,
  type StatsScope,
} from "../../src/store/stats/stats.ts";
import * as reference from "./reference.ts";

export const DIVISIONS = ["whole", "day", "week", "month", "repository", "source"] as const;

/** As JSON, since SQLite's rows have no prototype. */
export interface BothWays {
  readonly byTallies: unknown;
  readonly byRows: unknown;
}

export function countBothWays(db: Database, scope: StatsScope): BothWays {
  const work = readWork(db, scope);
  const byTallies = {
    ...Object.fromEntries(DIVISIONS.map((by) => [by, divide(work, by)])),
    model: divideByModel(work),
    tool: divideByTool(work),
    file: divideByFile(work),
  };
  const byRows = reference.withScope(db, scope, () => ({
    ...Object.fromEntries(DIVISIONS.map((by) => [by, reference.divide(db, by)])),
    model: reference.divideByModel(db, scope),
    tool: reference.divideByTool(db),
    file: reference.divideByFile(db),
  }));
  return { byTallies: plain(byTallies), byRows: plain(byRows) };
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
