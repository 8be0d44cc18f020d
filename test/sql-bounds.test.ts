/** The process that runs SQL, from source and as released: what it answers, and how it ends when a query knows no bounds. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AppError } from "../src/model/errors.ts";
import { type ReadOnlyQuery, runReadOnly } from "../src/store/sql/run.ts";
import { bundledCommand, command, makeStore } from "./sql-store.ts";

let folder: string;
let path: string;
let released: readonly string[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "rethread-test-"));
  path = makeStore(join(folder, "store"));
  released = await bundledCommand(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (sql: string, more: Partial<ReadOnlyQuery> = {}) =>
  runReadOnly({ command: released, path, sql, ...more });
const errorOf = async (sql: string, more: Partial<ReadOnlyQuery> = {}) =>
  run(sql, more).then(
    (result) => result,
    ({ name, code, message }: AppError) => ({ name, code, message }),
  );
const upTo = (rows: number): string =>
  `WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT ${rows})`;

describe.each([
  ["from source", () => command],
  ["as released", () => released],
])("the process %s", (_form, how) => {
  it("answers a query", async () => {
    expect(await run("SELECT id, turn_count FROM sessions", { command: how() })).toEqual({
      columns: ["id", "turn_count"],
      rows: [["s1", 2]],
      truncated: false,
    });
  });

  it("refuses what is no reading, in words", async () => {
    expect(await errorOf("ATTACH 'x.db' AS x", { command: how() })).toEqual({
      name: "AppError",
      code: "sql-refused",
      message: "Only reading is allowed, not ATTACH",
    });
  });

  it("is stopped when its time is over, and the asking process lives on", async () => {
    const started = performance.now();
    const endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";
    expect(await errorOf(endless, { command: how(), timeoutMs: 700 })).toEqual({
      name: "AppError",
      code: "sql-timeout",
      message: "The query was stopped after 0.7 seconds",
    });
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it("is stopped when it takes too much memory", async () => {
    const greedy = `${upTo(1e9)} SELECT x, randomblob(20000) AS r FROM c ORDER BY r`;
    expect(await errorOf(greedy, { command: how(), memoryMb: 160 })).toEqual({
      name: "AppError",
      code: "sql-too-much-memory",
      message: "The query was stopped because it used 160 MB of memory",
    });
  });
});

/** The bound that is meant to be hit is narrow, so that it is hit soon; the others are wide. */
const BOUNDS = {
  "sql-too-large": { timeoutMs: 15_000 },
  "sql-too-much-memory": { timeoutMs: 15_000, memoryMb: 160 },
  "sql-timeout": { timeoutMs: 1000 },
};

describe("a query without bounds", () => {
  it.each([
    ["one huge number", "SELECT printf('%1000000000d', 1)", "sql-too-large"],
    ["a huge blob", "SELECT zeroblob(1000000000)", "sql-too-large"],
    ["a huge random blob", "SELECT hex(randomblob(900000000))", "sql-too-large"],
    [
      "a text that doubles",
      "SELECT replace(hex(zeroblob(30000)), '0', hex(zeroblob(5000)))",
      "sql-too-large",
    ],
    [
      "a huge group_concat",
      `${upTo(1000)} SELECT group_concat(hex(zeroblob(100000))) FROM c`,
      "sql-too-large",
    ],
    [
      "a huge JSON array",
      `${upTo(1000)} SELECT json_group_array(hex(zeroblob(100000))) FROM c`,
      "sql-too-large",
    ],
    ["many large rows", `${upTo(1000)} SELECT hex(zeroblob(100000)) FROM c`, "sql-too-large"],
    ["many large columns", `SELECT ${Array(40).fill("zeroblob(30000000)").join()}`, "sql-too-much-memory"],
    [
      "many groups",
      `${upTo(1e9)} SELECT count(*) FROM (SELECT randomblob(99999) AS r FROM c GROUP BY r)`,
      "sql-too-much-memory",
    ],
    [
      "a set that grows",
      "WITH RECURSIVE c(x) AS (SELECT randomblob(99999) UNION SELECT randomblob(99999) FROM c) SELECT count(*) FROM c",
      "sql-too-much-memory",
    ],
    [
      "a window over everything",
      `${upTo(1e9)} SELECT count(*) OVER (ORDER BY r) FROM (SELECT randomblob(99999) AS r FROM c)`,
      "sql-too-much-memory",
    ],
    ["a plan that doubles with each step", doublings(26), "sql-too-much-memory"],
    [
      "a join of everything with everything",
      `${upTo(1e6)} SELECT count(*) FROM c a, c b, c d`,
      "sql-timeout",
    ],
  ] as const)("%s", async (_what, sql, code) => {
    expect(await errorOf(sql, BOUNDS[code])).toMatchObject({ name: "AppError", code });
  });
});

