import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../model/errors.ts";
import type { Cell, SetStep } from "../../model/plan.ts";
import { toKeyValueDb } from "../../platform/sqlite/key-value-db.ts";
import { changeValues, readValues } from "../../platform/sqlite/key-values.ts";
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

/** Without a database around it. */
const inMemory = (...cells: Cell[]): SetStep => ({
  does: "set",
  path: "/d",
  table: "T",
  cells,
  copy: "/d.copy",
});
const taken = (step: SetStep, list: string): string | null => {
  const value = decideValues(step, new Map([["list", list]])).get("list") ?? null;
  return value instanceof Uint8Array ? null : value;
};

describe("a list with members that JavaScript does not hold as they are", () => {
  const deep = `${'{"a":['.repeat(20_000)}${"]}".repeat(20_000)}`;
  /** Beside the entry `a`, which changes. */
  const ODD: Record<string, string> = {
    "a negative zero": '"z":{"n":-0}',
    "a number beyond all": '"z":{"n":1e400}',
    "a huge integer": '"z":{"n":123456789012345678901234567890}',
    "half a pair": '"z":{"t":"\\ud800"}',
    "a prototype": '"__proto__":{"n":1}',
    "inherited names": '"constructor":{"n":1},"toString":{"n":2}',
    "nothing at all": '"z":null',
    "a list": '"z":[-0,1e400]',
    "a name twice": '"z":{"n":1},"z":{"n":2}',
    "what is nested deeply": `"z":${deep}`,
  };

  it.each(Object.entries(ODD))("keeps %s beside one that comes, changes or goes", (_, odd) => {
    const a = '{"n":-0,"m":1e400}';
    const list = `{"version":1,"entries":{${odd},"a":${a},"b":{"n":2}}}`;
    const takeAndUndo = (cell: Partial<Cell>, wanted: string): void => {
      const step = inMemory(put("a", cell));
      expect(taken(step, list)).toBe(wanted);
      expect(taken(turnCells(step), wanted)).toBe(list);
    };
    takeAndUndo({ before: a, after: '{"n":1}' }, list.replace(a, '{"n":1}'));
    takeAndUndo(
      { at: ["entries", "a", "n"], before: "-0", after: "7" },
      list.replace(a, '{"n":7,"m":1e400}'),
    );
    takeAndUndo({ before: a, after: null, between: ["z", "b"] }, list.replace(`"a":${a},`, ""));
    takeAndUndo({ at: ["entries", "c"] }, list.replace(/\}\}$/, ',"c":{"n":3}}}'));
  });

  it("changes the one of several members of a name that counts, and lets none of them come up again", () => {
    const list = '{"entries":{"a":{"n":0}},"entries":{"a":{"n":1},"b":{},"a":{"n":2,"n":3}}}';
    const step = inMemory(put("a", { at: ["entries", "a", "n"], before: "3", after: "4" }));
    expect(taken(step, list)).toBe(list.replace('"n":3', '"n":4'));
    const gone = inMemory(put("a", { before: '{"n":3}', after: null }));
    expect(taken(gone, list)).toBe('{"entries":{"a":{"n":0}},"entries":{"b":{}}}');
  });

  it("sets members of any name", () => {
    for (const id of ["__proto__", "constructor", "hasOwnProperty", "", "\ud800", '"'])
      for (const list of [AROUND, `{"entries":{"b":{}}}`]) {
        const step = inMemory(put(id));
        const next = taken(step, list) ?? "";
        expect(Object.entries(JSON.parse(next).entries)).toContainEqual([id, { n: 3 }]);
        expect(taken(turnCells(step), next)).toBe(list);
      }
  });

  it("knows what a program has written anew in its own way", () => {
    const step = inMemory(put("a", { before: '{"m":1e400,"n":-0}', after: "1" }));
    expect(taken(step, '{"entries":{"a":{"n":0,"m":null}}}')).toBe('{"entries":{"a":1}}');
  });

  it("refuses in words where there is no object to have the member", () => {
    for (const list of [
      '{"entries":[]}',
      '{"entries":7}',
      "{}",
      "[]",
      '[{"entries":{}}]',
      '"text"',
      "no JSON",
    ])
      expect(() => taken(inMemory(put("a")), list)).toThrow(AppError);
  });
});

it("brings members back between those that stood around them", () => {
  const list = '{"entries":{"a":{},"b":{},"c":{},"d":{}}}';
  const step = inMemory(
    put("b", { before: "{}", after: null, between: ["a", "c"] }),
    put("c", { before: "{}", after: null, between: ["b", "d"] }),
  );
  const next = taken(step, list) ?? "";
  expect(next).toBe('{"entries":{"a":{},"d":{}}}');
  expect(taken(turnCells(step), next)).toBe(list);
  const back = (between: NonNullable<Cell["between"]>, now: string) =>
    taken(inMemory(put("b", { after: "{}", between })), `{"entries":{${now}}}`);
  expect(back(["a", "c"], '"a":{},"x":{}')).toBe('{"entries":{"a":{},"b":{},"x":{}}}');
  expect(back(["a", "c"], '"x":{},"c":{}')).toBe('{"entries":{"x":{},"b":{},"c":{}}}');
  expect(back(["a", "c"], '"x":{},"y":{}')).toBe('{"entries":{"x":{},"y":{},"b":{}}}');
  expect(back([null, "c"], '"x":{}')).toBe('{"entries":{"b":{},"x":{}}}');
  expect(back(["a", null], "")).toBe('{"entries":{"b":{}}}');
});
