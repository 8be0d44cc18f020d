import { expect, it } from "vitest";
import { refsOfRun } from "./refs.ts";

const commits = (command: string, output: string): string[] =>
  refsOfRun("sh", command, output).flatMap(({ type, value }) => (type === "commit" ? [value] : []));

it.each([
  ["git -C app commit -m x", "[main 1a2b3c4] x", ["1a2b3c4"]],
  ["git merge topic", "[detached HEAD 1a2b3c4d] Merge", ["1a2b3c4d"]],
  ["git merge topic", "[[odd [one 1a2b3c4]", ["1a2b3c4"]],
  ["git merge topic", "[first] then [main 1a2b3c4]", ["1a2b3c4"]],
  ["git merge topic", "[main x1a2b3c4]", []],
  ["git merge topic", "main 1a2b3c4]", []],
  ["git merge topic", "[a] 1a2b3c4]", []],
  ["git merge topic", `[main ${"a".repeat(41)}]`, []],
  ["git status; echo commit", "[main 1a2b3c4]", []],
  ["git status", "[main 1a2b3c4]", []],
  ["echo commit | git apply", "[main 1a2b3c4]", []],
])("finds what %s made in %s", (command, output, wanted) => {
  expect(commits(command, output)).toEqual(wanted);
});

it("looks at commands and outputs of any length once", () => {
  expect(commits("git ".repeat(500_000), "[".repeat(1_000_000))).toEqual([]);
  expect(commits("git commit", `${"[".repeat(1_000_000)}1a2b3c4]`)).toEqual(["1a2b3c4"]);
});
