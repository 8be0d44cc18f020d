import { expect, it } from "vitest";
import { isAbout } from "./place.ts";

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
  ["/mnt/c/Work/shop/api", "C:\\work\\shop", true],
  ["C:\\work\\shop", "/mnt/c/work", true],
  ["\\\\wsl.localhost\\Ubuntu\\home\\me\\shop", "/home/me/shop", true],
  [undefined, "/work", false],
])("%s is about %s: %s", (workspace, place, expected) => {
  expect(isAbout(workspace, place)).toBe(expected);
});
