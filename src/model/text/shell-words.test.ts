/** What a real shell makes of our lines, in a folder whose names it could expand. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { shellLine, shellLineIn, toShell } from "./shell-words.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-shell-"));
  for (const name of ["a", "b", "x=y"]) writeFileSync(join(folder, name), "");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WORDS = [
  "plain",
  "",
  " ",
  "two  spaces",
  "~",
  "~root/x",
  "-rf",
  "--option=x y",
  "*",
  "[ab]",
  "?",
  "{a,b}",
  "$HOME",
  "$(touch owned)",
  "`touch owned`",
  "$" + "{IFS}",
  "it's",
  "''",
  'say "x"',
  "back\\slash\\",
  "C:\\Users\\me",
  "a;touch owned",
  "a&touch owned",
  "a|touch owned",
  "a>owned",
  "<in",
  "#comment",
  "!history",
  "x=y",
  "%1",
  "line\nfeed",
  "ends\n",
  "tab\there",
  "\u001b[2J\u0007\rbell",
  "\u009b31m",
  "\u202egnp",
  "ünïcode 🙂",
  "(a)",
  "end\\'",
  "..;/",
];

const ran = (line: string): string[] => {
  const { stdout, stderr } = spawnSync("sh", ["-c", line], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: "/home/somebody", LC_ALL: "C.UTF-8" },
  });
  expect(stderr).toBe("");
  return stdout.split("\0").slice(0, -1);
};

it("gives a shell every word as it is", () => {
  expect(ran(toShell(["printf", "%s\\0", ...WORDS]))).toEqual(WORDS);
  const lines = WORDS.map((word) => shellLine`printf '%s\\0' a:${word} ${1}`);
  expect(ran(lines.join("\n"))).toEqual(WORDS.flatMap((word) => [`a:${word}`, "1"]));
  expect(readdirSync(folder)).not.toContain("owned");
});

it("leaves nothing in a line that a terminal would obey", () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  expect(toShell(WORDS)).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
});

it("quotes nothing that needs no quotes", () => {
  expect(toShell(["copilot", "--resume", "0b1c2d3e-aaaa-4bbb"])).toBe("copilot --resume 0b1c2d3e-aaaa-4bbb");
  expect(toShell(["/usr/bin/x", "a=b", "user@host:/x,y+z%"])).toBe("/usr/bin/x a=b user@host:/x,y+z%");
});

it("runs a command in a folder, from anywhere", () => {
  const odd = join(folder, "it's $(touch owned)");
  mkdirSync(odd);
  expect(ran(`cd / && ${shellLineIn(odd, 'printf \'%s\\0\' "$A" "$(pwd)"', { B: "b c" })}`)).toEqual([
    "",
    odd,
  ]);
  expect(ran(shellLineIn(undefined, "env -0", { B: "b c" }))).toContain("B=b c");
  expect(shellLineIn("~/my shop", "claude")).toBe("cd ~/'my shop' && claude");
  expect(shellLineIn("C:\\it's mine", "copilot", { COPILOT_HOME: "D:\\x" })).toBe(
    "cd 'C:\\it''s mine'; $env:COPILOT_HOME = 'D:\\x'; copilot",
  );
});
