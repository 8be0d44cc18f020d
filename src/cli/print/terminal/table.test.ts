import { describe, expect, it } from "vitest";
import { cutStart, widthOf } from "../../../present/text/text.ts";
import { type Column, toTable } from "./table.ts";

interface Row {
  id: string;
  title: string;
  turns: number;
}
const ROWS: Row[] = [
  { id: "0b1c", title: "Fix the login redirect", turns: 5 },
  { id: "9f2e", title: "ログイン画面の修正", turns: 120 },
];
const COLUMNS: Column<Row>[] = [
  { head: "ID", text: (row) => row.id },
  { head: "TITLE", text: (row) => row.title, min: 8 },
  { head: "TURNS", align: "right", text: (row) => String(row.turns), gives: 1 },
];
const table = (width: number): string[] => toTable(ROWS, COLUMNS, width, (text) => text);

describe("toTable", () => {
  it("aligns columns by what is seen, not by how many characters there are", () => {
    expect(table(80)).toEqual([
      "ID    TITLE                   TURNS",
      "0b1c  Fix the login redirect      5",
      "9f2e  ログイン画面の修正        120",
    ]);
  });
  it("cuts the column that can spare room", () => {
    expect(table(30)).toEqual([
      "ID    TITLE              TURNS",
      "0b1c  Fix the login re…      5",
      "9f2e  ログイン画面の修…    120",
    ]);
  });
  it("gives up a column before the others become unreadable", () => {
    expect(table(18)[1]).toBe("0b1c  Fix the log…");
    for (const line of table(18)) expect(widthOf(line)).toBeLessThanOrEqual(18);
  });
  it("keeps the part of a text that its column needs", () => {
    const [id, title, turns] = COLUMNS as [Column<Row>, Column<Row>, Column<Row>];
    const ends = toTable(ROWS, [id, { ...title, cut: cutStart }, turns], 30, (text) => text);
    expect(ends[1]).toBe("0b1c  …e login redirect      5");
  });
  it("takes any number of rows", () => {
    const rows = Array.from({ length: 150_000 }, () => ({ id: "a", title: "b", turns: 1 }));
    expect(toTable(rows, COLUMNS, 80, (text) => text)).toHaveLength(150_001);
  });
  it("leaves out a column that has nothing to say", () => {
    const columns = [...COLUMNS, { head: "WHERE", text: () => "" }];
    expect(toTable(ROWS, columns, 80, (text) => text)[0]).not.toContain("WHERE");
  });
});
