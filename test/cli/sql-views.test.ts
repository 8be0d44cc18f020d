/** The views that queries may rely on: told as they are, and answering through the guarded command. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { emptySchema } from "../../scripts/empty-schema.ts";
import { EXAMPLES, sqlReference } from "../../scripts/sql-reference.ts";
import { VIEWS } from "../../src/store/views.ts";
import { createHome, type Home } from "./home.ts";

/** Views of what only a person adds. */
const BY_PEOPLE: ReadonlySet<string> = new Set(["tag_use"]);

let home: Home;
const ask = (sql: string, ...words: string[]) =>
  JSON.parse(home.rethread("sql", sql, "--demo", "--json", "--no-refresh", ...words).stdout);

beforeAll(() => {
  home = createHome();
  home.rethread("demo");
  home.rethread("index", "--demo");
  home.rethread("tag", "latest", "release", "--demo");
});
afterAll(() => home.remove());

it("keeps docs/sql.md as the store's schema says; if not, npm run docs writes it anew", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/sql.md"), "utf8");
  expect(page).toBe(sqlReference(emptySchema()));
});

it.each(VIEWS.map((view) => [view.name, view.columns] as const))(
  "gives %s the columns that are told of it, and rows of the demo",
  (name, columns) => {
    const { columns: seen, rows } = ask(`SELECT * FROM ${name}`);
    expect(seen).toEqual(columns.map((column) => column.name));
    expect(rows.length).toBeGreaterThan(BY_PEOPLE.has(name) ? 0 : 20);
  },
);

it("counts the same in every view", () => {
  const [counts] = ask(`SELECT (SELECT count(*) FROM sessions) = (SELECT count(*) FROM session_overview),
    (SELECT count(*) FROM turns) = (SELECT count(*) FROM turn_overview),
    (SELECT count(*) FROM turns) = (SELECT sum(turns) FROM daily_use),
    (SELECT count(*) FROM tool_calls) = (SELECT count(*) FROM tool_use),
    (SELECT sum(tool_calls) FROM session_overview) = (SELECT count(*) FROM tool_calls),
    (SELECT count(*) FROM session_files) = (SELECT count(*) FROM file_use),
    (SELECT sum(input_tokens) FROM session_overview) = (SELECT sum(input_tokens) FROM model_use)`).rows;
  expect(counts).toEqual([1, 1, 1, 1, 1, 1, 1]);
});

it.each(EXAMPLES.map(({ why, sql }) => [why, sql] as const))("answers the example: %s", (_why, sql) => {
  expect(ask(sql).columns.length).toBeGreaterThan(0);
});

it("tells the schema to people and programs", () => {
  const { views, tables } = JSON.parse(home.rethread("sql", "--schema", "--demo", "--json").stdout);
  expect(views).toEqual(VIEWS);
  expect(tables[0]).toMatchObject({ name: "sessions", columns: expect.arrayContaining(["id", "title"]) });
  expect(home.rethread("sql", "--schema", "--demo").stdout).toContain(
    "session_overview: one row per session, with totals of what was done in it",
  );
});
