/** What the program says about itself is true: its reference is up to date, and every command it names exists. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { MAN_PAGE, manPage } from "../../scripts/man.ts";
import { commandReference } from "../../scripts/reference.ts";
import { optionName } from "../../src/cli/args.ts";
import { shapesOf } from "../../src/cli/command.ts";
import { COMMANDS, loadCommands } from "../../src/cli/commands.ts";
import { ERROR_CODES } from "../../src/model/errors.ts";
import { ACTIONS } from "../../src/model/remedy.ts";
import { builtCommand } from "../built.ts";

const root = join(import.meta.dirname, "../..");

/** All files that the command can load, and so everything it may say. */
function loadable(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, path = ""] of readFileSync(file, "utf8").matchAll(
    /(?:from|import)\s*\(?\s*"(\.[^"]+\.ts)"/g,
  )) {
    const other = join(dirname(file), path);
    // The files of the demo's workspaces import, too; they are text there.
    if (existsSync(other)) loadable(other, seen);
  }
  return seen;
}

/** "See all sessions: rethread list", { command: "rethread demo" }. */
const NAMED = /(?:command: [`"']|[:;(→|] |\$\()rethread ([a-z][a-z-]*)/g;

describe("docs/cli.md", () => {
  it("is what the command table says; if not, npm run docs writes it anew", async () => {
    expect(readFileSync(join(root, "docs/cli.md"), "utf8")).toBe(commandReference(await loadCommands()));
  });
});

describe("the manual page", () => {
  it("is in the package, and has every command, option and exit code", async () => {
    const { man, files, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(man).toEqual([`./dist/${MAN_PAGE}`]);
    expect(files).toContain("dist");
    const commands = await loadCommands();
    const page = readFileSync(join(dirname(builtCommand()), MAN_PAGE), "utf8");
    expect(page).toBe(manPage(commands, version));
    for (const { name, args } of commands) {
      const [section = ""] = page.split(`\n.SS ${name}`)[1]?.split("\n.S") ?? [];
      for (const [key, spec] of Object.entries(args))
        if (spec.kind !== "positional")
          expect(section, name).toContain(optionName(key).replaceAll("-", "\\-"));
    }
    for (const code of Object.keys(ERROR_CODES)) expect(page).toContain(` ${code.replaceAll("-", "\\-")}\n`);
    // Nothing that a terminal cannot show, and no request by accident.
    expect(page).toMatch(/^[ -~\n]*$/);
    for (const line of page.split("\n")) if (/^[.']/.test(line)) expect(line).toMatch(/^\.(TH|SH|SS|TP|B)\b/);
  });

  const hasGroff = spawnSync("groff", ["--version"]).status === 0;
  it.runIf(hasGroff)("is understood by groff", async () => {
    const input = manPage(await loadCommands(), "1.2.3");
    const { stdout, stderr } = spawnSync("groff", ["-man", "-Tutf8", "-ww"], { input, encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout).toContain("RETHREAD(1)");
  });
});

describe("every command named in advice", () => {
  const named = [...loadable(join(root, "src/cli/main.ts"))].flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(NAMED)].map((match) => ({
      file,
      command: match[1] ?? "",
    })),
  );

  it("is looked for in a place that has some", () => {
    expect(named.length).toBeGreaterThan(10);
  });

  it("exists", () => {
    expect(named.filter(({ command }) => !Object.hasOwn(COMMANDS, command))).toEqual([]);
  });
});

describe("every remedy", () => {
  it("is a command with these operands, in this order, and these options", async () => {
    const commands = new Map((await loadCommands()).map((command) => [command.name, command.args]));
    /** Some commands take several of what a remedy names one of, and one calls its operand otherwise. */
    const alias: Record<string, string> = { sessions: "session", query: "sql" };
    for (const [action, { operands, options }] of Object.entries(ACTIONS)) {
      const args = Object.entries(commands.get(action) ?? {});
      expect(args.length > 0 || action === "demo", action).toBe(true);
      const places = args.flatMap(([name, { kind }]) => (kind === "positional" ? [alias[name] ?? name] : []));
      expect(places.slice(0, operands.length), action).toEqual(operands);
      const names = args.flatMap(([name, { kind }]) => (kind === "positional" ? [] : [name]));
      for (const option of options) expect(names, action).toContain(option);
    }
  });
});

describe("every command", () => {
  it("goes by the name it is listed under, and says how it is used", async () => {
    const commands = await loadCommands();
    expect(commands.map((command) => command.name)).toEqual(Object.keys(COMMANDS));
    for (const { name, summary, examples, ...command } of commands) {
      expect(summary, name).toMatch(/^[A-Z].*[^.]$/);
      expect(examples.length, name).toBeGreaterThan(0);
      expect(Object.keys(command.json ?? shapesOf(command)).length, name).toBeGreaterThan(0);
    }
  });
});
