/** What the command tells of itself: completion, help, version. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { useReadingHome } from "./reading-home.ts";

const { home, json } = useReadingHome();

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

  it("fits one screen: a line for each command, none of them cut", () => {
    const help = home.with({ COLUMNS: "80" }).rethread("--help").stdout;
    const lines = help.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(40);
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
