import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runUserCommand, withScratch } from "./user-command.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-command-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (
  command: string | readonly string[],
  more: { timeoutMs?: number; limit?: number } = {},
  input = "",
) =>
  runUserCommand(
    {
      command,
      vars: { PATH: process.env.PATH, GREETING: "hello" },
      folder,
      timeoutMs: 20_000,
      limit: 10_000,
      ...more,
    },
    input,
  );

it("gives a line to the shell, in the user's environment and folder, and the text on stdin", async () => {
  expect(await run('cat; echo "$GREETING $(basename "$PWD")"; echo no >&2', {}, "asked\n")).toEqual({
    how: "exited",
    detail: "exit code 0",
    clean: true,
    stdout: `asked\nhello ${folder.split("/").at(-1)}\n`,
    stderr: "no\n",
  });
});

it("starts a program without a shell, and says when there is none", async () => {
  expect(await run([process.execPath, "-p", "'a b'"])).toMatchObject({ clean: true, stdout: "a b\n" });
  expect(await run(["no-such-program-anywhere"])).toMatchObject({ how: "failed", clean: false });
  expect(await run("exit 7")).toMatchObject({ how: "exited", detail: "exit code 7", clean: false });
});

it("takes in what one says that never reads what it is told", async () => {
  expect(await run("echo enough", {}, "x".repeat(1 << 20))).toMatchObject({
    clean: true,
    stdout: "enough\n",
  });
});

it("stops one that does not end, with all that it started", async () => {
  const file = join(folder, "late");
  const end = await run(`(sleep 1; echo > '${file}') & sleep 60`, { timeoutMs: 200 });
  expect(end).toMatchObject({ how: "stopped", clean: false });
  await new Promise((resolve) => setTimeout(resolve, 1300));
  expect(existsSync(file)).toBe(false);
});

it("stops one that says too much", async () => {
  const end = await run("yes");
  expect(end).toMatchObject({ how: "flooded", clean: false });
  expect(end.stdout.length).toBeLessThanOrEqual(10_000);
});

it("has a scratch folder for a while, in which files of others can be read, but not lost", async () => {
  const file = join(folder, "settings.json");
  writeFileSync(file, "{}");
  let was = "";
  const names = await withScratch([file], async (scratch) => {
    was = scratch;
    rmSync(join(scratch, "settings.json"));
    writeFileSync(join(scratch, "settings.json"), "changed");
    return readdirSync(scratch);
  });
  expect(names).toEqual(["settings.json"]);
  expect([existsSync(was), readFileSync(file, "utf8")]).toEqual([false, "{}"]);
  await expect(
    withScratch([], async (scratch) => {
      was = scratch;
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  expect(existsSync(was)).toBe(false);
});
