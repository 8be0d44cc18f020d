import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { localFs } from "../../platform/fs/local.ts";
import { createMemoryFs } from "../../platform/fs/memory.ts";
import { filesBelow } from "./of-session.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (path: string): void => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), path);
};
/** What is found below `session`, what is not, and how many folders were opened for that. */
const list = async () => {
  let opened = 0;
  const skipped: string[] = [];
  const fs = {
    ...localFs,
    readdir: (path: string) => {
      opened++;
      return localFs.readdir(path);
    },
  };
  const found = await filesBelow(fs, join(folder, "session"), join, (path, why) =>
    skipped.push(`${relative(folder, path)}: ${why}`),
  );
  return { files: found.map((path) => relative(folder, path)).sort(), skipped: skipped.sort(), opened };
};

describe("the files of a session", () => {
  it("are found however deep they lie", async () => {
    const deep = `session/${"a/".repeat(40)}file`;
    put(deep);
    expect((await list()).files).toEqual([deep]);
    const memory = createMemoryFs({ [`/${deep}`]: "" });
    expect(await filesBelow(memory, "/session", join)).toEqual([`/${deep}`]);
  });

  it("are found behind links, each folder once on the way, and what is not is told", async () => {
    put("session/plan.md");
    put("outside/notes/one.md");
    symlinkSync("../outside", join(folder, "session/out"));
    symlinkSync(join(folder, "outside/notes/one.md"), join(folder, "session/one.md"));
    symlinkSync("nowhere", join(folder, "session/lost"));
    // In circles: to itself, to the folder above, to the one that leads here, and to everything.
    symlinkSync("circle", join(folder, "session/circle"));
    symlinkSync(".", join(folder, "session/self"));
    symlinkSync("..", join(folder, "session/above"));
    symlinkSync("../session", join(folder, "outside/back"));
    const seen = await list();
    expect(seen.files).toEqual(["session/one.md", "session/out/notes/one.md", "session/plan.md"]);
    expect(seen.skipped).toEqual([
      "session/above: it leads back to a folder that contains it",
      "session/circle: it leads nowhere, or is neither a file nor a folder",
      "session/lost: it leads nowhere, or is neither a file nor a folder",
      "session/out/back: it leads back to a folder that contains it",
      "session/self: it leads back to a folder that contains it",
    ]);
    expect(seen.opened).toBe(3);
  });
});
