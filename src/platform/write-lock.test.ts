import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { takeWriteLock } from "./write-lock.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("is had by one at a time, and free again once it is given back", () => {
  const path = join(folder, "write.lock");
  const unlock = takeWriteLock(path, 0);
  expect(takeWriteLock(path, 0)).toBeUndefined();
  unlock?.();
  const again = takeWriteLock(path, 0);
  expect(again).toBeDefined();
  again?.();
  expect(readdirSync(folder)).toEqual(["write.lock"]);
});

it("is free again when its holder was killed", () => {
  const path = join(folder, "write.lock");
  const module = join(import.meta.dirname, "write-lock.ts");
  const script = `import { takeWriteLock } from ${JSON.stringify(module)}; takeWriteLock(${JSON.stringify(path)}, 0); process.kill(process.pid, "SIGKILL");`;
  const { signal } = spawnSync(process.execPath, ["--input-type=module", "-e", script]);
  expect(signal).toBe("SIGKILL");
  const unlock = takeWriteLock(path, 0);
  expect(unlock).toBeDefined();
  unlock?.();
});
