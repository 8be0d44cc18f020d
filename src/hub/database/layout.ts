/**
 * How a table is laid out: hash partitions by account, each with its own key and indexes, on this server or on others.
 * Keys and indexes belong to the partitions because PostgreSQL allows none on a table with partitions elsewhere, and the
 * schema is to be the same on one server and on many.
 */
import { roleName } from "./roles.ts";

export interface Layout {
  /** How many partitions each table has; fixed when the hub is made. 0 makes plain tables, for Citus to distribute. */
  readonly partitions: number;
  /** The foreign server that holds a partition; this one, where there is none. */
  serverOf(partition: number): string | undefined;
}

export interface TableShape {
  readonly name: string;
  /** The columns behind `account_id`, as SQL. */
  readonly columns: string;
  /** Behind `account_id`. */
  readonly key: readonly string[];
  /** What follows `CREATE INDEX ON <partition>`. */
  readonly indexes?: readonly string[];
  /** What follows `ALTER TABLE <partition>`; such as settings of storage. */
  readonly storage?: readonly string[];
}

export const onOneServer = (partitions: number): Layout => ({ partitions, serverOf: () => undefined });

/** Citus distributes the tables, which must not be partitioned besides. */
export const onCitus: Layout = onOneServer(0);

/** Some partitions are on other servers. */
export const isSpread = ({ partitions, serverOf }: Layout): boolean =>
  Array.from({ length: partitions }, (_, at) => serverOf(at)).some((server) => server !== undefined);

export const partitionName = ({ name }: Pick<TableShape, "name">, partition: number): string =>
  `${name}_p${partition}`;

const columnsOf = ({ columns }: TableShape): string => `account_id uuid NOT NULL, ${columns}`;

/** The table itself, with its partitions, as statements for the server that people ask. */
export function createTable(shape: TableShape, layout: Layout): string[] {
  const { name } = shape;
  if (layout.partitions === 0)
    return [`CREATE TABLE hub.${name} (${columnsOf(shape)})`, ...finish(shape, name)];
  const statements = [`CREATE TABLE hub.${name} (${columnsOf(shape)}) PARTITION BY HASH (account_id)`];
  for (let at = 0; at < layout.partitions; at++) {
    const server = layout.serverOf(at);
    const partition = partitionName(shape, at);
    const values = `PARTITION OF hub.${name} FOR VALUES WITH (MODULUS ${layout.partitions}, REMAINDER ${at})`;
    if (server === undefined)
      statements.push(`CREATE TABLE hub.${partition} ${values}`, ...finish(shape, partition));
    else
      statements.push(
        `CREATE FOREIGN TABLE hub.${partition} ${values} SERVER ${server} OPTIONS (schema_name 'hub', table_name '${partition}')`,
        `CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON hub.${partition} FOR EACH ROW EXECUTE FUNCTION hub.guard()`,
      );
  }
  return [...statements, `ALTER TABLE hub.${name} ENABLE ROW LEVEL SECURITY`];
}

/** A partition as a table of its own, as statements for the server that holds it. */
export function createShard(shape: TableShape, partition: number): string[] {
  const name = partitionName(shape, partition);
  const head = roleName("shard");
  return [
    `CREATE TABLE hub.${name} (${columnsOf(shape)})`,
    ...finish(shape, name),
    `GRANT SELECT, INSERT, UPDATE, DELETE ON hub.${name} TO ${head}`,
    // The head has decided who sees what before it asks.
    `CREATE POLICY head ON hub.${name} TO ${head} USING (true) WITH CHECK (true)`,
  ];
}

const finish = ({ key, indexes = [], storage = [] }: TableShape, partition: string): string[] => [
  `ALTER TABLE hub.${partition} ADD PRIMARY KEY (${["account_id", ...key].join(", ")})`,
  ...indexes.map((index) => `CREATE INDEX ON hub.${partition} ${index}`),
  ...storage.map((setting) => `ALTER TABLE hub.${partition} ${setting}`),
  // Nobody but the owner is granted anything on a partition; this holds even for who is granted it by mistake.
  `ALTER TABLE hub.${partition} ENABLE ROW LEVEL SECURITY`,
];
