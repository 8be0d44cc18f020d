import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../model/errors.ts";
import type { Cell, SetStep } from "../model/plan.ts";
import { toKeyValueDb } from "../platform/key-value-db.ts";
import { changeValues, readValues } from "../platform/key-values.ts";
import { decideValues, progressOfCells, turnCells } from "./cells.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-cells-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LIST = '{"version":1, "entries":{"a":{"n":1.0},"b":{"n":2}} ,"more":[1e3]}';
const AROUND = '{"version":1,"entries":{}}';
const put = (id: string, cell: Partial<Cell> = {}): Cell => ({
  key: "list",
  at: ["entries", id],
  before: null,
  after: '{"n":3}',
  ...cell,
});

function database(rows: Record<string, string>, ...cells: Cell[]): SetStep {
  const path = join(folder, "state.db");
  writeFileSync(path, toKeyValueDb("T", rows));
  return { does: "set", path, table: "T", cells, copy: `${path}.copy` };
}
const take = (step: SetStep, judge?: Parameters<typeof decideValues>[2]): void =>
  changeValues(step.path, step.table, ["list", "other"], (values) => decideValues(step, values, judge));
const value = ({ path }: SetStep): unknown => readValues(path, "T", ["list"]).get("list");

describe("a change of values", () => {
  it("changes one member and leaves every other byte of the value, and every other key, alone", () => {
    const step = database({ list: LIST, other: "kept" }, put("c"));
    expect(progressOfCells(step)).toBe("before");
    take(step);
    expect(value(step)).toBe(
      '{"version":1, "entries":{"a":{"n":1.0},"b":{"n":2},"c":{"n":3}} ,"more":[1e3]}',
    );
    expect(readValues(step.path, "T", ["other", "none"])).toEqual(
      new Map([
        ["other", "kept"],
        ["none", null],
      ]),
    );
    expect(progressOfCells(step)).toBe("after");
  });

  it("goes back although the program has written the others anew meanwhile", () => {
    const step = database({ list: LIST }, put("b", { before: '{"n":2}', after: null }));
    take(step);
    changeValues(step.path, "T", [], () => new Map([["list", '{"entries":{"z":{}},"version":1}']]));
    expect(progressOfCells(step)).toBe("after");
    take(turnCells(step));
    expect(value(step)).toBe('{"entries":{"z":{},"b":{"n":2}},"version":1}');
  });

  it("knows a member of another order or spacing as the same, and one of another meaning as somebody's", () => {
    const step = database({ list: LIST }, put("a", { before: '{ "n": 1 }', after: null }));
    expect(progressOfCells(step)).toBe("before");
    const other = database({ list: LIST }, put("a", { before: '{"n":7}', after: null }));
    expect(progressOfCells(other)).toBe("foreign");
    expect(() => take(other)).toThrow(/changed since the plan was made/);
    expect(value(other)).toBe(LIST);
  });

  it("makes the value where there is none, and takes it away again with its only member", () => {
    const step = database({}, put("c", { around: AROUND }));
    take(step);
    expect(value(step)).toBe('{"version":1,"entries":{"c":{"n":3}}}');
    take(turnCells(step));
    expect(value(step)).toBe(null);
    expect(progressOfCells(step)).toBe("before");
  });

  it("leaves a value that it made when somebody has put something into it", () => {
    const step = database({}, put("c", { around: AROUND }));
    take(step);
    take(database({ list: '{"version":1,"entries":{"c":{"n":3},"d":{}}}' }, ...turnCells(step).cells));
    expect(value(step)).toBe('{"version":1,"entries":{"d":{}}}');
  });

  it("changes a member of a member, and whole values", () => {
    const step = database(
      { list: LIST, other: "old" },
      { key: "list", at: ["entries", "a", "n"], before: "1", after: '"one"' },
      { key: "other", before: "old", after: "new" },
    );
    take(step);
    expect(value(step)).toContain('"a":{"n":"one"}');
    expect(readValues(step.path, "T", ["other"]).get("other")).toBe("new");
    take(turnCells(step));
    expect(JSON.parse(String(value(step)))).toEqual(JSON.parse(LIST));
  });

  it("does nothing at all when the program would throw a value away, before or after", () => {
    for (const word of ['"b"', '"c"']) {
      const step = database({ list: LIST }, put("c"));
      const judge = (_: string, text: string) =>
        text.includes(word) ? new AppError("usage", `no ${word}`, "") : undefined;
      expect(() => take(step, judge)).toThrow(`no ${word}`);
      expect(value(step)).toBe(LIST);
    }
  });

  it("is somebody else's where a value is no text, no JSON, or not there to be a member of", () => {
    for (const list of ["{ no json", "[]", "7"])
      expect(progressOfCells(database({ list }, put("c", { before: '{"n":1}' })))).toBe("foreign");
    const step = database({ list: LIST }, put("c"));
    rmSync(step.path);
    expect(progressOfCells(step)).toBe("foreign");
  });
});

it("replaces a damaged value as a whole, and brings it back, whatever its program thinks of it", () => {
  const objects = (): AppError => new AppError("usage", "no list", "mend it");
  const whole = database({ list: "damaged" }, { key: "list", before: "damaged", after: AROUND });
  take(whole, objects);
  expect(value(whole)).toBe(AROUND);
  take(turnCells(whole), objects);
  expect(value(whole)).toBe("damaged");
});
