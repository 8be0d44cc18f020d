/** Every command as a person or a program runs it, on a temporary home. */
import { readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ERROR_CODES } from "../../src/model/errors.ts";
import { createHome, type Home, line, start } from "./home.ts";

const LOGIN = "0b1c2d3e-0000-4000-8000-000000000001";
const FLAKY = "0b1cffff-0000-4000-8000-000000000002";
const EVIL = "77777777-0000-4000-8000-000000000003";
const EVIL_TITLE =
  "\u001b]0;owned\u0007\u001b[2J 日本語のとても長いタイトルがここに続いて端末の幅を超えます 👩‍👩‍👧";
const HOUR = 3_600_000;

// Each test starts the command several times.
vi.setConfig({ testTimeout: 60_000 });

let home: Home;
const json = (...words: string[]) => JSON.parse(home.rethread(...words, "--json").stdout);

beforeAll(() => {
  home = createHome();
  const login = new Date(Date.now() - 2 * HOUR);
  home.session(
    LOGIN,
    [
      start(LOGIN, login),
      line("user.message", { content: "Fix the login redirect" }, login, 1),
      line(
        "assistant.message",
        {
          messageId: "m1",
          content: "Let me look.",
          toolRequests: [{ toolCallId: "c1", name: "bash", arguments: { command: "npm test" } }],
        },
        login,
        2,
      ),
      line(
        "tool.execution_start",
        { toolCallId: "c1", toolName: "bash", arguments: { command: "npm test" } },
        login,
        3,
      ),
      line(
        "tool.execution_complete",
        { toolCallId: "c1", success: true, result: { content: "2 passed" } },
        login,
        4,
      ),
      line("assistant.message", { messageId: "m2", content: "**Done**: all tests pass." }, login, 5),
      line("user.message", { content: "Thank you" }, login, 6),
    ],
    {
      cwd: "/srv/storefront",
      repository: "lumen-shop/storefront",
      branch: "fix/login",
      name: "Login redirect",
    },
  );
  const flaky = new Date(Date.now() - 10 * 24 * HOUR);
  home.session(
    FLAKY,
    [
      start(FLAKY, flaky),
      line("user.message", { content: "Fix the flaky test" }, flaky, 1),
      '{"type":"assist',
    ],
    { cwd: "/srv/platform", repository: "lumen-shop/platform", branch: "main", name: "Flaky test" },
  );
  const evil = new Date(Date.now() - 40 * 24 * HOUR);
  home.session(EVIL, [start(EVIL, evil), line("user.message", { content: EVIL_TITLE }, evil, 1)], {
    cwd: "/srv/storefront",
    name: EVIL_TITLE,
  });
});
afterAll(() => home.remove());

