import { describe, expect, it } from "vitest";
import { movesIn, namesBefore } from "./moves.ts";

const moves = (command: string) =>
  movesIn({ command, workspace: "/w" }).map(({ from, to }) => `${from} > ${to}`);

describe("moves in commands", () => {
  it.each([
    ["mv a b", ["/w/a > /w/b"]],
    ["git mv -k a.ts src/b.ts", ["/w/a.ts > /w/src/b.ts"]],
    ["git -C sub mv a b && git status", ["/w/sub/a > /w/sub/b"]],
    ["cd sub; mv ./a ../b", ["/w/sub/a > /w/b"]],
    ["mv -n -- -a b", ["/w/-a > /w/b"]],
    ["mv 'a b' \"c d\"", ["/w/a b > /w/c d"]],
    ["mv a\\ b c", ["/w/a b > /w/c"]],
    ["mv a b dir", ["/w/a > /w/dir/a", "/w/b > /w/dir/b"]],
    ["mv x/a dir/", ["/w/x/a > /w/dir/a"]],
    ["mv /abs/a b | cat", ["/abs/a > /w/b"]],
    ["echo 'mv a b'", []],
    ["mv *.ts src", []],
    ['mv "$FROM" b', []],
    ["mv a", []],
    ["rmv a b", []],
  ])("%s", (command, expected) => {
    expect(moves(command)).toEqual(expected);
  });

  it("does not believe the last words of a command that was cut", () => {
    expect(moves(`mv a b && ${"x".repeat(180)} && mv cc d`.padEnd(200, "d"))).toEqual(["/w/a > /w/b"]);
  });

  it("knows nothing of folders of Windows", () => {
    expect(movesIn({ command: "mv a b", workspace: "C:\\w" })).toEqual([]);
  });
});

describe("names before a move", () => {
  it("are those of the file, and of folders that it is in", () => {
    const all = [
      { from: "/w/a.ts", to: "/w/b.ts", at: "2026-01-01" },
      { from: "/w/old", to: "/w/new" },
      { from: "/w/x/deep", to: "/w/new" },
    ];
    expect(namesBefore("/w/b.ts", all)).toEqual([{ path: "/w/a.ts", until: "2026-01-01" }]);
    expect(namesBefore("/w/new/deep/c.ts", all).map(({ path }) => path)).toEqual([
      "/w/old/deep/c.ts",
      "/w/x/deep/deep/c.ts",
      "/w/x/deep/c.ts",
    ]);
    expect(namesBefore("/w/newer/c.ts", all)).toEqual([]);
  });
});
