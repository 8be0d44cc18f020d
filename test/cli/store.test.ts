/** index, search and sql as people type them, on a home of made-up sessions. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createHome, type Home } from "./home.ts";

let home: Home;
const storeFiles = (): string[] =>
  readdirSync(join(home.dataHome, "demo")).filter((name) => name.startsWith("session-store"));
const rethread = (...words: string[]) => home.again(...words, "--demo");
const json = (...words: string[]) => JSON.parse(rethread(...words, "--json").stdout);

beforeAll(() => {
  home = createHome();
  rethread("demo");
});
afterAll(() => home.remove());

describe("index", () => {
  beforeEach(() => {
    for (const name of storeFiles()) rmSync(join(home.dataHome, "demo", name));
  });

  it("reads everything once, then only what changed, and says so", () => {
    expect(json("index")).toMatchObject({
      schemaVersion: 1,
      indexed: 40,
      unchanged: 0,
      removed: 0,
      problems: 2,
    });
    expect(json("index")).toMatchObject({ indexed: 0, unchanged: 40, removed: 0, bytesRead: 0 });
    expect(rethread("index").stdout).toBe("Indexed 0 sessions; 40 unchanged, 0 removed.\n");
    expect(rethread("index", "--rebuild").stdout).toMatch(
      /^Indexed 40 sessions, \d+ kB in [\d.]+ s; 0 unchanged, 0 removed, 2 with problems\.\nSee what is wrong: rethread doctor --demo\n$/,
    );
  });
});

describe("search", () => {
  it("finds turns and prints them by session, with the commands that read a hit and continue the session", () => {
    const { stdout } = rethread("search", "coupons", "stackable");
    expect(stdout).toMatch(
      /^Review: stackable coupons\n([0-9a-f]{8}) · claude-code · .* · rethread resume \1 --demo\n( {2}turn (\d+) .* rethread show \1 --turn \3 --demo\n)+/,
    );
    expect(stdout).toMatch(/\d+ hits? in \d+ sessions?\n$/);
  });

  it("takes one of several arguments that has spaces in it for a phrase", () => {
    expect(json("search", "review", "stackable coupons").hits.length).toBeGreaterThan(0);
    expect(json("search", "review", "coupons stackable")).toMatchObject({ partial: true });
    expect(json("search", "coupons stackable")).toMatchObject({ partial: false });
  });

  it("gives programs the shape they rely on", () => {
    const { hits, ...rest } = json("search", "coupons stackable");
    expect(rest).toEqual({
      schemaVersion: 1,
      partial: false,
      respelt: [],
      missing: [],
      optional: [],
      next: null,
    });
    expect(hits[0]).toMatchObject({
      session: { source: "claude-code", title: "Review: stackable coupons" },
      score: expect.any(Number),
    });
    expect(JSON.stringify(hits)).not.toMatch(/\\u000[12]/);
  });

  it("says when it respelt a word, found only some, or nothing", () => {
    expect(rethread("search", "cuopons").stdout).toMatch(
      /^Nothing was found for "cuopons"; showing results for "coupons"\.\n/,
    );
    expect(rethread("search", "coupons", "xylophone").stdout).toMatch(
      /^Nothing was found for "xylophone"\.\nNo turn has all the words; these have most of them\.\n/,
    );
    expect(rethread("search", "xylophone").stdout).toMatch(/^Nothing was found for xylophone\./);
  });

  interface FoundHit {
    readonly session: { readonly id: string };
    readonly snippet: string;
  }
  const idsOf = (hits: readonly FoundHit[]): Set<string> => new Set(hits.map((hit) => hit.session.id));

  it.each([
    ["--source", "vscode"],
    ["--workspace", "storefront"],
    ["--repo", "lumen-shop"],
    ["--branch", "fix"],
    ["--since", "20d"],
    ["--until", "40d"],
  ])("narrows by %s %s to sessions that list shows, too", (...filter) => {
    const listed = new Set<string>(
      json("list", ...filter).sessions.map((session: { id: string }) => session.id),
    );
    const found = idsOf(json("search", "the", "--limit", "500", ...filter).hits);
    expect([found.size > 0, [...found].filter((id) => !listed.has(id))]).toEqual([true, []]);
  });

  it.each([
    [
      "--file",
      "cart/total.ts",
      "SELECT session_id FROM session_files WHERE file_path LIKE '%cart/total.ts%'",
    ],
    ["--ref", "pr:412", "SELECT session_id FROM session_refs WHERE ref_type = 'pr' AND ref_value = '412'"],
    ["--tool", "bash", "SELECT session_id FROM tool_calls WHERE lower(tool_name) = 'bash'"],
    ["--model", "opus", "SELECT id FROM sessions WHERE models LIKE '%opus%'"],
  ])("narrows by %s %s", (option, value, sql) => {
    const wanted = new Set(json("sql", sql).rows.flat());
    const found = idsOf(json("search", "the", "--limit", "500", option, value).hits);
    expect([found.size > 0, [...found].filter((id) => !wanted.has(id))]).toEqual([true, []]);
  });

  it("narrows by who said it", () => {
    const said = (role: string): string[] =>
      json("search", '"npm test"', "--role", role, "--limit", "500").hits.map((hit: FoundHit) => hit.snippet);
    expect(said("tool").length).toBeGreaterThan(3);
    expect(said("user")).toEqual([]);
    expect(json("search", "coupons", "--role", "nobody").error).toMatchObject({ code: "usage" });
  });

  it("refuses a reference that is none", () => {
    expect(json("search", "the", "--ref", "pr:999999").hits).toEqual([]);
    expect(json("search", "the", "--ref", "nonsense").error).toMatchObject({ code: "usage" });
  });
});

describe("sql", () => {
  it("answers as a table, JSON, JSON lines and comma-separated values", () => {
    const query = "SELECT source, count(*) AS n FROM sessions GROUP BY source ORDER BY source";
    expect(rethread("sql", query).stdout).toBe(
      "source        n\nclaude-code  12\ncopilot-cli  16\nvscode       12\n\n3 rows\n",
    );
    expect(json("sql", query)).toEqual({
      schemaVersion: 1,
      columns: ["source", "n"],
      rows: [
        ["claude-code", 12],
        ["copilot-cli", 16],
        ["vscode", 12],
      ],
      truncated: false,
    });
    expect(rethread("sql", query, "--jsonl").stdout.split("\n")[0]).toBe('{"source":"claude-code","n":12}');
    expect(rethread("sql", "SELECT 'a,\"b' AS x, NULL AS y", "--csv").stdout).toBe('x,y\r\n"a,""b",\r\n');
  });

  it("marks what it left out", () => {
    expect(json("sql", "SELECT id FROM turns", "--limit", "5")).toMatchObject({
      rows: { length: 5 },
      truncated: true,
    });
  });

  it("refuses to write, with a code", () => {
    const { code, stdout } = rethread("sql", "DELETE FROM sessions", "--json");
    expect(code).not.toBe(0);
    expect(JSON.parse(stdout).error.code).toBe("sql-refused");
  });

  it("stops a query that would run for ever, and lives on", () => {
    const { error } = json(
      "sql",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
      "--timeout",
      "1",
    );
    expect(error.code).toBe("sql-timeout");
  });

  it("changes not a byte of the store with --no-refresh", () => {
    json("index");
    const digest = () =>
      storeFiles().map(
        (name) =>
          `${name} ${createHash("sha256")
            .update(readFileSync(join(home.dataHome, "demo", name)))
            .digest("hex")}`,
      );
    const before = digest();
    json("sql", "SELECT count(*) FROM turns", "--no-refresh");
    expect(digest()).toEqual(before);
  });

  it("lists the tables that queries may rely on", () => {
    const { tables } = json("sql", "--schema");
    expect(tables.map((table: { name: string }) => table.name)).toEqual(
      expect.arrayContaining(["sessions", "turns", "session_files", "session_refs", "search_index"]),
    );
  });
});
