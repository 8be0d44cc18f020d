/** What goes wrong, told to people and to programs. */

import { describe, expect, it } from "vitest";
import { ERROR_CODES } from "../../src/model/errors.ts";
import { FLAKY, LOGIN, useReadingHome } from "./reading-home.ts";

const { home } = useReadingHome();
const MATCHES = `ID        SOURCE       ACTIVE   TITLE
0b1c2d3e  copilot-cli  1h ago   Login redirect
0b1cffff  copilot-cli  10d ago  Flaky test
`;

describe("failures", () => {
  it.each([
    [["lsit"], "usage", "Did you mean list?"],
    [["0b1c2d3e"], "usage", "Did you mean rethread show 0b1c2d3e?"],
    [["facade"], "usage", "See all commands: rethread help"],
    [["list", "--sicne", "3d"], "usage", "Did you mean --since?"],
    [["list", "--since", "soon"], "usage", expect.stringContaining("7d")],
    [["list", "--source", "copilot"], "usage", "Did you mean copilot-cli?"],
    [["show"], "usage", "Usage: rethread show <session>"],
    [["show", "0b1c"], "session-ambiguous", "Name one by its id, for example copilot-cli:0b1c2d3e"],
    [["show", "logn redirect"], "session-not-found", 'Did you mean copilot-cli:0b1c2d3e "Login redirect"?'],
    [["show", "login", "--turn", "7"], "turn-not-found", `Show the whole session: rethread show ${LOGIN}`],
    [["help", "lits"], "usage", "Did you mean list?"],
    [["config", "get", "backupdays"], "usage", "Did you mean backupDays?"],
    [["config", "set", "archive"], "usage", "For example: rethread config set backupDays 30"],
    [["list", "--since", "1m"], "usage", "Write 1min for minutes, or 1mo for months"],
  ])("%j is told as %s, to people and to programs", (words, errorCode, hint) => {
    const { exit } = ERROR_CODES[errorCode as keyof typeof ERROR_CODES];
    const asked = home.rethread(...words, "--json");
    const {
      error: { remedy, matches, ...error },
    } = JSON.parse(asked.stdout);
    // What is a command in words for people is also told as data.
    expect(remedy).toEqual(
      errorCode === "turn-not-found" ? { action: "show", session: expect.any(String) } : undefined,
    );
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
      stderr: `error: ${error.message} (${errorCode})\n${matches ? MATCHES : ""}${error.hint}\n`,
      code: exit,
    });
  });

  it("lists what an ambiguous name could mean, with a name for each that can be typed", () => {
    const { error } = JSON.parse(home.rethread("show", "0b1c", "--json").stdout);
    expect(error.message).toBe('"0b1c" matches 2 sessions');
    expect(error.matches).toMatchObject([
      { source: "copilot-cli", id: LOGIN, title: "Login redirect", workspace: "/srv/storefront" },
      { source: "copilot-cli", id: FLAKY, repository: "lumen-shop/platform", updatedAt: expect.any(String) },
    ]);
    const rows = home.rethread("show", "0b1c").stderr.split("\n").slice(2, 4);
    for (const [place, row] of rows.entries())
      expect(home.rethread("show", row.split(" ")[0] ?? "", "--json").stdout).toContain(
        error.matches[place].id,
      );
  });

  it("says that the demo cannot be written, instead of failing as a defect", () => {
    const { code, stderr } = home.with({ RETHREAD_HOME: "/dev/null/here" }).rethread("demo");
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining("RETHREAD_HOME") });
  });

  it("reads without a data folder, and says that it cannot write", () => {
    const without = home.with({ RETHREAD_HOME: "/dev/null/here" });
    expect(without.rethread("list")).toMatchObject({ code: 0, stdout: expect.stringContaining("login") });
    const { error } = JSON.parse(without.rethread("rename", LOGIN, "Other", "--yes", "--json").stdout);
    expect(error).toEqual({
      code: "store-unusable",
      message: "/dev/null/here/write.lock cannot be opened for writing",
      hint: "Set RETHREAD_HOME to a folder that you can write to",
    });
  });

  it("tells an old Node in one sentence", () => {
    const old = 'Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.19.0"}})';
    const { stderr, code } = home
      .with({ NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(old)}` })
      .rethread("list");
    expect({ stderr, code }).toEqual({
      stderr: "rethread needs Node 24 or newer, but this is Node 20.19.0. Get it from https://nodejs.org\n",
      code: 2,
    });
  });
});
