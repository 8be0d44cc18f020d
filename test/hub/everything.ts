/** All that a hub's database has of a person, in any table, as text: what was pushed included. */
import { zstdDecompressSync } from "node:zlib";
import type { People, Person } from "./people.ts";

const ZSTD = 0xfd2fb528;

export async function everythingOf(people: People, { account }: Pick<Person, "account">): Promise<string> {
  const tables = await people.ask(
    `SELECT c.relname AS name FROM pg_class c
      WHERE c.relnamespace = 'hub'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'account_id')`,
  );
  const lines: string[] = [];
  for (const { name } of tables)
    for (const row of await people.ask(`SELECT * FROM hub.${name} WHERE account_id = $1`, [account]))
      for (const [column, value] of Object.entries(row)) lines.push(`${name}.${column}: ${toText(value)}`);
  return lines.join("\n");
}

function toText(value: unknown): string {
  if (!Buffer.isBuffer(value)) return typeof value === "string" ? value : JSON.stringify(value);
  const isCompressed = value.length > 4 && value.readUInt32LE() === ZSTD;
  return (isCompressed ? zstdDecompressSync(value) : value).toString("utf8");
}
