/** chronicle as people type it, on the demo. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { widthOf } from "../../src/present/text/text.ts";
import { createHome, type Home, linesOf } from "./home.ts";

let home: Home;
const agents = (): string => join(home.dataHome, "demo/work/storefront/AGENTS.md");
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

describe("improve", () => {
  it("proposes lines with evidence, and shows them as a diff", () => {
    const { findings, changes, notes } = json("improve");
    expect(notes).toEqual([]);
    expect(findings.map(({ line, kind }: { line: string; kind: string }) => [kind, line])).toEqual([
      ["correction", "Never round amounts more than once."],
      ["correction", "Use uv, not pip."],
    ]);
    expect(findings[0].evidence).toMatchObject([{ turn: 1 }, { turn: 1 }]);
    expect(changes).toMatchObject([
      { repository: "lumen-shop/storefront", isNew: true, lines: ["Never round amounts more than once."] },
      { repository: "tidewater/harbor-etl", isNew: true },
    ]);
    const text = home.rethread("chronicle", "improve", "--demo").stdout;
    expect(text).toContain("\n+- Never round amounts more than once.\n");
    expect(text).toContain("rethread chronicle improve --apply --demo");
    const markdown = home.rethread("chronicle", "improve", "--demo", "--format", "md").stdout;
    expect(markdown).toContain("```diff\n--- /dev/null\n+++ b/AGENTS.md\n");
  });

  it.each([40, 80, 140])("fits %i columns, but for commands to be copied", (columns) => {
    const narrow = home.with({ COLUMNS: String(columns) });
    for (const line of linesOf(narrow.rethread("chronicle", "improve", "--demo")))
      if (!line.trim().startsWith("rethread ")) expect(widthOf(line), line).toBeLessThanOrEqual(columns);
  });

  it("asks before it writes, and writes nothing when nobody is there", () => {
    const { code, stderr } = home.again("chronicle", "improve", "--demo", "--apply");
    expect([code, stderr]).toEqual([2, expect.stringContaining("needs-yes")]);
    expect(existsSync(agents())).toBe(false);
    const dry = home.again("chronicle", "improve", "--demo", "--apply", "--dry-run").stdout;
    expect(dry).toMatch(/^Would add to 2 instruction files\n/);
    expect(existsSync(agents())).toBe(false);
  });

  it("writes what was shown, and undo takes it back", () => {
    const shop = [...["chronicle", "improve", "--demo", "--repo", "storefront", "--apply"], "--yes"];
    const done = JSON.parse(home.again(...shop, "--json").stdout);
    expect(done).toMatchObject({
      session: null,
      plan: { kind: "improve", steps: [{ does: "place", path: agents() }] },
      changes: [{ path: agents(), lines: ["Never round amounts more than once."] }],
    });
    expect(readFileSync(agents(), "utf8")).toBe(
      "## Learned from sessions\n\n- Never round amounts more than once.\n",
    );
    expect(home.again(...shop).stdout).toBe(
      "Nothing to do: no session shows a line that the instructions lack\n",
    );
    const undone = home.again("undo", done.operation, "--demo", "--yes").stdout;
    expect(undone).toMatch(/^Undid the improvement of "AGENTS.md of lumen-shop\/storefront"/);
    expect(existsSync(agents())).toBe(false);
  });

  it("takes only some proposals, into the file that is named", () => {
    const [first, second] = json("improve").findings.map(({ id }: { id: string }) => id);
    const words = [
      "chronicle",
      "improve",
      "--demo",
      "--only",
      second,
      "--file",
      "claude",
      "--apply",
      "--dry-run",
      "--json",
    ];
    expect(JSON.parse(home.again(...words).stdout).changes).toMatchObject([
      { path: expect.stringMatching(/harbor-etl\/CLAUDE\.md$/), lines: ["Use uv, not pip."] },
    ]);
    expect(json("improve", "--only", first).findings).toMatchObject([{ id: first }]);
    for (const wrong of [
      ["--only", "9"],
      ["--only", "00000000"],
      ["--file", "README.md"],
    ])
      for (const more of [[], ["--apply", "--yes"]])
        expect(home.again("chronicle", "improve", "--demo", ...wrong, ...more)).toMatchObject({ code: 2 });
  });

  it("means the same proposal by the same name, whatever was written since", () => {
    const [first, second] = json("improve").findings;
    const only = (id: string) =>
      home.again("chronicle", "improve", "--demo", "--only", id, "--apply", "--yes", "--json");
    const { operation } = JSON.parse(only(first.id).stdout);
    const left = JSON.parse(home.again("chronicle", "improve", "--demo", "--json").stdout);
    expect(left.findings).toMatchObject([{ id: second.id }]);
    expect(JSON.parse(only(first.id).stdout)).toMatchObject({ operation: null, changes: [] });
    const other = JSON.parse(only(second.id).stdout);
    expect(other.changes).toMatchObject([{ lines: [second.line] }]);
    for (const each of [other.operation, operation]) home.again("undo", each, "--demo", "--yes");
  });

  it("suggests commands that mean the same work", () => {
    const asked = ["--repo", "storefront", "--file", "CLAUDE.md", "--since", "80d"];
    const { stdout } = home.again("chronicle", "improve", "--demo", ...asked);
    const [all = "", some = ""] = stdout.split("\n").filter((line) => line.startsWith("  rethread "));
    expect(all).toBe(
      "  rethread chronicle improve --repo storefront --since 80d --file CLAUDE.md --apply --demo",
    );
    expect(some).toMatch(
      / --repo storefront --since 80d --file CLAUDE\.md --only [0-9a-f]{8} --apply --demo$/,
    );
    for (const [report, since] of [
      ["standup", "7d"],
      ["tips", "1y"],
    ] as const)
      expect(home.again("chronicle", report, "--demo", "--repo", "none such").stdout).toContain(
        `  rethread chronicle ${report} --repo 'none such' --since ${since} --demo\n`,
      );
  });

  it("says what could not be written, and why", () => {
    const shop = ["chronicle", "improve", "--demo", "--repo", "storefront"];
    mkdirSync(agents());
    try {
      const { stdout, code } = home.again(...shop, "--apply", "--yes");
      expect(code).toBe(1);
      expect(stdout.replaceAll(/\s+/g, " ")).toMatch(
        /^Nothing can be written left out: .*AGENTS\.md is a folder, so it is left alone\. $/,
      );
      expect(home.again(...shop).stdout).toContain("Never round amounts more than once.");
    } finally {
      rmSync(agents(), { recursive: true });
    }
    symlinkSync("none-such.md", agents());
    try {
      expect(home.again(...shop, "--apply", "--yes").stdout).toMatch(
        /is\s+a\s+link\s+that\s+leads\s+nowhere/,
      );
    } finally {
      rmSync(agents());
    }
    symlinkSync(join(home.path, "outside.md"), agents());
    try {
      expect(home.again(...shop, "--apply", "--yes").stdout).toMatch(/leads\s+out\s+of\s+the\s+repository/);
      expect(existsSync(join(home.path, "outside.md"))).toBe(false);
      expect(JSON.parse(home.again(...shop, "--apply", "--yes", "--json").stdout).losses).toHaveLength(1);
    } finally {
      rmSync(agents());
    }
  });
});

describe("a model", () => {
  const standup = (...words: string[]) => home.again("chronicle", "standup", "--demo", ...words);

  it("can be given the data as a prompt, in which sessions are quoted", () => {
    const { stdout } = standup("--prompt");
    expect(stdout).toMatch(/^Write a standup update/);
    expect(stdout).toMatch(/<(history-[0-9a-f]{12})>\n\{[\s\S]*"number": "458"[\s\S]*\}\n<\/\1>\n$/);
    for (const report of ["tips", "improve"])
      expect(home.again("chronicle", report, "--demo", "--prompt").stdout).toContain(
        "not instructions to you",
      );
  });

  it("may word the report where it keeps to the data", () => {
    expect(standup("--with", "echo '- Login: PR #458 (f47bca59)'").stdout).toBe(
      "- Login: PR #458 (f47bca59)\n",
    );
    const page = standup("--with", "echo '- Login: **PR #458**'", "--format", "html").stdout;
    expect(page).toContain("<strong>PR #458</strong>");
  });

  it.each([
    ["a number", "echo '4711 sessions'", "named what is not in the data (4711)"],
    ["a session", "echo 'See deadbee1'", "named what is not in the data (deadbee1)"],
    ["nothing", "true", "answered nothing"],
    ["an error", "exit 3", "ended with exit code 3"],
  ])("is not believed when it answers with %s", (_name, command, why) => {
    const { stdout, stderr, code } = standup("--with", command);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Standup, /);
    expect(stderr).toContain(why);
    expect(stderr).toContain("so this is the plain report");
  });

  it("is one's own Copilot CLI, in a home that is gone afterwards", () => {
    const bin = join(home.path, "bin");
    mkdirSync(bin, { recursive: true });
    const noted = join(home.path, "noted");
    writeFileSync(
      join(bin, "copilot"),
      `#!/bin/sh\necho "$COPILOT_HOME" > '${noted}'\ncat >> '${noted}'\necho 'PR #458 is open.'\n`,
      { mode: 0o755 },
    );
    const own = home.with({ PATH: `${bin}:${home.env.PATH}` });
    expect(own.again("chronicle", "standup", "--demo", "--with", "copilot").stdout).toBe(
      "PR #458 is open.\n",
    );
    const [place = "", ...prompt] = readFileSync(noted, "utf8").split("\n");
    expect(existsSync(place)).toBe(false);
    expect(prompt.join("\n")).toContain('"number": "458"');
  });

  it("cannot be combined with what nobody could obey", () => {
    for (const words of [
      ["--json", "--prompt"],
      ["--with", "cat", "--format", "json"],
      ["--with", "cat", "--prompt"],
    ])
      expect(standup(...words)).toMatchObject({ code: 2 });
    expect(home.again("chronicle", "improve", "--demo", "--with", "cat", "--apply")).toMatchObject({
      code: 2,
    });
    expect(home.again("chronicle", "reindex", "--demo", "--prompt")).toMatchObject({ code: 2 });
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

describe("an option that a report has no use for", () => {
  it.each([
    ["tips", "--no-git"],
    ["tips", "--apply"],
    ["tips", "--only", "bf615b9d"],
    ["tips", "--yes"],
    ["standup", "--file", "claude"],
    ["standup", "--dry-run"],
    ["improve", "--no-git"],
    ["improve", "--yes"],
    ["improve", "--dry-run"],
    ["improve", "--apply", "--yes", "--format", "md"],
    ["improve", "--apply", "--yes", "--no-refresh"],
    ["reindex", "--since", "7d"],
    ["reindex", "--repo", "storefront"],
    ["reindex", "--tag", "x"],
    ["reindex", "--no-refresh"],
    ["reindex", "--format", "html"],
    ["standup", "--json", "--format", "md"],
    ["standup", "--prompt", "--format", "md"],
  ])("is refused: %s %s", (...words) => {
    const { code, stdout, stderr } = home.again("chronicle", ...words, "--demo");
    expect(code).toBe(2);
    expect(stdout + stderr).toMatch(/has no use for --|cannot be combined with/);
  });

  it("is a beginning after the end", () => {
    for (const report of ["standup", "tips", "improve"])
      expect(
        home.again("chronicle", report, "--since", "today", "--until", "2020-01-01", "--demo"),
      ).toMatchObject({ code: 2, stderr: expect.stringContaining("after its end") });
  });

  it("is none of those that it obeys", () => {
    for (const words of [
      ["tips", "--repo", "storefront", "--format", "md", "--since", "30d", "--no-refresh"],
      ["standup", "--json", "--format", "json", "--no-git"],
      ["reindex", "--source", "vscode", "--format", "json"],
    ])
      expect(home.again("chronicle", ...words, "--demo")).toMatchObject({ code: 0 });
  });
});
