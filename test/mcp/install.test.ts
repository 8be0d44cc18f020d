/** `mcp install` and `uninstall`: an agent's settings get one entry or lose it, and keep every other byte. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtCommand } from "../built.ts";
import { createHome, type Home } from "../cli/home.ts";

let home: Home;
beforeEach(() => {
  home = createHome();
  for (const folder of [".copilot", ".claude", ".config/Code/User"])
    mkdirSync(join(home.path, folder), { recursive: true });
});
afterEach(() => home.remove());

const AGENTS = [
  { agent: "copilot-cli", file: ".copilot/mcp-config.json", section: "mcpServers", type: "local" },
  { agent: "claude-code", file: ".claude.json", section: "mcpServers", type: "stdio" },
  { agent: "vscode", file: ".config/Code/User/mcp.json", section: "servers", type: "stdio" },
] as const;

const at = (file: string): string => join(home.path, file);
const read = (file: string): string => readFileSync(at(file), "utf8");
function run(...words: string[]): string {
  const { code, stdout, stderr } = home.again("mcp", ...words);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

describe.each(AGENTS)("$agent", ({ agent, file, section, type }) => {
  const others = (text: string): string => text.replaceAll("SECTION", section);

  it("gets an entry with an absolute command, in a file for its owner alone, and undo takes it away", () => {
    run("install", agent, "--yes");
    const { [section]: servers, ...rest } = JSON.parse(read(file));
    expect(rest).toEqual({});
    expect(servers.rethread).toMatchObject({
      type,
      command: process.execPath,
      args: [builtCommand(), "mcp"],
      env: { RETHREAD_HOME: home.dataHome },
    });
    expect(isAbsolute(servers.rethread.command) && isAbsolute(servers.rethread.args[0])).toBe(true);
    expect(statSync(at(file)).mode & 0o777).toBe(0o600);
    expect(home.again("undo", "--yes").code).toBe(0);
    expect(existsSync(at(file))).toBe(false);
  });

  it.each([
    '{\n    "SECTION": {\n        "other": {"command": "x", "n": 1e400}\n    },\n    "é": "\\u00e9"\n}\n',
    '{"a":[1,2],"SECTION":{"other":{}},"z":1.0}',
    '{\r\n\t"SECTION": {\r\n\t\t"other": {}\r\n\t}\r\n}',
  ])("keeps everything else in %j, and is the same after uninstall and after undo", (text) => {
    const before = others(text);
    writeFileSync(at(file), before, { mode: 0o644 });
    const shown = run("install", agent, "--dry-run");
    expect(shown).toContain("adds the MCP server rethread");
    expect(read(file)).toBe(before);
    run("install", agent, "--yes", "--allow-write");
    const after = JSON.parse(read(file))[section];
    expect(after.rethread.args.slice(1)).toEqual(["mcp", "--allow-write"]);
    expect(after.other).toBeDefined();
    expect(statSync(at(file)).mode & 0o777).toBe(0o644);
    expect(run("install", agent, "--allow-write", "--yes")).toMatch(/^Nothing to do: .* already has/);
    run("uninstall", agent, "--yes");
    expect(read(file)).toBe(before);
    expect(run("uninstall", agent, "--yes")).toMatch(/^Nothing to do: .* does not have/);
    for (let undone = 0; undone < 2; undone++) expect(home.again("undo", "--yes").code).toBe(0);
    expect(read(file)).toBe(before);
  });

  it("keeps what a person has set for it, and updates the rest", () => {
    const entry = { command: "/old/node", args: ["/old/main.ts", "mcp"], env: {}, disabled: true };
    writeFileSync(at(file), JSON.stringify({ [section]: { rethread: entry } }, null, 2));
    const shown = run("install", agent, "--dry-run");
    expect(shown).toContain("changes the entry of the MCP server rethread");
    expect(shown).not.toContain("adds");
    run("install", agent, "--yes");
    expect(JSON.parse(read(file))[section].rethread).toMatchObject({
      command: process.execPath,
      disabled: true,
    });
  });

  it.each(['{ "SECTION": {', '{ "SECTION": [] }', "[]", '"text"', '{ "a": 1 "b": 2 }', "\xff\xfe{}"])(
    "refuses %j, says where it is wrong, and changes nothing",
    (text) => {
      const before = Buffer.from(others(text), "latin1");
      writeFileSync(at(file), before);
      for (const action of ["install", "uninstall"]) {
        const { code, stdout } = home.again("mcp", action, agent, "--yes", "--json");
        expect([code, JSON.parse(stdout).error.code]).toEqual([4, "agent-config-invalid"]);
        expect(JSON.parse(stdout).error.message).toContain(at(file));
        expect(readFileSync(at(file))).toEqual(before);
      }
      expect(JSON.parse(home.again("history", "--json").stdout).writes).toEqual([]);
    },
  );

  it("writes through a link, which stays one", () => {
    const place = at("dotfiles/settings.json");
    mkdirSync(dirname(place));
    writeFileSync(place, "{}\n");
    symlinkSync(place, at(file));
    run("install", agent, "--yes");
    expect(lstatSync(at(file)).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(place, "utf8"))[section].rethread).toBeDefined();
    expect(home.again("undo", "--yes").code).toBe(0);
    expect(readFileSync(place, "utf8")).toBe("{}\n");
  });

  it("is not undone over later changes, and uninstall then removes the entry alone", () => {
    run("install", agent, "--yes");
    const changed = { ...JSON.parse(read(file)), later: true };
    writeFileSync(at(file), JSON.stringify(changed));
    const { code, stdout } = home.again("undo", "--yes", "--json");
    expect([code, JSON.parse(stdout).error.hint]).toEqual([
      5,
      `To remove only the server: rethread mcp uninstall ${agent}`,
    ]);
    run("uninstall", agent, "--yes");
    expect(JSON.parse(read(file))).toEqual({ [section]: {}, later: true });
  });

  it("is not written where the program never was", () => {
    for (const folder of [".copilot", ".claude", ".config/Code"])
      renameSync(at(folder), `${at(folder)}-away`);
    const { code, stdout } = home.again("mcp", "install", agent, "--yes", "--json");
    expect([code, JSON.parse(stdout).error.code]).toEqual([3, "nothing-found"]);
    expect(existsSync(at(file))).toBe(false);
  });
});

it("keeps comments and trailing commas for the programs that take them", () => {
  const before = '{\n  // mine\n  "servers": {\n    "other": {}, // keep\n  },\n}\n';
  writeFileSync(at(".config/Code/User/mcp.json"), before);
  run("install", "vscode", "--yes");
  const after = read(".config/Code/User/mcp.json");
  expect(after).toContain('    "other": {}, // keep\n    "rethread": {\n      "type": "stdio",');
  run("uninstall", "vscode", "--yes");
  expect(read(".config/Code/User/mcp.json")).toBe(before);
  // Claude Code would put the whole file aside.
  writeFileSync(at(".claude.json"), "{} // mine");
  expect(home.again("mcp", "install", "claude-code", "--yes", "--json").stdout).toContain(
    "there is a comment",
  );
});

it("goes where the variables lead, and tells the agent of them", () => {
  const chosen = home.with({ CLAUDE_CONFIG_DIR: at("claude"), COPILOT_HOME: at("copilot") });
  mkdirSync(at("claude"));
  expect(chosen.again("mcp", "install", "claude-code", "--yes").code).toBe(0);
  expect(existsSync(at(".claude.json"))).toBe(false);
  expect(JSON.parse(read("claude/.claude.json")).mcpServers.rethread.env).toEqual({
    RETHREAD_HOME: home.dataHome,
    CLAUDE_CONFIG_DIR: at("claude"),
    COPILOT_HOME: at("copilot"),
  });
});

it("leaves real settings alone while the demo is shown", () => {
  expect(home.again("mcp", "install", "copilot-cli", "--yes", "--demo").code).toBe(0);
  expect(existsSync(at(".copilot/mcp-config.json"))).toBe(false);
  const entry = JSON.parse(readFileSync(join(home.dataHome, "demo/copilot/mcp-config.json"), "utf8"));
  expect(entry.mcpServers.rethread.args.slice(1)).toEqual(["mcp", "--demo"]);
});

it("changes every VS Code of this machine, as one write, and no far side of a remote window", () => {
  for (const folder of [".config/Code - Insiders/User", ".vscode-server/data/User"])
    mkdirSync(at(folder), { recursive: true });
  run("install", "vscode", "--yes");
  expect(existsSync(at(".config/Code/User/mcp.json"))).toBe(true);
  expect(existsSync(at(".config/Code - Insiders/User/mcp.json"))).toBe(true);
  expect(existsSync(at(".vscode-server/data/User/mcp.json"))).toBe(false);
  expect(home.again("undo", "--yes").code).toBe(0);
  expect(existsSync(at(".config/Code - Insiders/User/mcp.json"))).toBe(false);
});

it.each([
  [["install"], "needs an agent"],
  [["install", "emacs"], "not a valid value"],
  [["serve", "vscode"], "takes no agent"],
])("refuses %j", (words, why) => {
  const { code, stderr } = home.again("mcp", ...words);
  expect(code).toBe(2);
  expect(stderr).toContain(why);
});

it.each([
  [["serve", "--dry-run"], "--dry-run"],
  [["--yes"], "--yes"],
  [["serve", "vscode"], "agent"],
  [["--port", "4010"], "--port"],
  [["install", "vscode", "--http"], "--http"],
  [["install", "vscode", "--port", "4010"], "--port"],
  [["uninstall", "vscode", "--allow-write"], "--allow-write"],
])("mcp %j is refused for %s", (words, what) => {
  const { code, stdout } = home.again("mcp", ...words, "--json");
  expect([code, JSON.parse(stdout).error.code]).toEqual([2, "usage"]);
  expect(JSON.parse(stdout).error.message).toContain(what);
});