describe("list", () => {
  it("gives each session in the shape that programs rely on, the latest first", () => {
    const { schemaVersion, sessions, total } = json("list");
    expect({ schemaVersion, total, ids: sessions.map((each: { id: string }) => each.id) }).toEqual({
      schemaVersion: 1,
      total: 3,
      ids: [LOGIN, FLAKY, EVIL],
    });
    expect(sessions[0]).toMatchObject({
      source: "copilot-cli",
      id: LOGIN,
      title: "Login redirect",
      workspace: "/srv/storefront",
      repository: "lumen-shop/storefront",
      branch: "fix/login",
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      turns: 2,
      problems: 0,
    });
    expect(sessions[2]).toMatchObject({ repository: null, branch: null, parent: null });
  });

  it.each([
    [["--repo", "storefront"], [LOGIN]],
    [["--branch", "login"], [LOGIN]],
    [
      ["--workspace", "/srv/storefront"],
      [LOGIN, EVIL],
    ],
    [["--since", "3d"], [LOGIN]],
    [
      ["--until", "3d"],
      [FLAKY, EVIL],
    ],
    [["--since", "3w", "--until", "5d"], [FLAKY]],
    [
      ["--limit", "2"],
      [LOGIN, FLAKY],
    ],
    [
      ["--source", "copilot-cli", "--limit", "0"],
      [LOGIN, FLAKY, EVIL],
    ],
    [["--source", "claude-code"], []],
  ])("narrows by %j", (words, ids) => {
    expect(json("list", ...words).sessions.map((each: { id: string }) => each.id)).toEqual(ids);
  });

  it("says whether nothing fits or nothing is there", () => {
    expect(home.rethread("list", "--repo", "nowhere").stdout).toBe(
      "No session fits. All of them: rethread list\n",
    );
    const empty = createHome();
    expect(empty.rethread("list").stdout).toContain("No session was found.");
    empty.remove();
  });

  it("prints one session a line for streams", () => {
    const { stdout } = home.rethread("list", "--jsonl");
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((each) => JSON.parse(each).id),
    ).toEqual([LOGIN, FLAKY, EVIL]);
  });

  it("prints a table with short ids, times in words, and a mark on damage", () => {
    const { stdout, stderr, code } = home.rethread("list");
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
    expect(stdout).toMatch(
      /^ {3}0b1c2d3e {2}1h ago +copilot-cli +2 {2}Login redirect +storefront@fix\/login$/m,
    );
    expect(stdout).toMatch(/^! {2}0b1cffff {2}10d ago/m);
    expect(stdout).toContain("3 sessions · ! 1 with problems: rethread doctor");
  });
});

