import { describe, expect, it } from "vitest";
import { type ArgSpecs, parseValues } from "./args.ts";

const SPECS = {
  session: { kind: "positional", help: "" },
  shell: { kind: "positional", optional: true, choices: ["bash", "zsh"], help: "" },
  full: { kind: "flag", short: "f", help: "" },
  demo: { kind: "mode", choices: ["auto"], help: "" },
  format: { kind: "choice", choices: ["md", "html"], help: "" },
  since: { kind: "text", value: "time", help: "" },
  maxTurns: { kind: "number", value: "n", help: "" },
  source: { kind: "list", value: "source", help: "" },
} as const satisfies ArgSpecs;

const parse = (...words: string[]) => parseValues("show", SPECS, words);
const EMPTY = { full: false, demo: false, source: [] };

describe("parseValues", () => {
  it("turns words into typed values, in any order and either spelling", () => {
    expect(
      parse(
        "--since=3d",
        "abc",
        "--max-turns",
        "7",
        "-f",
        "--source",
        "a",
        "--source=b,c",
        "zsh",
        "--demo=auto",
        "--format",
        "md",
      ),
    ).toEqual({
      session: "abc",
      shell: "zsh",
      full: true,
      demo: "auto",
      format: "md",
      since: "3d",
      maxTurns: 7,
      source: ["a", "b", "c"],
    });
  });

  it("leaves out what was not said, and knows a bare mode from one with a word", () => {
    expect(parse("abc")).toEqual({ session: "abc", ...EMPTY });
    expect(parse("abc", "--demo").demo).toBe(true);
  });

  it("takes a word behind a dash for a word where that means something", () => {
    const specs = {
      words: { kind: "positional", rest: true, dashed: true, help: "" },
      help: { kind: "flag", short: "h", help: "" },
      limit: { kind: "number", value: "n", help: "" },
    } as const satisfies ArgSpecs;
    expect(
      parseValues("search", specs, ["fix", "-hello", "-", "->", "-hello", "--limit", "3", "-h"]),
    ).toEqual({
      words: ["fix", "-hello", "-", "->", "-hello"],
      limit: 3,
      help: true,
    });
  });

  it("takes everything after -- as it is", () => {
    expect(parse("--", "--full")).toEqual({ session: "--full", ...EMPTY });
  });

  it.each([
    [["abc", "--ful"], "show has no option --ful", "Did you mean --full?"],
    [["abc", "--frobnicate"], "show has no option --frobnicate", "See its options: rethread help show"],
    [["abc", "-x"], "show has no option -x", "See its options: rethread help show"],
    [["abc", "--since"], "--since needs a value", "For example: --since <time>"],
    [["--since", "--full", "abc"], "--since needs a value", "For example: --since <time>"],
    [["abc", "--full=yes"], "--full takes no value", "Use just --full"],
    [
      ["abc", "--max-turns", "many"],
      '--max-turns needs a whole number, not "many"',
      "For example: --max-turns 10",
    ],
    [
      ["abc", "--max-turns", "-1"],
      '--max-turns needs a number that is not negative, not "-1"',
      "For example: --max-turns 10",
    ],
    [["abc", "--yes"], "show has no option --yes", "It never asks: leave out --yes"],
    [["abc", "--format", "htm"], '"htm" is not a valid value for --format', "Did you mean html?"],
    [["abc", "--demo=maybe"], '"maybe" is not a valid value for --demo', "Valid values: auto"],
    [["abc", "fish"], '"fish" is not a valid value for shell', "Valid values: bash, zsh"],
    [
      ["abc", "zsh", "more"],
      'show does not expect "more"',
      "Put a title with spaces in quotes; see: rethread help show",
    ],
    [[], "show needs a session", "Usage: rethread show <session>"],
  ])("answers %j with %s", (words, message, hint) => {
    expect(() => parse(...words)).toThrow(expect.objectContaining({ code: "usage", message, hint }));
  });

  it("tells all that a command needs when a part of it is missing", () => {
    const two = {
      session: { kind: "positional", help: "" },
      name: { kind: "positional", help: "" },
    } as const;
    expect(() => parseValues("rename", two, ["abc"])).toThrow(
      expect.objectContaining({
        message: "rename needs a name",
        hint: "Usage: rethread rename <session> <name>",
      }),
    );
  });

  it.each([
    ["search", { words: { kind: "positional", help: "", rest: true } }, "search needs at least one word"],
    ["checkpoint", { action: { kind: "positional", help: "" } }, "checkpoint needs an action"],
    [
      "diff",
      { a: { kind: "positional", help: "" }, b: { kind: "positional", help: "" } },
      "diff needs <a> and <b>",
    ],
  ] as const)("names what %s needs as a person would", (command, specs, message) => {
    expect(() => parseValues(command, specs, [])).toThrow(expect.objectContaining({ message }));
  });
});
