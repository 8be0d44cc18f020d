/** What a migration of the hub's database is: statements that are run once, in order, each migration in one transaction. */
import { createShard, createTable, type Layout, type TableShape } from "./layout.ts";

export interface HubMigration {
  readonly id: string;
  readonly why: string;
  /** On the server that people ask. */
  up(layout: Layout): readonly string[];
  /** On a server that holds partitions. */
  shard?(layout: Layout, server: string): readonly string[];
}

/** The partitions of some tables that a server holds. */
export const shardsOf = (shapes: readonly TableShape[], layout: Layout, server: string): string[] =>
  partitionsOn(layout, server).flatMap((partition) =>
    shapes.flatMap((shape) => createShard(shape, partition)),
  );

export const tablesOf = (shapes: readonly TableShape[], layout: Layout): string[] =>
  shapes.flatMap((shape) => createTable(shape, layout));

export const partitionsOn = (layout: Layout, server: string): number[] =>
  Array.from({ length: layout.partitions }, (_, at) => at).filter((at) => layout.serverOf(at) === server);