describe("show", () => {
  it("gives the session, its turns and their parts in the shape that programs rely on", () => {
    const shown = json("show", "0b1c2d3e");
    expect(shown.session).toMatchObject({ id: LOGIN, turns: 2 });
    expect(shown.problems).toEqual([]);
    expect(shown.turns).toMatchObject([
      {
        index: 0,
        user: "Fix the login redirect",
        assistant: "Let me look.\n\n**Done**: all tests pass.",
        startedAt: expect.stringMatching(/Z$/),
        parts: [
          { kind: "text", text: "Let me look." },
          { kind: "tool", name: "bash", input: { command: "npm test" }, status: "ok", result: "2 passed" },
          { kind: "text", text: "**Done**: all tests pass." },
        ],
      },
      { index: 1, user: "Thank you", assistant: "", parts: [] },
    ]);
  });

  it("finds it by the start of its id, its title and source:id, in any case", () => {
    for (const name of ["0b1c2", "login redirect", "LOGIN", "copilot-cli:0b1c2d"])
      expect(json("show", name).session.id).toBe(LOGIN);
  });

  it("gives one turn when asked, and the same as lines", () => {
    expect(json("show", "login", "--turn", "1").turns).toMatchObject([{ index: 1, user: "Thank you" }]);
    const lines = home.rethread("show", "login", "--jsonl").stdout.trimEnd().split("\n");
    expect(lines.map((each) => JSON.parse(each).index)).toEqual([0, 1]);
  });

  it("prints the conversation for people, with the damage at its end", () => {
    const { stdout } = home.rethread("show", "login");
    for (const words of [
      "▌ Fix the login redirect",
      "✓ bash npm test",
      "  Done: all tests pass.",
      "▌ Thank you",
    ])
      expect(stdout).toContain(words);
    expect(home.rethread("show", "flaky").stdout).toMatch(/Problems\n {2}• record-torn events\.jsonl:3 /);
    expect(json("show", "flaky").problems).toMatchObject([{ code: "record-torn", line: 3, session: FLAKY }]);
  });

  it("prints Markdown, and a page", () => {
    const markdown = home.rethread("show", "login", "--format", "md").stdout;
    expect(markdown).toMatch(/^# Login redirect\n/);
    expect(markdown).toContain("## Turn 1");
    expect(markdown).toContain("- ✓ **bash** `npm test` (8 chars)");
    const page = home.rethread("show", "login", "--format", "html").stdout;
    expect(page).toMatch(/^<!doctype html>[\s\S]*<strong>Done<\/strong>: all tests pass\.[\s\S]*<\/html>\n$/);
  });

  it("prints the same JSON however it is asked for, and refuses two formats at once", () => {
    expect(JSON.parse(home.rethread("show", "login", "--format", "json").stdout)).toEqual(
      json("show", "login"),
    );
    expect(json("show", "login", "--format", "html").error).toMatchObject({ code: "usage" });
    expect(JSON.parse(home.rethread("show", "nobody", "--format", "json").stdout).error.code).toBe(
      "session-not-found",
    );
  });
});

describe("context", () => {
  it("gives the messages and their tokens in the shape that programs rely on", () => {
    const context = json("context", "login");
    expect(context.messages.map((each: { role: string }) => each.role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
    expect(context.messages[1]).toMatchObject({
      text: "Let me look.",
      toolCalls: [{ id: "c1", name: "bash", arguments: { command: "npm test" } }],
      toolCallId: null,
    });
    expect(context.messages[2]).toMatchObject({
      text: "2 passed",
      toolCalls: [],
      toolCallId: "c1",
      tokens: 2,
    });
    const sum = context.messages.reduce((total: number, each: { tokens: number }) => total + each.tokens, 0);
    expect(context.tokens).toBe(sum);
  });

  it("says what is damaged, since the program may drop it or refuse the session", () => {
    expect(json("context", "login").problems).toEqual([]);
    expect(json("context", "flaky").problems).toMatchObject([
      { code: "record-torn", line: 3, session: FLAKY },
    ]);
    expect(home.rethread("context", "flaky").stdout).toMatch(/The session is damaged[^•]*• record-torn /);
  });

  it("prints a table and where the tokens go, or every message whole", () => {
    const { stdout } = home.rethread("context", "login");
    expect(stdout).toMatch(/2 {2}tool +2 {2}2 passed/);
    expect(stdout).toContain("On resume the model receives 5 messages");
    expect(stdout).toMatch(/bash results +2 +█/);
    expect(home.rethread("context", "login", "--full").stdout).toMatch(
      /── 2 tool · 2 tokens · c1 \n2 passed\n/,
    );
  });
});

describe("doctor", () => {
  it("names each problem with its session and place, and exits 1", () => {
    const { code, stdout } = home.rethread("doctor", "--json");
    const { problems, sessions } = JSON.parse(stdout);
    expect({ code, sessions }).toEqual({ code: 1, sessions: 3 });
    expect(problems).toContainEqual(
      expect.objectContaining({
        code: "record-torn",
        source: "copilot-cli",
        session: FLAKY,
        path: expect.stringMatching(/events\.jsonl$/),
        line: 3,
        message: expect.any(String),
        severity: "damage",
      }),
    );
  });

  it("prints what is damaged before what is odd", () => {
    const { stdout, code } = home.rethread("doctor");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^damage /);
    expect(stdout).toMatch(/copilot-cli:0b1cffff {2}Flaky test\n {4}• record-torn /);
  });

  it("exits 0 when nothing is wrong", () => {
    const { stdout, code } = home.rethread("doctor", "--source", "claude-code");
    expect({ stdout, code }).toEqual({ stdout: "Nothing is wrong with 0 sessions of 1 source.\n", code: 0 });
  });
});

describe("a store that cannot be used", () => {
  it.each([["list"], ["overview"], ["show", "login"], ["context", "login"]])(
    "does not keep %s from answering, with one remark",
    (...words) => {
      const blocked = home.with({ RETHREAD_HOME: "/dev/null" });
      const { stdout, stderr, code } = blocked.rethread(...words, "--json");
      expect(code).toBe(0);
      // The weeks of an overview end now.
      const { weeks: _, ...answer } = JSON.parse(stdout);
      expect(JSON.parse(home.rethread(...words, "--json").stdout)).toMatchObject(answer);
      expect(stderr).toMatch(/^.*cannot be opened for writing; the agents' own files are read instead\n$/);
    },
  );

  it("is left alone when a session is named by its id", () => {
    const { stderr, code } = home.with({ RETHREAD_HOME: "/dev/null" }).rethread("show", LOGIN, "--json");
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  });
});

describe("--no-refresh", () => {
  it("answers from the store as it is", () => {
    const other = createHome();
    other.session(LOGIN, [start(LOGIN, new Date(0))]);
    expect(JSON.parse(other.again("list", "--json", "--no-refresh").stdout).total).toBe(0);
    expect(other.again("list", "--no-refresh").stdout).toBe(
      "The store holds no session. To look for some: rethread list\n",
    );
    expect(JSON.parse(other.again("list", "--json").stdout).total).toBe(1);
    expect(JSON.parse(other.again("list", "--json", "--no-refresh").stdout).total).toBe(1);
    other.remove();
  });
});

describe("overview", () => {
  it("says what is here and what to do next", () => {
    const { stdout } = home.rethread();
    for (const words of [
      "3 sessions · 4 turns",
      "GitHub Copilot CLI",
      "1 damaged",
      "rethread show 0b1c2d3e",
      "rethread doctor",
    ])
      expect(stdout).toContain(words);
    const overview = json();
    expect(overview).toMatchObject({ schemaVersion: 1, sessions: 3, turns: 4, damaged: 1 });
    expect(overview.suggestions.map((each: { command: string }) => each.command)[0]).toBe(
      "rethread show 0b1c2d3e",
    );
  });

  it("says where it looked when there is nothing, and offers the demo", () => {
    const empty = createHome();
    const { stdout, code } = empty.rethread();
    empty.remove();
    expect(code).toBe(0);
    for (const words of ["No session was found", "~/.copilot", "~/.claude", "rethread demo"])
      expect(stdout).toContain(words);
  });
});

describe("what is printed", () => {
  it.each([40, 80, 200])("fits %i columns", (columns) => {
    const narrow = home.with({ COLUMNS: String(columns) });
    // A command or an option to copy is never cut; all else is.
    for (const words of [[], ["list"], ["context", "login"], ["doctor"], ["help", "list"]])
      for (const each of narrow.rethread(...words).stdout.split("\n"))
        if (!/^ {2}(rethread|-)/.test(each)) expect(stringWidth(each), each).toBeLessThanOrEqual(columns);
  });

  it("is colored only when that is wanted, and obeys nothing that a session brought", () => {
    const colored = home.with({ FORCE_COLOR: "1" });
    for (const words of [["list"], ["show", "7777"], ["context", "7777"]]) {
      const bare = home.rethread(...words).stdout;
      expect(bare).not.toContain("\u001b");
      expect(bare).not.toContain("\u0007");
      expect(stripVTControlCharacters(colored.rethread(...words).stdout)).toBe(bare);
    }
    expect(colored.rethread("list").stdout).toContain("\u001b[");
    for (const plain of [
      colored.with({ NO_COLOR: "1" }).rethread("list"),
      colored.rethread("list", "--no-color"),
    ])
      expect(plain.stdout).toBe(home.rethread("list").stdout);
  });
});

describe("failures", () => {
  it.each([
    [["lsit"], "usage", "Did you mean list?"],
    [["list", "--sicne", "3d"], "usage", "Did you mean --since?"],
    [["list", "--since", "soon"], "usage", expect.stringContaining("7d")],
    [["list", "--source", "copilot"], "usage", "Did you mean copilot-cli?"],
    [["show"], "usage", "Write: rethread show <session>"],
    [["show", "0b1c"], "session-ambiguous", "Name one by its id, for example copilot-cli:0b1c2d3e"],
    [["show", "logn redirect"], "session-not-found", 'Did you mean copilot-cli:0b1c2d3e "Login redirect"?'],
    [["show", "login", "--turn", "7"], "turn-not-found", `See all of it: rethread show ${LOGIN}`],
    [["help", "lits"], "usage", "Did you mean list?"],
  ])("%j is told as %s, to people and to programs", (words, errorCode, hint) => {
    const { exit } = ERROR_CODES[errorCode as keyof typeof ERROR_CODES];
    const asked = home.rethread(...words, "--json");
    const { error } = JSON.parse(asked.stdout);
    expect({ ...error, exit: asked.code, stderr: asked.stderr }).toEqual({
      code: errorCode,
      message: expect.any(String),
      hint,
      exit,
      stderr: "",
    });
    const told = home.rethread(...words);
    expect(told).toEqual({
      stdout: "",
      stderr: `error ${error.message} (${errorCode})\n${error.hint}\n`,
      code: exit,
    });
  });

  it("says that the demo cannot be written, instead of failing as a defect", () => {
    const { code, stderr } = home.with({ RETHREAD_HOME: "/dev/null/here" }).rethread("demo");
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining("RETHREAD_HOME") });
  });

  it("tells an old Node in one sentence", () => {
    const old = 'Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.19.0"}})';
    const { stderr, code } = home
      .with({ NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(old)}` })
      .rethread("list");
    expect({ stderr, code }).toEqual({
      stderr: "rethread needs Node 24 or newer, and this is Node 20.19.0. Get it from https://nodejs.org\n",
      code: 2,
    });
  });
});

describe("pipes", () => {
  it.skipIf(process.platform !== "linux")("says so when there is no space left for the output", () => {
    expect(home.shell("rethread list > /dev/full")).toEqual({
      code: 6,
      stdout: "",
      stderr:
        "error There is no space left to write the output (disk-full)\nFree some space, or send it elsewhere\n",
    });
  });

  it("ends quietly when nobody reads on", () => {
    const { code, stderr, stdout } = home.shell(
      "for i in 1 2 3; do rethread show login --json | head -c 1; done",
    );
    expect({ code, stderr, stdout }).toEqual({ code: 0, stderr: "", stdout: "{{{" });
  });

  it("gives the whole of a large answer to a slow reader", () => {
    const large = createHome();
    const began = new Date();
    const text = "lorem ipsum ".repeat(100_000);
    large.session("aaaaaaaa-0000-4000-8000-000000000009", [
      start("aaaaaaaa-0000-4000-8000-000000000009", began),
      line("user.message", { content: text }, began, 1),
    ]);
    const { stdout } = large.shell("rethread show aaaa --json | (sleep 0.5; cat)");
    large.remove();
    expect(JSON.parse(stdout).turns[0].user).toBe(text);
  });
});

describe("completion, help and version", () => {
  it("teaches bash the commands, options and sources", () => {
    const script =
      'eval "$(rethread completion bash)"; complete_words() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rethread; echo $COMPREPLY; };';
    const { stdout } = home.shell(
      `${script} complete_words rethread do; complete_words rethread list --si; complete_words rethread list --source vs; complete_words rethread completion z`,
    );
    expect(stdout).toBe("doctor\n--since\nvscode\nzsh\n");
  });

  it.each(["zsh", "fish"])("prints a script for %s with every command", (shell) => {
    const { stdout } = home.rethread("completion", shell);
    for (const name of ["list", "show", "context", "doctor", "demo"]) expect(stdout).toContain(name);
  });

  it("gives help by command, by option, and for a program", () => {
    expect(home.rethread("list", "--help").stdout).toBe(home.rethread("help", "list").stdout);
    expect(home.rethread("-h").stdout).toBe(home.rethread("help").stdout);
    expect(json("help").commands.map((each: { name: string }) => each.name)).toContain("doctor");
  });

  it("tells its version", () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(home.rethread("--version").stdout).toBe(`${version}\n`);
    expect(json("-V")).toEqual({ schemaVersion: 1, version });
  });
});
