/** Damage that keeps the form of a file and spoils what it says: one value, member, line or row is another. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { writeJson } from "../../src/model/values/json.ts";
import { NASTY_KEYS, NASTY_MARKDOWN, NASTY_VALUES, NASTY_YAML } from "./nasty.ts";

/** `where` is a share of the whole, from 0 to 1; `pick` chooses among what can be done there. */
export type StructureDamage = (text: string, where: number, pick: number) => string;

interface Place {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

const MOST_PLACES = 20_000;
/** Stands for raw text until the JSON is written. */
const MARK = "\ue000here\ue000";

/** Every member of a value, from the outside in. */
function placesIn(value: unknown): Place[] {
  const places: Place[] = [];
  const open: unknown[] = [value];
  for (let holder = open.shift(); holder !== undefined; holder = open.shift()) {
    if (typeof holder !== "object" || holder === null) continue;
    for (const key of Object.keys(holder)) {
      if (places.length >= MOST_PLACES) return places;
      places.push({ holder: holder as Record<string, unknown>, key });
      open.push((holder as Record<string, unknown>)[key]);
    }
  }
  return places;
}

const at = <T>(list: readonly T[], share: number): T | undefined =>
  list[Math.min(list.length - 1, Math.floor(share * list.length))];
const choose = <T>(list: readonly T[], pick: number): T => list[pick % list.length] as T;

/** Does something at one place of the JSON in a text; a text that is none stays as it is. */
const inJson =
  (change: (place: Place, pick: number, all: readonly Place[]) => string | undefined): StructureDamage =>
  (text, where, pick) => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return text;
    }
    const places = placesIn(value);
    const place = at(places, where);
    if (!place) return choose(NASTY_VALUES, pick);
    const raw = change(place, pick, places);
    const written = writeJson(value);
    return raw === undefined ? written : written.replace(JSON.stringify(MARK), () => raw);
  };

/** In a log, one of its lines; in a document all of it. */
const inRecord =
  (change: StructureDamage): StructureDamage =>
  (text, where, pick) => {
    const lines = text.split("\n");
    if (lines.filter((line) => line !== "").length <= 1 || !/^\s*[{[].*[}\]]\s*$/.test(lines[0] ?? ""))
      return change(text, where, pick);
    const share = where * (lines.length - 1);
    const line = Math.floor(share);
    return lines.with(line, change(lines[line] ?? "", share - line, pick)).join("\n");
  };

const JSON_DAMAGES: Record<string, StructureDamage> = {
  "another value": inJson(({ holder, key }, pick) => {
    holder[key] = MARK;
    return choose(NASTY_VALUES, pick);
  }),
  "a member twice": inJson(({ holder, key }, pick) => {
    const before = writeJson(holder[key]);
    const value = choose(NASTY_VALUES, pick);
    holder[key] = MARK;
    if (Array.isArray(holder)) return `${value},${before}`;
    return pick % 2
      ? `${value},${JSON.stringify(key)}:${before}`
      : `${before},${JSON.stringify(key)}:${value}`;
  }),
  "another key": inJson(({ holder, key }, pick) => {
    if (Array.isArray(holder)) {
      holder.reverse();
      return undefined;
    }
    const value = writeJson(holder[key]);
    delete holder[key];
    holder["\ue001"] = MARK;
    const last = `0,${JSON.stringify(choose(NASTY_KEYS, pick))}:${value}`;
    return last;
  }),
  "a member lost": inJson(({ holder, key }) => {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
    return undefined;
  }),
  /** Ids that lead in a circle, or to what they should not; the same id twice. */
  "a value from elsewhere": inJson(({ holder, key }, pick, all) => {
    const others = all.filter((other) => other.key === key || /id$/i.test(other.key));
    const other = choose(others.length > 0 ? others : all, pick);
    holder[key] = MARK;
    return writeJson(other.holder[other.key]).replaceAll(JSON.stringify(MARK), "null");
  }),
  "a list without end": inJson(({ holder, key }, pick) => {
    const value = holder[key];
    const item = writeJson(Array.isArray(value) ? (value[0] ?? null) : value);
    holder[key] = MARK;
    return `[${`${item},`.repeat(Math.min(3000, Math.ceil((100_000 * (1 + (pick % 3))) / item.length)))}${item}]`;
  }),
};

const inLines =
  (change: (lines: string[], line: number, pick: number) => string[]): StructureDamage =>
  (text, where, pick) => {
    const lines = text.split("\n");
    return change(lines, Math.floor(where * Math.max(1, lines.length - 1)), pick).join("\n");
  };

