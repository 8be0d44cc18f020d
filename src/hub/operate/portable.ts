/**
 * Backups of a hub that need no program of PostgreSQL's: the rows of every table as JSON, in compressed blocks. What was
 * restored is compared with what was backed up, table by table, before anybody sees it.
 */
import { createHash } from "node:crypto";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type pg from "pg";
import { AppError } from "../../model/errors.ts";
import type { NewFile } from "../../platform/disk/new-file.ts";
import type { HubPlace } from "../database/connect.ts";
import { MIGRATIONS, migrateHub } from "../database/migrate.ts";
import { OWNER } from "../database/roles.ts";
import { connected } from "../place/place.ts";
import { refuseFilled, refuseSharded } from "./backup.ts";

export const PORTABLE_MAGIC = "RTHUB1\n";

interface Start {
  readonly schema: readonly string[];
}
interface TableStart {
  readonly table: string;
  readonly columns: readonly string[];
}
/** Of all rows of a table, whatever their order. */
interface TableEnd {
  readonly table: string;
  readonly rows: string;
  readonly sum: string;
}

const BLOCK = 1 << 20;
const LARGEST_BLOCK = 256 << 20;
const LENGTH = 4;
const DIGEST = 32;
/** Rows that hold bytes are large. */
const FEW = 16;
const MANY = 1000;
/** So that the same row is the same text everywhere. */
const SAME_TEXT =
  "SET timezone = 'UTC'; SET datestyle = 'ISO'; SET bytea_output = 'hex'; SET extra_float_digits = 1";

export async function writePortable(admin: pg.ClientConfig, write: NewFile["write"]): Promise<void> {
  await refuseSharded(admin);
  await connected(admin, async (client) => {
    await client.query(`SET ROLE ${OWNER}`);
    await client.query(SAME_TEXT);
    // One moment of the whole hub, while others go on.
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const output = createBlocks(write);
    const { rows } = await client.query<{ id: string }>("SELECT id FROM hub.migrations ORDER BY id");
    output.line({ schema: rows.map(({ id }) => id) } satisfies Start);
    for (const { name, columns, hasBytes } of await tablesIn(client)) {
      output.line({ table: name, columns } satisfies TableStart);
      await client.query(
        `DECLARE rows NO SCROLL CURSOR FOR SELECT row_to_json(t)::text AS row FROM hub.${name} t`,
      );
      for (;;) {
        const { rows: some } = await client.query<{ row: string }>(
          `FETCH ${hasBytes ? FEW : MANY} FROM rows`,
        );
        if (some.length === 0) break;
        for (const { row } of some) output.text(row);
      }
      await client.query("CLOSE rows");
      output.line({ end: await sumOf(client, name, columns) });
    }
    output.finish();
    await client.query("COMMIT");
  });
}

/** Into a database that has no hub, or an empty one. All of it, or nothing. */
export async function restorePortable(
  admin: pg.ClientConfig,
  { secret }: Pick<HubPlace, "secret">,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  await refuseFilled(admin);
  await migrateHub(admin, { secret });
  await connected(admin, async (client) => {
    await client.query(`SET ROLE ${OWNER}`);
    await client.query(SAME_TEXT);
    await client.query("BEGIN");
    try {
      await readInto(client, linesOf(bytes));
      await client.query("COMMIT");
    } catch (error) {
      await client.query("ROLLBACK").catch(() => undefined);
      throw error;
    }
  });
}

async function readInto(client: pg.Client, lines: AsyncGenerator<string>): Promise<void> {
  const first = await lines.next();
  if (first.done) throw damaged("it is empty");
  refuseNewer((JSON.parse(first.value) as Start).schema);
  const tables = new Map((await tablesIn(client)).map((table) => [table.name, table]));
  let target: (TableStart & { readonly most: number }) | undefined;
  let waiting: string[] = [];
  const flush = async (): Promise<void> => {
    if (!target || waiting.length === 0) return;
    const columns = target.columns.join(", ");
    const sql = `INSERT INTO hub.${target.table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::hub.${target.table}, $1)`;
    await client.query(sql, [`[${waiting.join(",")}]`]).catch(refuseValues);
    waiting = [];
  };
  for await (const line of lines) {
    // Rows begin with their first column, and no column has these names.
    if (line.startsWith('{"table":')) {
      target = toTarget(JSON.parse(line) as TableStart, tables);
    } else if (line.startsWith('{"end":')) {
      await flush();
      const { end } = JSON.parse(line) as { end: TableEnd };
      if (!target || end.table !== target.table) throw damaged("its tables are out of order");
      const { rows, sum } = await sumOf(client, target.table, target.columns);
      if (rows !== end.rows || sum !== end.sum)
        throw damaged(`the rows of ${target.table} are not those that it had`);
      target = undefined;
    } else {
      if (!target) throw damaged("a row belongs to no table");
      waiting.push(line);
      if (waiting.length >= target.most) await flush();
    }
  }
  if (target) throw damaged("it breaks off");
}

