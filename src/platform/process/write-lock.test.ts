import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isLocked, takeWriteLock, waitForWriteLock } from "./write-lock.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("is had by one at a time, and free again once it is given back", () => {
  const path = join(folder, "write.lock");
  const unlock = takeWriteLock(path);
  expect(takeWriteLock(path)).toBeUndefined();
  unlock?.();
  const again = takeWriteLock(path);
  expect(again).toBeDefined();
  again?.();
  expect(readdirSync(folder)).toEqual(["write.lock"]);
});

it("is free again when its holder was killed", () => {
  const path = join(folder, "write.lock");
  const module = join(import.meta.dirname, "write-lock.ts");
  const script = `import { takeWriteLock } from ${JSON.stringify(module)}; takeWriteLock(${JSON.stringify(path)}); process.kill(process.pid, "SIGKILL");`;
  const { signal } = spawnSync(process.execPath, ["--input-type=module", "-e", script]);
  expect(signal).toBe("SIGKILL");
  const unlock = takeWriteLock(path);
  expect(unlock).toBeDefined();
  unlock?.();
});

it("is not given up by asking for it again in the same process", () => {
  const path = join(folder, "write.lock");
  const unlock = takeWriteLock(path);
  expect(takeWriteLock(path)).toBeUndefined();
  expect(isLocked(path)).toBe(true);
  const module = join(import.meta.dirname, "write-lock.ts");
  const script = `import { isLocked, takeWriteLock } from ${JSON.stringify(module)}; console.log(isLocked(${JSON.stringify(path)}), takeWriteLock(${JSON.stringify(path)}));`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(stdout).toBe("true undefined\n");
  unlock?.();
  expect(isLocked(path)).toBe(false);
  expect(isLocked(join(folder, "none"))).toBe(false);
});

it("is waited for while its holder, in the same process, gets on", async () => {
  const path = join(folder, "write.lock");
  const unlock = takeWriteLock(path);
  expect(await waitForWriteLock(path, 0)).toBeUndefined();
  setTimeout(() => unlock?.(), 30);
  const waited = await waitForWriteLock(path, 10_000);
  expect(waited).toBeDefined();
  waited?.();
});
