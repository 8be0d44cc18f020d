/** chronicle as people type it, on the demo. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { widthOf } from "../../src/present/text/text.ts";
import { createHome, type Home, linesOf } from "./home.ts";

let home: Home;
const json = (...words: string[]) =>
  JSON.parse(home.rethread("chronicle", ...words, "--demo", "--json").stdout);

beforeAll(() => {
  home = createHome();
  home.rethread("demo");
});
afterAll(() => home.remove());

describe("standup", () => {
  it("tells programs what was done by repository and branch, only of turns in the range", () => {
    const { since, until, repositories, sessionCount } = json("standup");
    expect(Date.parse(until) - Date.parse(since)).toBe(86_400_000);
    const branches = repositories.flatMap((each: { repository: string; branches: { branch: string }[] }) =>
      each.branches.map((branch) => ({ repository: each.repository, ...branch })),
    );
    const login = branches.find(({ branch }: { branch: string }) => branch === "fix/flaky-login");
    const session = { source: "copilot-cli", id: login.sessions[0].id, title: "Flaky login test in CI" };
    expect(login).toMatchObject({
      repository: "lumen-shop/storefront",
      sessions: [{ ...session, turns: 7 }],
      files: [
        { path: "src/api/login.test.ts", session },
        { path: "src/api/rate-limiter.ts" },
        { path: "src/api/too-many-requests.ts", action: "created" },
      ],
      pullRequests: [{ number: "458", session, turn: 6 }],
      openEnds: [],
    });
    expect(json("standup", "--since", "90d").sessionCount).toBeGreaterThan(sessionCount);
    expect(json("standup", "--since", "90d", "--repo", "rates-api").repositories).toHaveLength(1);
  });

  it.each([40, 80, 140])("fits %i columns", (columns) => {
    const narrow = home.with({ COLUMNS: String(columns) });
    for (const line of linesOf(narrow.rethread("chronicle", "standup", "--since", "90d", "--demo")))
      expect(widthOf(line), line).toBeLessThanOrEqual(columns);
  });

  it("is Markdown to be pasted, and a page of its own", () => {
    const markdown = home.rethread("chronicle", "standup", "--demo", "--format", "md").stdout;
    expect(markdown).toMatch(/^## Standup, \d+ \w+/);
    expect(markdown).toContain("### lumen-shop/storefront\n");
    expect(markdown).toContain("- Pull request [#458](https://github.com/lumen-shop/storefront/pull/458)\n");
    const page = home.rethread("chronicle", "standup", "--demo", "--format", "html").stdout;
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain('<a href="https://github.com/lumen-shop/storefront/pull/458"');
    expect(page).not.toContain("<script");
    expect(
      JSON.parse(home.rethread("chronicle", "standup", "--demo", "--format", "json").stdout),
    ).toMatchObject({
      schemaVersion: 1,
    });
  });

  it("says when there was nothing, and what to do about it", () => {
    const { stdout, code } = home.rethread("chronicle", "standup", "--demo", "--until", "2020-01-01");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^No sessions from /);
    expect(stdout).toContain("rethread chronicle standup --since 7d --demo");
    expect(stdout).toContain("rethread index --demo");
    expect(json("standup", "--until", "2020-01-01").repositories).toEqual([]);
  });
});

describe("tips", () => {
  it("tells programs what was found, where, and what to do", () => {
    const { findings, sessionCount } = json("tips");
    expect(sessionCount).toBe(40);
    expect(findings.map(({ kind }: { kind: string }) => kind)).toEqual([
      "correction-again",
      "correction-again",
      "no-instructions",
      "left-open",
    ]);
    expect(findings[0]).toMatchObject({
      title: "Said in 2 sessions of lumen-shop/storefront: Never round amounts more than once.",
      suggestion: expect.any(String),
      evidence: [
        { session: { source: "copilot-cli", title: "Cart total is one cent off" }, turn: 1 },
        { session: { source: "claude-code", title: "Review: stackable coupons" }, turn: 1 },
      ],
      remedy: { action: "chronicle", args: { report: "improve", repo: "lumen-shop/storefront" }, demo: true },
    });
  });

  it.each([40, 80, 140])("fits %i columns, but for commands to be copied", (columns) => {
    const narrow = home.with({ COLUMNS: String(columns) });
    for (const line of linesOf(narrow.rethread("chronicle", "tips", "--demo")))
      if (!line.trim().startsWith("rethread ")) expect(widthOf(line), line).toBeLessThanOrEqual(columns);
  });

  it("is Markdown and a page, too, and says when there is nothing", () => {
    const markdown = home.rethread("chronicle", "tips", "--demo", "--format", "md").stdout;
    expect(markdown).toMatch(/^## Tips, .*: 40 sessions\n\n### Said in 2 sessions/);
    expect(home.rethread("chronicle", "tips", "--demo", "--format", "html").stdout).toContain(
      "<h3>Said in 2",
    );
    const quiet = home.rethread("chronicle", "tips", "--demo", "--repo", "rates-api").stdout;
    expect(quiet).toMatch(/^Nothing that costs time or tokens was found in 2 sessions/);
    const none = home.rethread("chronicle", "tips", "--demo", "--until", "2020-01-01").stdout;
    expect(none).toContain("rethread index --demo");
  });
});

it("reindexes under the name that Copilot CLI has for it", () => {
  expect(json("reindex")).toMatchObject({ outcome: "complete", indexed: 0, unchanged: 40 });
});

it("names the reports when it is asked for another one", () => {
  const { stderr, code } = home.rethread("chronicle", "horoscope", "--demo");
  expect(code).toBe(2);
  expect(stderr).toContain("standup");
});
