/** What statistics are answered from: counts by session and day, and when each file was touched. */
import { type Layout, partitionName, type TableShape } from "../layout.ts";
import { type HubMigration, partitionsOn, shardsOf, tablesOf } from "../migration.ts";
import { protect } from "../policies.ts";
import { type CountedFrom, dateFiles, insertDays } from "./0007/day-counts.ts";

const DAYS: TableShape = {
  name: "daily_stats",
  // Per session, day ('' for none) and the earlier session that the counted turns are copies of ('' for none). Names of
  // tools and models are lists beside lists of their counts: rows of their own would repeat this key, which is longer.
  // Files are hashes of their paths; with nothing but a file the session is not active on that day.
  columns: `session_id text NOT NULL, day text NOT NULL, owner text NOT NULL, is_active boolean NOT NULL,
    turns integer NOT NULL, calls integer NOT NULL, failed integer NOT NULL, model_calls integer NOT NULL,
    input bigint NOT NULL, cached bigint NOT NULL, written bigint NOT NULL, output bigint NOT NULL,
    tools text[] NOT NULL, tool_calls integer[] NOT NULL, tool_failures integer[] NOT NULL,
    models text[] NOT NULL, uses integer[] NOT NULL, model_input bigint[] NOT NULL, model_cached bigint[] NOT NULL,
    model_written bigint[] NOT NULL, model_output bigint[] NOT NULL, files bigint[] NOT NULL, team_id uuid`,
  key: ["session_id", "day", "owner"],
};

/** The rows of all sessions that are there already, in the tables of one partition. */
function fill(nameOf: (table: string) => string): string[] {
  const from: CountedFrom = { table: (name) => `hub.${nameOf(name)}`, only: () => "true" };
  return [insertDays(from.table("daily_stats"), from), dateFiles(from.table)];
}

const inPartition =
  (partition: number) =>
  (name: string): string =>
    partitionName({ name }, partition);

/** Other servers have filled theirs before. */
function fillHere({ partitions, serverOf }: Layout): string[] {
  if (partitions === 0) return fill((name) => name);
  return Array.from({ length: partitions }, (_, at) => at)
    .filter((at) => serverOf(at) === undefined)
    .flatMap((at) => fill(inPartition(at)));
}

export const statistics: HubMigration = {
  id: "0007-statistics",
  why: "statistics of a large team are added up by day before anybody asks",
  up: (layout) => [
    "DROP TABLE hub.daily_stats",
    ...tablesOf([DAYS], layout),
    ...protect(DAYS.name, "shared", "none"),
    "ALTER TABLE hub.session_files ADD COLUMN at text",
    ...fillHere(layout),
  ],
  shard: (layout, server) => [
    ...partitionsOn(layout, server).map((at) => `DROP TABLE hub.${partitionName(DAYS, at)}`),
    ...shardsOf([DAYS], layout, server),
    ...partitionsOn(layout, server).flatMap((at) => [
      `ALTER TABLE hub.${partitionName({ name: "session_files" }, at)} ADD COLUMN at text`,
      ...fill(inPartition(at)),
    ]),
  ],
};
