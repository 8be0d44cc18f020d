import { expect, it } from "vitest";
import { isAbout, isAtOrBelow, wayFrom } from "./place.ts";

it.each<[string | undefined, string, boolean]>([
  ["/work/shop", "/work/shop", true],
  ["/work/shop/api", "/work/shop", true],
  ["/work/shop/api", "/work/shop/", true],
  ["/work/shop-etl", "/work/shop", false],
  ["/other/work/shop", "/work/shop", false],
  ["/work/shop", "/", true],
  ["/work/Shop-etl", "shop", true],
  ["C:\\Work\\Shop", "c:/work", true],
  ["vscode-remote://ssh-remote%2Bbox/srv/shop", "/srv/shop", true],
  ["vscode-remote://ssh-remote%2Bbox/srv/shop", "vscode-remote://ssh-remote%2Bbox/srv", true],
  ["vscode-remote://ssh-remote%2Bbox/srv/shop", "ssh-remote", true],
  [undefined, "/work", false],
])("%s is about %s: %s", (workspace, place, expected) => {
  expect(isAbout(workspace, place)).toBe(expected);
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