/** What is no value of its column was not written by a backup. Classes of SQLSTATE: data, constraints, syntax. */
function refuseValues(error: unknown): never {
  const { code = "" } = error as { readonly code?: string };
  if (/^(22|23|42)/.test(code)) throw damaged("a row has values that no hub has", error);
  throw error;
}

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly hasBytes: boolean;
}

/** Which migrations there are is known after the restore, too. */
async function tablesIn(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; has_bytes: boolean }>(
    `SELECT c.relname AS name, array_agg(quote_ident(a.attname)::text ORDER BY a.attnum) AS columns,
            bool_or(a.atttypid = 'bytea'::regtype) AS has_bytes
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE c.relnamespace = 'hub'::regnamespace AND c.relkind IN ('p', 'r') AND NOT c.relispartition
        AND c.relname <> 'migrations' GROUP BY 1 ORDER BY 1`,
  );
  return rows.map(({ name, columns, has_bytes: hasBytes }) => ({ name, columns, hasBytes }));
}

/** Names are taken from the database; those of the file only choose among them. */
function toTarget(
  { table, columns }: TableStart,
  tables: ReadonlyMap<string, Table>,
): TableStart & { readonly most: number } {
  const known = tables.get(table);
  if (!known || !columns.every((column) => known.columns.includes(column)))
    throw damaged(`it has rows of ${table} that do not fit the schema`);
  return { table, columns, most: known.hasBytes ? FEW : MANY };
}

async function sumOf(client: pg.Client, table: string, columns: readonly string[]): Promise<TableEnd> {
  const { rows } = await client.query(
    `SELECT count(*)::text AS rows, coalesce(sum(hashtextextended(ROW(${columns.join(", ")})::text, 0)::numeric), 0)::text AS sum
       FROM hub.${table}`,
  );
  const { rows: count, sum } = rows[0] as { readonly rows: string; readonly sum: string };
  return { table, rows: count, sum };
}

function refuseNewer(schema: readonly string[]): void {
  const unknown = schema.find((id) => !MIGRATIONS.some((migration) => migration.id === id));
  if (unknown !== undefined)
    throw new AppError(
      "store-newer",
      `The backup was made by a newer version (${unknown})`,
      "Restore it with that version, or a newer one",
    );
}

/** `<magic>`, then blocks as `<length><zstd>`, then a length of 0 and the SHA-256 of all before it. */
function createBlocks(write: NewFile["write"]): {
  line(value: object): void;
  text(line: string): void;
  finish(): void;
} {
  const hash = createHash("sha256");
  const put = (bytes: Uint8Array | string): void => {
    hash.update(bytes);
    write(bytes);
  };
  put(PORTABLE_MAGIC);
  let waiting: string[] = [];
  let size = 0;
  const flush = (): void => {
    if (size === 0) return;
    const plain = Buffer.from(waiting.join(""));
    if (plain.length > LARGEST_BLOCK) throw new Error("a row is too large for a backup of this kind");
    const block = zstdCompressSync(plain);
    put(lengthOf(block.length));
    put(block);
    waiting = [];
    size = 0;
  };
  const text = (line: string): void => {
    waiting.push(line, "\n");
    size += line.length + 1;
    if (size >= BLOCK) flush();
  };
  return {
    text,
    line: (value) => text(JSON.stringify(value)),
    finish() {
      flush();
      put(lengthOf(0));
      write(hash.digest());
    },
  };
}

const lengthOf = (bytes: number): Buffer => {
  const length = Buffer.alloc(LENGTH);
  length.writeUInt32BE(bytes);
  return length;
};

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const hash = createHash("sha256");
  const source = bytes[Symbol.asyncIterator]();
  let held = Buffer.alloc(0);
  const take = async (length: number): Promise<Buffer> => {
    const pieces = [held];
    let size = held.length;
    while (size < length) {
      const { done, value } = await source.next();
      if (done) throw damaged("it breaks off");
      pieces.push(Buffer.from(value));
      size += value.length;
    }
    const all = Buffer.concat(pieces);
    held = all.subarray(length);
    return all.subarray(0, length);
  };
  const hashed = async (length: number): Promise<Buffer> => {
    const taken = await take(length);
    hash.update(taken);
    return taken;
  };
  if ((await hashed(PORTABLE_MAGIC.length)).toString("latin1") !== PORTABLE_MAGIC)
    throw damaged("it is none");
  for (;;) {
    const length = (await hashed(LENGTH)).readUInt32BE();
    if (length === 0) break;
    if (length > LARGEST_BLOCK) throw damaged("a block is too large");
    const text = unpacked(await hashed(length));
    for (const line of text.split("\n")) if (line !== "") yield line;
  }
  if (!(await take(DIGEST)).equals(hash.digest())) throw damaged("its bytes are not those that were written");
}

function unpacked(block: Buffer): string {
  try {
    return zstdDecompressSync(block, { maxOutputLength: LARGEST_BLOCK }).toString("utf8");
  } catch {
    throw damaged("a block cannot be decompressed");
  }
}

const damaged = (why: string, cause?: unknown): AppError =>
  new AppError("bundle-damaged", `The backup cannot be used: ${why}`, "Use another one", cause);
