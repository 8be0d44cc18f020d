/** What the program says about itself is true: its reference is up to date, and every command it names exists. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandReference } from "../../scripts/reference.ts";
import { shapesOf } from "../../src/cli/command.ts";
import { COMMANDS, loadCommands } from "../../src/cli/commands.ts";
import { ACTIONS } from "../../src/model/remedy.ts";

const root = join(import.meta.dirname, "../..");

/** All files that the command can load, and so everything it may say. */
function loadable(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+\.ts)"/g))
    loadable(join(dirname(file), path), seen);
  return seen;
}

/** "See all sessions: rethread list", { command: "rethread demo" }. */
const NAMED = /(?:command: [`"']|[:;(→|] |\$\()rethread ([a-z][a-z-]*)/g;

describe("docs/cli.md", () => {
  it("is what the command table says; if not, npm run docs writes it anew", async () => {
    expect(readFileSync(join(root, "docs/cli.md"), "utf8")).toBe(commandReference(await loadCommands()));
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
