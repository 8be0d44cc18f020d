import { expect, it } from "vitest";
import { isElsewhere, isOfOtherSystem, isOfProject } from "./elsewhere.ts";

const LINUX = { platform: "linux" as const, tops: ["/usr", "/srv", "/home/me", "/mnt/data"] };
const WSL = { platform: "linux" as const, tops: ["/usr", "/home/me", "/mnt/c"] };
const WINDOWS = { platform: "win32" as const, tops: ["c:"] };

it.each([
  ["/home/me/gone", LINUX, false],
  ["/srv/shop", LINUX, false],
  ["/mnt/data/shop", LINUX, false],
  ["/", LINUX, false],
  ["/home", LINUX, true],
  ["/home/other/shop", LINUX, true],
  ["/Users/me/shop", LINUX, true],
  ["/workspaces/shop", LINUX, true],
  ["/mnt/c/work", LINUX, true],
  ["C:\\work", LINUX, true],
  ["\\\\wsl$\\Ubuntu\\home\\me\\shop", LINUX, false],
  ["\\\\server\\share", LINUX, true],
  ["vscode-remote://ssh-remote+big/home/me/shop", LINUX, true],
  ["C:\\work", WSL, false],
  ["C:\\work", WINDOWS, false],
  ["D:\\work", WINDOWS, true],
  ["/mnt/c/work", WINDOWS, false],
  ["/home/me", WINDOWS, true],
] as const)("%s is on another machine: %#", (folder, tops, expected) => {
  expect(isElsewhere(folder, tops)).toBe(expected);
});

it.each([
  ["C:\\work\\shop", "acme/shop", "", true],
  ["C:\\work\\shop", "Acme/Shop", "", true],
  ["C:\\work\\shop", "acme/other", "", false],
  ["C:\\work\\shop", undefined, "", false],
  [undefined, "acme/shop", "", false],
  ["/home/me/shop-2", "acme/shop", "", false],
  ["C:\\work\\shop\\src\\Api\\v1", "acme/shop", "src/api", true],
  ["C:\\work\\shop", "acme/shop", "src/api", false],
])("%s of %s is part of the project at %s: %s", (folder, repository, way, expected) => {
  expect(isOfProject(folder, repository, { ...LINUX, repository: "acme/shop", way })).toBe(expected);
});

it.each([
  ["C:\\work", true],
  ["\\\\server\\share", true],
  ["/mnt/c/work", true],
  ["/Users/me/shop", true],
  ["/workspaces/shop", true],
  ["/home/other/shop", false],
  ["/gone/shop", false],
  ["/home/me/gone", false],
  ["vscode-remote://ssh-remote+big/home/me", false],
])("%s says that it is of another system: %s", (folder, expected) => {
  expect(isOfOtherSystem(folder, LINUX)).toBe(expected);
});
