/** stats as people type it, on the demo. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { widthOf } from "../../src/present/text/text.ts";
import { createHome, type Home, line, linesOf, start } from "./home.ts";

let home: Home;
const BY = ["day", "week", "month", "repository", "source", "model", "tool", "file"];
const json = (...words: string[]) => JSON.parse(home.rethread("stats", "--demo", "--json", ...words).stdout);
const sum = (rows: readonly Record<string, number>[], field: string): number =>
  rows.reduce((total, row) => total + (row[field] ?? 0), 0);

beforeAll(() => {
  home = createHome();
  home.rethread("demo");
});
afterAll(() => home.remove());

it("tells programs the same sums however they are divided", () => {
  const { totals, days, sources, repositories, tools, models, files, unmetered } = json();
  const list = JSON.parse(home.rethread("list", "--demo", "--json").stdout);
  expect(totals.sessions).toBe(list.total);
  expect(totals.turns).toBe(sum(list.sessions, "turns"));
  for (const rows of [days, sources, repositories])
    for (const field of ["turns", "toolCalls", "failedCalls", "modelCalls", "inputTokens", "outputTokens"])
      expect(sum(rows, field), field).toBe(totals[field]);
  expect(sum(tools, "toolCalls")).toBe(totals.toolCalls);
  expect(sum(models, "inputTokens")).toBe(totals.inputTokens);
  expect(files.length).toBe(totals.files);
  expect(unmetered).not.toContain("copilot-cli");
});

it.each(BY)("divides by %s, with idle periods, the limit and how many there are", (by) => {
  const { by: said, totals, rows, total } = json("--by", by);
  expect({ said, total }).toEqual({ said: by, total: rows.length });
  if (rows[0].turns !== undefined) expect(sum(rows, "turns")).toBe(totals.turns);
  const limited = json("--by", by, "--limit", "2");
  expect(limited.rows).toEqual(["day", "week", "month"].includes(by) ? rows.slice(-2) : rows.slice(0, 2));
  expect(limited.total).toBe(total);
});

it.each([40, 80, 120])("fits %i columns", (columns) => {
  const narrow = home.with({ COLUMNS: String(columns) });
  for (const words of [[], ...BY.map((by) => ["--by", by])])
    for (const each of linesOf(narrow.rethread("stats", "--demo", "--no-refresh", ...words)))
      expect(widthOf(each), `${words} ${each}`).toBeLessThanOrEqual(columns);
});

it("merges the spellings of models and tools, and estimates costs where there is a price", () => {
  const { models, tools, cost } = json();
  expect(cost).toBeNull();
  const [sonnet] = models;
  expect(sonnet).toMatchObject({ model: "claude-sonnet-4.5", cost: null });
  expect(sonnet.names).toEqual(["claude-sonnet-4-5", "claude-sonnet-4.5"]);
  expect(tools[0]).toMatchObject({ tool: "bash", names: ["Bash", "bash"] });
  const price = { input: 1, output: 5, cacheRead: 0.5, cacheWrite: 2 };
  const prices = { date: "2026-11-01", models: { "claude-sonnet-4-5-20250929": price } };
  home.again("config", "set", "prices", JSON.stringify(prices));
  const priced = JSON.parse(home.again("stats", "--demo", "--json", "--by", "model").stdout);
  const { inputTokens, cachedTokens, cacheWrittenTokens, outputTokens } = sonnet;
  const plain = inputTokens - cachedTokens - cacheWrittenTokens;
  const amount = (plain + 0.5 * cachedTokens + 2 * cacheWrittenTokens + 5 * outputTokens) / 1e6;
  expect(priced.rows[0].cost).toBeCloseTo(amount, 5);
  expect(priced.cost).toMatchObject({ estimated: true, currency: "USD", date: "2026-11-01" });
  expect(priced.cost.unpriced).toContain("gpt-5");
  expect(home.again("stats", "--demo", "--no-refresh").stdout).toContain(
    `\nestimated cost ${amount.toFixed(2)} USD at prices of 2026-11-01; no price for gpt-5`,
  );
  home.again("config", "set", "prices", "null");
  expect(home.again("stats", "--demo", "--no-refresh").stdout).not.toContain("cost");
});

it("takes days from the reader's clock, and counts in a period only what was done in it", () => {
  const own = createHome();
  const began = new Date("2026-06-01T20:00:00.000Z");
  const id = "0b1c2d3e-0000-4000-8000-000000000001";
  own.session(id, [
    start(id, began),
    line("user.message", { content: "before midnight in Kolkata only by Greenwich" }, began, 0),
    line("user.message", { content: "a day later" }, began, 24 * 60),
  ]);
  const keys = (vars: Record<string, string>, ...words: string[]) =>
    JSON.parse(own.with(vars).again("stats", "--json", "--by", "day", ...words).stdout).rows.map(
      (row: { key: string; turns: number }) => [row.key, row.turns],
    );
  expect(keys({ TZ: "UTC" })).toEqual([
    ["2026-06-01", 1],
    ["2026-06-02", 1],
  ]);
  expect(keys({ TZ: "Asia/Kolkata" })).toEqual([
    ["2026-06-02", 1],
    ["2026-06-03", 1],
  ]);
  expect(keys({ TZ: "UTC" }, "--since", "2026-06-02")).toEqual([["2026-06-02", 1]]);
  own.remove();
});

it("says so when nothing fits", () => {
  expect(home.rethread("stats", "--demo", "--repo", "nowhere").stdout).toBe(
    "No session matches, so there is nothing to count. See all: rethread list --demo\n",
  );
});
