import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { runQuery, withoutTrivia } from "./query.ts";

const run = (sql: string, limit = 100): unknown => {
  const db = new DatabaseSync(":memory:");
  try {
    return JSON.parse(runQuery(db, sql, limit));
  } finally {
    db.close();
  }
};
const valuesOf = (sql: string): unknown => (run(sql) as { rows: unknown[] }).rows[0];

it("gives every value a form that JSON can hold", () => {
  expect(
    valuesOf("SELECT 1, -9007199254740991, 9007199254740992, -9223372036854775808, 0.5, 1e999, -1e999"),
  ).toEqual([1, -9007199254740991, "9007199254740992", "-9223372036854775808", 0.5, "Infinity", "-Infinity"]);
  expect(valuesOf("SELECT NULL, 'größer', '', x'00ff0A', x'', hex(x'00ff0A')")).toEqual([
    null,
    "größer",
    "",
    "00FF0A",
    "",
    "00FF0A",
  ]);
});

it("keeps columns of the same name apart, and names columns when there are no rows", () => {
  expect(run("SELECT 1 AS a, 2 AS a")).toEqual({ columns: ["a", "a"], rows: [[1, 2]], truncated: false });
  expect(run("SELECT 1 AS a WHERE 0")).toEqual({ columns: ["a"], rows: [], truncated: false });
});

it("says when there were more rows than asked for, and only then", () => {
  const three = "SELECT value FROM json_each('[1,2,3]')";
  expect(run(three, 2)).toEqual({ columns: ["value"], rows: [[1], [2]], truncated: true });
  expect(run(three, 3)).toEqual({ columns: ["value"], rows: [[1], [2], [3]], truncated: false });
});

it("refuses a result that is too large to hold, whichever way it grew", () => {
  const rows = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 200)";
  expect(() => run(`${rows} SELECT hex(zeroblob(500000)) FROM c`, 200)).toThrow(
    expect.objectContaining({ code: "sql-too-large", message: "The result is larger than 64 MB" }),
  );
});

it.each([
  ["", ""],
  [" \t\r\n\f;;", ""],
  ["-- a\n/* b ; */ ; -- c", ""],
  ["/* never closed", ""],
  ["-- a\nDROP", "DROP"],
  ["/* a */ /* b */ x -- y", "x -- y"],
  [`${"-- ".repeat(20_000)}\nDROP`, "DROP"],
])("finds what follows the spaces and comments (%#)", (sql, rest) => {
  expect(withoutTrivia(sql)).toBe(rest);
});
