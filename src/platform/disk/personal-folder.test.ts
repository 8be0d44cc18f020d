import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { localFs } from "../fs/local.ts";
import { isPersonal } from "./personal-folder.ts";

let home: string;
beforeAll(() => {
  home = join(mkdtempSync(join(tmpdir(), "rethread-home-")), "dev");
  for (const name of [".ssh", ".dotfiles/.git", "src/shop/.vscode"])
    mkdirSync(join(home, name), { recursive: true });
  symlinkSync(home, join(home, "..", "link"));
});
afterAll(() => rmSync(dirname(home), { recursive: true }));

it.each([
  ["", true],
  ["..", true],
  ["../..", true],
  ["../link", true],
  [".ssh", true],
  [".ssh/deeper", true],
  ["../link/.ssh", true],
  [".dotfiles", false],
  ["src", false],
  ["src/shop/.vscode", false],
  ["../other", false],
])("a home's %s: %s", async (name, is) => expect(await isPersonal(localFs, join(home, name), home)).toBe(is));

it("is only the root where no home is known", async () => {
  expect(await isPersonal(localFs, "/", undefined)).toBe(true);
  expect(await isPersonal(localFs, "/srv", undefined)).toBe(false);
});
