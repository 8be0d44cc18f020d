/** What the command tells of itself: completion, help, version. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { line, start } from "./home.ts";
import { LOGIN, useReadingHome } from "./reading-home.ts";

const { home, json } = useReadingHome();

describe("completion, help and version", () => {
  it("names the values of an argument once", () => {
    const { stdout } = home.rethread("help", "hub");
    expect(stdout.match(/\bwhoami, key\b/g)).toHaveLength(1);
    expect(home.rethread("help", "completion").stdout).toContain("your shell: bash, zsh, fish");
  });

  it("teaches bash the commands, options and sources", () => {
    const script =
      'eval "$(rethread completion bash)"; complete_words() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rethread; echo $COMPREPLY; };';
    const { stdout } = home.shell(
      `${script} complete_words rethread do; complete_words rethread list --si; complete_words rethread list --source vs; complete_words rethread completion z`,
    );
    expect(stdout).toBe("doctor\n--since\nvscode\nzsh\n");
  });

  it("completes sessions, repositories and models from the store, whatever titles hold", () => {
    const odd = 'it\'s $(touch owned) `touch owned` "q" \\ *\ttab\n';
    const began = new Date("2026-11-01T09:00:00Z");
    home.session(
      "0dd00000-0000-4000-8000-000000000001",
      [start("0dd00000", began), line("user.message", { content: "x" }, began, 1)],
      { name: odd },
    );
    home.again("index");
    expect(home.again("__complete", "sessions", "0b1c")).toEqual({
      stdout: "0b1c2d3e\tLogin redirect\n0b1cffff\tFlaky test\n",
      stderr: "",
      code: 0,
    });
    expect(home.again("__complete", "sessions", "0b1c2d3e-0").stdout).toBe(`${LOGIN}\tLogin redirect\n`);
    expect(home.again("__complete", "sessions", "lat").stdout).toMatch(/^latest\t/);
    expect(home.again("__complete", "repositories", "").stdout).toContain("lumen-shop/platform\t\n");
    const script = `eval "$(rethread completion bash)"; try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rethread; printf "%s|" "\${COMPREPLY[@]}"; echo; };`;
    const { stdout, stderr } = home.shell(
      `${script} try rethread show 0; try rethread rm 0dd; try rethread list --repo lumen-shop/p; COMP_TYPE=37; try rethread show 0b1c; mkdir 'odd a;touch owned'; try rethread clone x --to odd; try rethread move x --to '~/odd'`,
    );
    expect(stderr).toBe("");
    const [several = "", ...others] = stdout.trimEnd().split("\n");
    expect(several).toContain("0b1cffff  Flaky test|");
    expect(several).toContain('0dd00000  it\'s $(touch owned) `touch owned` "q" \\ * tab|');
    expect(others).toEqual([
      "0dd00000|",
      "lumen-shop/platform|",
      "0b1c2d3e|0b1cffff|",
      "odd\\ a\\;touch\\ owned|",
      "~/odd\\ a\\;touch\\ owned|",
    ]);
    expect(existsSync(join(home.path, "owned"))).toBe(false);
    // Control characters of the third title are shown, not obeyed.
    expect(home.again("__complete", "sessions", "7").stdout).toMatch(/^77777777\t␛\]0;owned␇/);
  });

  it("completes nothing, and says nothing, where there is no store or no such kind", () => {
    const without = home.with({ RETHREAD_HOME: join(home.path, "none") });
    for (const kind of ["sessions", "models", "nonsense"])
      expect(without.again("__complete", kind)).toEqual({ stdout: "", stderr: "", code: 0 });
    expect(existsSync(join(home.path, "none"))).toBe(false);
  });

  it.each(["zsh", "fish"])("teaches %s to ask for sessions, repositories, models and workspaces", (shell) => {
    const { stdout } = home.rethread("completion", shell);
    for (const kind of ["sessions", "repositories", "models", "workspaces"]) expect(stdout).toContain(kind);
    expect(stdout).toContain("rethread __complete");
  });

  const shells = ["zsh", "fish"].filter((shell) => spawnSync(shell, ["--version"]).status === 0);
  it.runIf(shells.length > 0).each(shells.length > 0 ? shells : ["none"])(
    "is a script that %s can read",
    (shell) => {
      const script = home.rethread("completion", shell).stdout;
      const { status, stderr } = spawnSync(shell, ["-n"], { input: script, encoding: "utf8" });
      expect([status, stderr]).toEqual([0, ""]);
    },
  );

  it.each(["zsh", "fish"])("prints a script for %s with every command", (shell) => {
    const { stdout } = home.rethread("completion", shell);
    for (const name of ["list", "show", "context", "doctor", "demo"]) expect(stdout).toContain(name);
  });

  it("gives help by command, by option, and for a program", () => {
    expect(home.rethread("list", "--help").stdout).toBe(home.rethread("help", "list").stdout);
    expect(home.rethread("-h").stdout).toBe(home.rethread("help").stdout);
    expect(json("help").commands.map((each: { name: string }) => each.name)).toContain("doctor");
  });

  it("fits one screen: a line for each command, none of them cut", () => {
    const help = home.with({ COLUMNS: "80" }).rethread("--help").stdout;
    const lines = help.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(48);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(help).not.toContain("…");
    for (const { name } of json("help").commands)
      expect(help).toMatch(new RegExp(`^.{12}${name} +[A-Z]`, "m"));
  });

  it("tells its version", () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(home.rethread("--version").stdout).toBe(`${version}\n`);
    expect(json("-V")).toEqual({ schemaVersion: 1, version });
    expect(json("version")).toEqual({ schemaVersion: 1, version });
    expect(home.rethread("list", "-v").stdout).toBe(`${version}\n`);
  });

  it("knows commands by other names", () => {
    expect(home.rethread("ls").stdout).toBe(home.rethread("list").stdout);
    expect(home.rethread("help", "rm").stdout).toBe(home.rethread("delete", "--help").stdout);
  });
});
