import { posix, win32 } from "node:path";
import { describe, expect, it } from "vitest";
import {
  baseName,
  isAbsolutePath,
  isAtOrBelow,
  isRootPath,
  isWindowsPath,
  pathsLike,
  pathsOf,
  pathsSpelledAs,
  splitLast,
  wayFrom,
  withoutEndSeparators,
} from "./paths.ts";

describe("how a path is written", () => {
  it.each([
    // path, by its drive or share, by its separators
    ["/srv/shop", posix, posix],
    ["C:\\shop", win32, win32],
    ["c:/shop", win32, posix],
    ["\\\\server\\share", win32, win32],
    ["/srv/back\\slash", posix, posix],
    ["shop", posix, posix],
  ])("%s", (path, like, spelled) => {
    expect(isWindowsPath(path)).toBe(like === win32);
    expect([pathsLike(path), pathsSpelledAs(path)]).toEqual([like, spelled]);
  });

  it("is what the platform says where there is no path yet", () => {
    expect([pathsOf("win32"), pathsOf("darwin"), pathsOf("linux")]).toEqual([win32, posix, posix]);
  });
});

it.each([
  ["/", true, true],
  ["C:\\", true, true],
  ["C:", true, false],
  ["", true, false],
  ["/a", false, true],
  ["C:/a", false, true],
  ["a/b", false, false],
  ["C:a", false, false],
])("%j is a root: %s, absolute: %s", (path, isRoot, isAbsolute) => {
  expect([isRootPath(path), isAbsolutePath(path)]).toEqual([isRoot, isAbsolute]);
});

it.each([
  ["/srv/shop/", "shop", { folder: "/srv/shop", name: "" }],
  ["C:\\srv\\shop", "shop", { folder: "C:\\srv", name: "shop" }],
  ["C:\\srv/shop", "shop", { folder: "C:\\srv", name: "shop" }],
  ["shop", "shop", undefined],
  ["/", "/", { folder: "", name: "" }],
])("%j ends in %j", (path, name, split) => {
  expect([baseName(path), splitLast(path)]).toEqual([name, split]);
});

it("loses all separators at its end", () => {
  expect(["/a//", "C:\\a\\/", "a", "/"].map(withoutEndSeparators)).toEqual(["/a", "C:\\a", "a", ""]);
});

it.each<[string, string, string | undefined]>([
  ["/home/dev", "/home/dev/shop/a.ts", "shop/a.ts"],
  ["/home/dev/", "/home/dev/shop", "shop"],
  ["/", "/home", "home"],
  ["C:\\home", "C:\\home\\shop", "shop"],
  ["/home/dev", "/home/dev", undefined],
  ["/home/dev", "/home/dev/", undefined],
  ["/home/dev", "/home/dev-2/shop", undefined],
  ["/home/dev/shop", "/home/dev", undefined],
])("from %s the way to %s is %s", (folder, path, way) => {
  expect(wayFrom(folder, path)).toBe(way);
});

it.each<[string, string, boolean]>([
  ["/home/dev", "/home/dev", true],
  ["/home/dev/shop", "/home/dev", true],
  ["/chats/one.jsonl", "/chats/one.json", false],
])("%s is at or below %s: %s", (path, folder, expected) => {
  expect(isAtOrBelow(path, folder)).toBe(expected);
});