const LINE_DAMAGES: Record<string, StructureDamage> = {
  "lines in another order": inLines((lines, line, pick) => [
    ...lines.slice(line, -1),
    ...(pick % 2 ? lines.slice(0, line).reverse() : lines.slice(0, line)),
    "",
  ]),
  "records inside one another": inLines((lines, line, pick) => {
    const [one = "", other = ""] = [lines[line], lines[line + 1]];
    const cut = pick % (one.length + 1);
    return lines.toSpliced(line, 2, one.slice(0, cut) + other, one.slice(cut));
  }),
  "ids of another line": inLines((lines, line, pick) => {
    const ids = lines.join("\n").match(/[0-9a-f]{8}-[0-9a-f-]{27}|"(?:t|u|m|call_)\w*"/g) ?? [];
    if (ids.length === 0) return lines;
    const [from, to] = [choose(ids, pick), choose(ids, pick * 7 + line)];
    return lines.with(
      line,
      (lines[line] ?? "").replaceAll(from, to).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, to),
    );
  }),
  "line ends of Windows": (text, _, pick) =>
    text.replaceAll("\n", pick % 3 === 0 ? "\r" : "\r\n").replace(/^/, pick % 2 ? "\ufeff" : ""),
  "other white space": (text, where, pick) =>
    choose(["", "\n", " \n\t\r\n ", "\n".repeat(5000), "\ufeff", "\u0000", `${text}\n\n${text}`], pick) +
    (where > 0.5 ? text : ""),
  "a wall of brackets": (text, where, pick) => {
    const place = Math.floor(where * text.length);
    return (
      text.slice(0, place) +
      choose(['{"a":', "[", "}", '"', "\\", '{"type":"'], pick).repeat(1500) +
      text.slice(place)
    );
  },
};

const YAML_DAMAGE: StructureDamage = inLines((lines, line, pick) => {
  const key = /^([\w-]+):/.exec(lines[line] ?? "")?.[1] ?? "name";
  const mended = `${pick % 5 === 0 ? choose(NASTY_KEYS, pick) : key}: ${choose(NASTY_YAML, pick)}`;
  return pick % 3 === 0 ? lines.toSpliced(line, 0, mended) : lines.with(line, mended);
});

const MARKDOWN_DAMAGE: StructureDamage = inLines((lines, line, pick) =>
  lines.toSpliced(line, pick % 2, choose(NASTY_MARKDOWN, pick)),
);

/** By what the file is; all of them work on any text. */
export const STRUCTURE_DAMAGES: Readonly<Record<string, StructureDamage>> = {
  ...Object.fromEntries(Object.entries(JSON_DAMAGES).map(([name, change]) => [name, inRecord(change)])),
  ...LINE_DAMAGES,
};

/** The damage of this name to a file of this name: YAML, Markdown and databases are spoilt in their own way. */
export function damageStructure(
  path: string,
  bytes: Buffer,
  kind: string,
  where: number,
  pick: number,
): Buffer {
  const damage = STRUCTURE_DAMAGES[kind] as StructureDamage;
  if (bytes.subarray(0, 6).toString() === "SQLite") return inDatabase(bytes, damage, where, pick);
  const text = bytes.toString("utf8");
  if (kind in LINE_DAMAGES) return Buffer.from(damage(text, where, pick));
  if (path.endsWith(".yaml")) return Buffer.from(YAML_DAMAGE(text, where, pick));
  if (path.endsWith(".md")) return Buffer.from(MARKDOWN_DAMAGE(text, where, pick));
  return Buffer.from(damage(text, where, pick));
}

/** In a database, one value of a key-value table is another, or of another type; in other databases the tables are. */
function inDatabase(bytes: Buffer, damage: StructureDamage, where: number, pick: number): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "rethread-damaged-"));
  const path = join(folder, "it.db");
  try {
    writeFileSync(path, bytes);
    const db = new DatabaseSync(path);
    try {
      const tables = db
        .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
        .all()
        .map(({ name }) => String(name));
      if (tables.includes(KEY_VALUES)) inValues(db, damage, where, pick);
      else db.exec(choose(TABLE_DAMAGES, pick)(at(tables, where) ?? "sqlite_schema"));
    } catch {
      // SQLite refuses some of it; the file stays as it is then.
    } finally {
      db.close();
    }
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const KEY_VALUES = "ItemTable";

const TABLE_DAMAGES: readonly ((table: string) => string)[] = [
  (table) => `DELETE FROM "${table}"`,
  (table) => `DROP TABLE "${table}"`,
  (table) => `ALTER TABLE "${table}" RENAME TO "another"`,
  (table) => `ALTER TABLE "${table}" ADD COLUMN more NOT NULL DEFAULT x'00'`,
  () => "UPDATE schema_version SET version = 'one'",
  () => "UPDATE schema_version SET version = 99",
  () => "INSERT INTO schema_version VALUES (7)",
  () => "INSERT INTO sessions (id, cwd, created_at) VALUES (x'ff00', 1e308, -1)",
  () => "UPDATE sessions SET id = id || char(0), cwd = x'ff', updated_at = '9999-12-31'",
];

function inValues(db: DatabaseSync, damage: StructureDamage, where: number, pick: number): void {
  const rows = db.prepare(`SELECT key, CAST(value AS TEXT) AS value FROM ${KEY_VALUES}`).all() as {
    key: string;
    value: string;
  }[];
  const row = at(rows, where);
  if (row) {
    const value = damage(row.value, (where * 7919) % 1, pick);
    db.prepare(`UPDATE ${KEY_VALUES} SET value = ? WHERE key = ?`).run(
      pick % 11 === 0 ? Buffer.from(value) : pick % 13 === 0 ? pick : value,
      row.key,
    );
  }
  if (pick % 17 === 0) db.exec(`ALTER TABLE ${KEY_VALUES} RENAME COLUMN value TO worth`);
  if (pick % 19 === 0) db.exec(`DROP TABLE ${KEY_VALUES}`);
}