function doublings(steps: number): string {
  const names = Array.from(
    { length: steps },
    (_, at) => `v${at + 1} AS (SELECT * FROM v${at} UNION ALL SELECT * FROM v${at})`,
  );
  return `WITH v0 AS (SELECT 1 AS x), ${names.join(", ")} SELECT count(*) FROM v${steps}`;
}

describe("rows", () => {
  it("come at most 10,000 at once, more when asked, and it shows when there were more", async () => {
    const counted = async (limit?: number) => {
      const { rows, truncated } = await run(`${upTo(200_000)} SELECT x FROM c`, limit ? { limit } : {});
      return [rows.length, truncated];
    };
    expect(await counted()).toEqual([10_000, true]);
    expect(await counted(100_000)).toEqual([100_000, true]);
  });

  it.each([0, -1, 1.5, 100_001, Number.NaN])("cannot be limited to %d", async (limit) => {
    expect(await errorOf("SELECT 1", { limit })).toMatchObject({ name: "AppError", code: "usage" });
  });
});

describe("the store", () => {
  it("keeps every byte and gets no file beside it", async () => {
    const bytes = () =>
      readdirSync(join(folder, "store")).map((name) => [
        name,
        readFileSync(join(folder, "store", name), "base64"),
      ]);
    const before = bytes();
    await run("SELECT * FROM search_index WHERE search_index MATCH 'login'");
    await errorOf("DELETE FROM turns");
    expect(bytes()).toEqual(before);
  });

  it("is not made when it is missing", async () => {
    const missing = join(folder, "missing.db");
    expect(await errorOf("SELECT 1", { path: missing })).toEqual({
      name: "AppError",
      code: "store-unusable",
      message: `${missing} cannot be read: unable to open database file`,
    });
    expect(existsSync(missing)).toBe(false);
  });

  it("is reported when it is no database, or damaged inside", async () => {
    const text = join(folder, "text.db");
    writeFileSync(text, "not a database, but long enough to look like one ".repeat(100));
    expect(await errorOf("SELECT 1", { path: text })).toMatchObject({ code: "store-unusable" });

    const damaged = join(folder, "damaged.db");
    const whole = readFileSync(path);
    writeFileSync(damaged, whole.fill(0xff, 4096));
    expect(await errorOf("SELECT * FROM turns", { path: damaged })).toMatchObject({ code: "store-unusable" });
  });

  it("is read as it was last committed while somebody holds it", async () => {
    const held = join(folder, "held.db");
    const db = new DatabaseSync(held);
    db.exec("CREATE TABLE t (a); INSERT INTO t VALUES (1); BEGIN EXCLUSIVE; INSERT INTO t VALUES (2)");
    expect(await run("SELECT * FROM t", { path: held })).toMatchObject({ columns: ["a"], rows: [[1]] });
    db.close();
  });
});

it("says so when the process cannot be started or dies by itself", async () => {
  expect(await errorOf("SELECT 1", { command: ["/nowhere/node"] })).toEqual({
    name: "AppError",
    code: "sql-failed",
    message: "The process that ran the query ended early (spawn /nowhere/node ENOENT)",
  });
  expect(await errorOf("SELECT 1", { command: [process.execPath, "-e", "process.exit(9)"] })).toEqual({
    name: "AppError",
    code: "sql-failed",
    message: "The process that ran the query ended early (exit code 9)",
  });
});
