import { describe, expect, it } from "vitest";
import { createStyle } from "../../../present/text/style.ts";
import { widthOf } from "../../../present/text/text.ts";
import { barBlock, calendar, inColumns } from "./plot.ts";

const style = createStyle(false);

describe("calendar", () => {
  const now = new Date(2026, 10, 11, 9); // a Wednesday
  const draw = (values: Record<string, number>, columns = 80): string[] =>
    calendar(new Map(Object.entries(values)), "turns a day", now, { style, columns });

  it("puts each day in its weekday's row and its week's column, and nothing after today", () => {
    const lines = draw({ "2026-11-09": 1, "2026-11-11": 8, "2026-11-01": 4 });
    expect(lines).toEqual([
      "       Sep     Oct     Nov",
      "Mon  · · · · · · · · · · · ░",
      "     · · · · · · · · · · · ·",
      "Wed  · · · · · · · · · · · █",
      "     · · · · · · · · · · ·",
      "Fri  · · · · · · · · · · ·",
      "     · · · · · · · · · · ·",
      "Sun  · · · · · · · · · ▒ ·",
      "     · none  ░ 1–2  ▒ 3–4  ▓ 5–6  █ 7–8 turns a day",
    ]);
  });

  it("goes back as far as there is work, and no farther than the terminal is wide", () => {
    const longAgo = { "2026-01-05": 1 };
    expect(Math.max(...draw(longAgo, 200).map(widthOf))).toBe(5 + 2 * 45 - 1);
    for (const columns of [40, 60, 80])
      for (const line of draw(longAgo, columns)) expect(widthOf(line)).toBeLessThanOrEqual(columns);
  });
});

it("draws bars that fill their block, names cut where they must be", () => {
  const rows = [
    { name: "storefront", value: 40, said: "40" },
    { name: "a-name-much-too-long-for-this", value: 10, said: "10" },
    { name: "nothing", value: 0, said: "0" },
  ];
  expect(barBlock("Repositories", rows, 30, style)).toEqual([
    "Repositories",
    "storefront       █████████  40",
    "a-name-much-to…  ██▎        10",
    "nothing                      0",
  ]);
});

it("sets blocks beside each other, in pairs", () => {
  expect(inColumns([["a", "b"], ["c"], ["d"]], 3)).toEqual(["a      c", "b", "", "d"]);
});
