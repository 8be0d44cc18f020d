import { describe, expect, it } from "vitest";
import { authorizer } from "../../platform/sqlite/untouched.ts";
import { createGuard, refusal } from "./guard.ts";

const actions = Object.entries(authorizer)
  .filter(([name]) => !/^SQLITE_(OK|DENY|IGNORE|CHANGESET_.*)$/.test(name))
  .map(([name, code]): [string, number] => [name, code as number]);
const READING = ["SQLITE_READ", "SQLITE_SELECT", "SQLITE_RECURSIVE", "SQLITE_FUNCTION"];

describe("what a query may ask for", () => {
  it.each(actions.filter(([name]) => READING.includes(name)))("%s passes", (_name, code) => {
    expect(refusal([code, "turns", "count"], "compiling")).toBeUndefined();
  });

  it.each(actions.filter(([name]) => !READING.includes(name)))("%s is refused in words", (_name, code) => {
    expect(refusal([code, "turns", "count"], "compiling")).toMatch(/\w/);
    expect(refusal([code, "turns", "count"], "running")).toMatch(/\w/);
  });

  it("refuses an action that this version of SQLite does not have yet", () => {
    expect(refusal([99, null, null], "compiling")).toBe("action 99");
  });

  it("lets FTS5 read data_version while a query runs, but no query ask for it, and nobody set it", () => {
    const pragma = (name: string, value: string | null, phase: "compiling" | "running") =>
      refusal([authorizer.SQLITE_PRAGMA, name, value], phase);
    expect([
      pragma("data_version", null, "running"),
      pragma("data_version", null, "compiling"),
      pragma("data_version", "1", "running"),
      pragma("journal_mode", null, "running"),
    ]).toEqual([undefined, "PRAGMA data_version", "PRAGMA data_version", "PRAGMA journal_mode"]);
  });

  it("knows functions and PRAGMA tables in any casing", () => {
    expect([
      refusal([authorizer.SQLITE_FUNCTION, null, "UPPER"], "compiling"),
      refusal([authorizer.SQLITE_FUNCTION, null, "Load_Extension"], "compiling"),
      refusal([authorizer.SQLITE_FUNCTION, null, null], "compiling"),
      refusal([authorizer.SQLITE_READ, "Pragma_Function_List", "name"], "compiling"),
    ]).toEqual([
      undefined,
      "the function Load_Extension()",
      "the function null()",
      "the table Pragma_Function_List",
    ]);
  });
});

it("remembers the first thing it refused and whether there was a SELECT", () => {
  const guard = createGuard();
  expect([guard.selects, guard.refused]).toEqual([false, undefined]);
  const answers = [
    guard.answer(authorizer.SQLITE_SELECT, null, null),
    guard.answer(authorizer.SQLITE_ATTACH, "x.db", null),
    guard.answer(authorizer.SQLITE_INSERT, "turns", null),
  ];
  expect({ answers, selects: guard.selects, refused: guard.refused }).toEqual({
    answers: [authorizer.SQLITE_OK, authorizer.SQLITE_DENY, authorizer.SQLITE_DENY],
    selects: true,
    refused: "ATTACH",
  });
});
