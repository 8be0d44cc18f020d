import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { localFs } from "./local.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-local-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.skipIf(process.platform === "win32")("waits for no pipe, and reads no device without an end", async () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const refused = { code: "EINVAL", message: expect.stringContaining("not a regular file") };
  for (const path of [pipe, "/dev/zero"]) {
    await expect(localFs.read(path)).rejects.toMatchObject(refused);
    await expect(localFs.read(path, { start: 0, end: 10 })).rejects.toMatchObject(refused);
    const reading = localFs.chunks(path)[Symbol.asyncIterator]();
    await expect(reading.next()).rejects.toMatchObject(refused);
  }
});
