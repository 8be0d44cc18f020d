import { expect, it } from "vitest";
import { folderName, locate } from "./locate.ts";

const env = { platform: "linux" as const, homeDir: "/home/dev" };

it("looks where CLAUDE_CONFIG_DIR says, else in the home", () => {
  expect(locate({ ...env, vars: { CLAUDE_CONFIG_DIR: "/srv/claude" } })).toEqual(["/srv/claude"]);
  expect(locate({ ...env, vars: {} })).toEqual(["/home/dev/.claude"]);
  expect(locate({ ...env, vars: { CLAUDE_CONFIG_DIR: "" } })).toEqual(["/home/dev/.claude"]);
});

it.each([
  ["/srv/my.app_v2", "-srv-my-app-v2"],
  ["/srv/ünï", "-srv--n-"],
  ["/srv/a b/👍", "-srv-a-b---"],
])("names the folder of %s as Claude Code does", (workspace, folder) => {
  expect(folderName(workspace)).toBe(folder);
});

it("shortens long names and tells them apart by a hash of the path", () => {
  const [one, other] = [folderName(`/srv/${"x".repeat(240)}/a`), folderName(`/srv/${"x".repeat(240)}/b`)];
  expect(one).toMatch(/^-srv-x{195}-[0-9a-z]+$/);
  expect(one).not.toBe(other);
});
