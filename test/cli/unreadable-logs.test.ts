/** Something that is no file in the place of a session's log: every command says so, and the other sessions are as they were. */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FIXTURES } from "../contracts/fixtures.ts";
import { runHere } from "../fuzz/in-process.ts";

const INSTEAD: Readonly<Record<string, (path: string) => void>> = {
  "a folder": (path) => mkdirSync(join(path, "inside"), { recursive: true }),
  "a link to a folder": (path) => symlinkSync(tmpdir(), path),
  "a link to a device": (path) => symlinkSync("/dev/zero", path),
  "a pipe": (path) => void execFileSync("mkfifo", [path]),
};

/** A home of each source, its variable, and the log in it. */
const HOMES = {
  "copilot-cli/everyday": (home: string) => ({ COPILOT_HOME: home }),
  "claude-code/tools": (home: string) => ({ CLAUDE_CONFIG_DIR: home }),
  "vscode/agent-session": (home: string) => ({ VSCODE_STORAGE_PATH: join(home, "workspaceStorage") }),
} as const;

const QUESTIONS: readonly (readonly string[])[] = [
  ["index"],
  ["list"],
  ["overview"],
  ["doctor"],
  ["stats"],
  ["search", "the"],
  ["tree"],
  ["show", "ID"],
  ["context", "ID"],
  ["checkpoint", "list", "ID"],
  ["diff", "ID", "ID"],
  ["resume", "ID", "--print"],
  ["export", "ID"],
  ["export", "ID", "--format", "bundle", "--out", "OUT"],
  ["export", "ID", "--format", "copilot"],
  ["export", "ID", "--format", "vscode"],
];
const CHANGES: readonly (readonly string[])[] = [
  ["clone", "ID"],
  ["clone", "ID", "--drop-tools"],
  ["fork", "ID", "--at", "0"],
  ["rewind", "ID", "--to", "0", "--yes"],
  ["rewind", "ID", "--to", "0", "--files", "--yes"],
  ["compact", "ID", "--keep", "1", "--yes"],
  ["checkpoint", "create", "ID", "--yes"],
  ["rename", "ID", "x", "--yes"],
  ["move", "ID", "--to", "/srv/elsewhere", "--yes"],
  ["rescue", "ID", "--yes"],
  ["rescue", "--vscode", "--yes"],
  ["delete", "ID", "--yes"],
  ["undo", "--yes"],
];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-unreadable-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.each(Object.entries(HOMES))("%s", (name, varsOf) => {
  const fixture = FIXTURES.find((each) => each.name === name);
  it.each(Object.entries(INSTEAD))("with %s in the place of its log", async (_, put) => {
    const home = join(folder, "home");
    cpSync(fixture?.home ?? "", home, { recursive: true });
    const vars = { HOME: folder, RETHREAD_HOME: join(folder, "data"), RETHREAD_DEBUG: "1", ...varsOf(home) };
    const { sessions } = JSON.parse((await runHere(["list", "--json"], vars)).stdout) as {
      sessions: { source: string; id: string; path: string }[];
    };
    const [session] = sessions;
    if (!session) throw new Error("the fixture has no session");
    const { source, id, path } = session;
    const aside = join(folder, "aside");
    renameSync(path, aside);
    put(path);
    const ask = async (words: readonly string[]): Promise<void> => {
      const meant = words.map((word) =>
        word === "ID" ? `${source}:${id}` : word === "OUT" ? join(folder, "out.tar.gz") : word,
      );
      const { code, stdout, stderr } = await runHere(meant, vars);
      const asked = `rethread ${words.join(" ")} ended with ${code}\n${stdout}${stderr}`;
      expect(code, asked).not.toBe(70);
      expect(stdout + stderr, asked).not.toMatch(/defect in rethread|reader-failed/);
    };
    for (const words of QUESTIONS) await ask(words);
    for (const words of CHANGES) await ask(words);
    // Whatever became of it, what was there before can be put back and read.
    rmSync(path, { recursive: true, force: true });
    if (!existsSync(path)) renameSync(aside, path);
    expect((await runHere(["show", `${source}:${id}`], vars)).code).toBe(0);
  });
});

/** Opened as a file, it would let the command wait for ever. */
describe("a pipe in the place of any file", () => {
  const ASKED = [
    ["index"],
    ["list", "--json"],
    ["doctor"],
    ["rescue", "--yes"],
    ["rescue", "--vscode", "--yes"],
  ];
  const answer = async (vars: Parameters<typeof runHere>[1], struck: string): Promise<void> => {
    for (const words of ASKED) {
      const { code, stdout, stderr } = await runHere(words, vars);
      expect(code, `rethread ${words.join(" ")} with ${struck}\n${stdout}${stderr}`).not.toBe(70);
    }
  };

  it.each(Object.entries(HOMES))("of %s", async (name, varsOf) => {
    const fixture = FIXTURES.find((each) => each.name === name)?.home ?? "";
    const files = globSync("**/*", { cwd: fixture }).filter((file) => statSync(join(fixture, file)).isFile());
    // One of each kind: ids differ, and what is done with their files does not.
    const kinds = new Map(files.map((file) => [file.replaceAll(/[0-9a-f-]{8,}/g, "#"), file]));
    const databases = files.filter((file) => file.endsWith(".vscdb")).map((file) => `${file}-wal`);
    for (const [number, file] of [...kinds.values(), ...databases].entries()) {
      const home = join(folder, `home-${number}`);
      cpSync(fixture, home, { recursive: true });
      rmSync(join(home, file), { force: true });
      execFileSync("mkfifo", [join(home, file)]);
      await answer({ HOME: folder, RETHREAD_HOME: join(folder, `data-${number}`), ...varsOf(home) }, file);
    }
  });

  it("of our own", async () => {
    for (const file of [
      "config.json",
      "session-store.db",
      "session-store.db-wal",
      "state.db",
      "chats/x000.json",
    ]) {
      const data = join(folder, `data of ${basename(file)}`);
      mkdirSync(dirname(join(data, file)), { recursive: true });
      execFileSync("mkfifo", [join(data, file)]);
      const vars = { HOME: folder, RETHREAD_HOME: data, COPILOT_HOME: join(folder, "none") };
      await answer(vars, file);
      expect((await runHere(["chat", "--list"], vars)).code).not.toBe(70);
      expect((await runHere(["history"], vars)).code).not.toBe(70);
    }
  });
});
