import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type FolderWatch, watchFolders } from "./watch.ts";

let folder: string;
let watch: FolderWatch | undefined;
const seen: string[] = [];
const listener = {
  changed: (path: string, name: string | undefined) =>
    void seen.push(`${path.slice(folder.length)}: ${name}`),
  limited: () => void seen.push("limited"),
};

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-watch-")));
  for (const name of ["a", "b"]) mkdirSync(join(folder, name));
  seen.length = 0;
});
afterEach(() => {
  watch?.close();
  rmSync(folder, { recursive: true, force: true });
});

it("tells of changes in the folders it was given last, and in no others", async () => {
  watch = watchFolders(listener);
  watch.set([join(folder, "a"), join(folder, "b"), join(folder, "never-there")], 9);
  expect(watch.size).toBe(2);
  watch.set([join(folder, "b")], 9);
  expect(watch.size).toBe(1);
  writeFileSync(join(folder, "a", "x"), "");
  writeFileSync(join(folder, "b", "y"), "");
  await vi.waitFor(() => expect(seen).toContain("/b: y"));
  expect(seen.filter((event) => !event.startsWith("/b: "))).toEqual([]);
});

it("watches no more than it may, those that come first, and counts none that is not there", () => {
  watch = watchFolders(listener);
  const [a, b, gone] = ["a", "b", "gone"].map((name) => join(folder, name)) as [string, string, string];
  watch.set([gone, b, a], 1);
  expect([watch.has(b), watch.has(a), watch.size]).toEqual([true, false, 1]);
  watch.set([a, b, gone], 1);
  expect([watch.has(b), watch.has(a), watch.size]).toEqual([false, true, 1]);
  watch.set([gone, a, b], 2);
  expect(watch.size).toBe(2);
});

it("lets go of a folder that went, and takes it up again when it is back", async () => {
  watch = watchFolders(listener);
  watch.set([join(folder, "a")], 9);
  rmSync(join(folder, "a"), { recursive: true });
  await vi.waitFor(() => expect(watch?.size).toBe(0));
  mkdirSync(join(folder, "a"));
  watch.set([join(folder, "a")], 9);
  writeFileSync(join(folder, "a", "x"), "");
  await vi.waitFor(() => expect(seen).toContain("/a: x"));
});

it("says once that the system allows no more watches, and goes on with those it has", () => {
  let left = 1;
  watch = watchFolders(listener, () => {
    if (left-- > 0) return { close: () => undefined, on: vi.fn() };
    throw Object.assign(new Error("ENOSPC: System limit for number of file watchers reached"), {
      code: "ENOSPC",
    });
  });
  watch.set(["/1", "/2", "/3"], 9);
  expect([watch.size, seen]).toEqual([1, ["limited"]]);
});
