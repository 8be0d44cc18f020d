import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it, onTestFailed } from "vitest";
import { runChild } from "./child.ts";
import { isAlive } from "./processes.ts";
import { type Bounds, LAST_WORDS } from "./watchdog.ts";

const watched = (bounds: Bounds, code: string): string => `
  import { startWatchdog } from ${JSON.stringify(join(import.meta.dirname, "watchdog.ts"))};
  import { DatabaseSync } from "node:sqlite";
  const forever = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";
  startWatchdog(${JSON.stringify(bounds)});
  ${code}
`;
const endless = `console.log(process.pid); new DatabaseSync(":memory:").prepare(forever).get();`;
const node = (code: string): string[] => [process.execPath, "--input-type=module", "-e", code];
const ample: Bounds = { memoryBytes: 1 << 30, lifetimeMs: 60_000 };

it("lets a process end that keeps within its bounds", async () => {
  const { stdout, clean } = await runChild(node(watched(ample, "console.log('done')")), "", 20_000);
  expect({ stdout, clean }).toEqual({ stdout: "done\n", clean: true });
});

it("ends a process that has taken too much memory while inside a native call", async () => {
  const greedy = `const db = new DatabaseSync(":memory:");
    db.exec("PRAGMA temp_store = MEMORY");
    db.prepare("WITH RECURSIVE c(x) AS (SELECT randomblob(50000) UNION SELECT randomblob(50000) FROM c) SELECT count(*) FROM c").get();`;
  const { how, stderr } = await runChild(
    node(watched({ ...ample, memoryBytes: 200 << 20 }, greedy)),
    "",
    60_000,
  );
  expect({ how, stderr }).toEqual({ how: "exited", stderr: LAST_WORDS.memory });
});

it("ends a process whose time is over while inside a native call", async () => {
  const { how, stderr } = await runChild(node(watched({ ...ample, lifetimeMs: 300 }, endless)), "", 60_000);
  expect({ how, stderr }).toEqual({ how: "exited", stderr: LAST_WORDS.time });
});

it.skipIf(process.platform === "win32")("ends a process whose parent was killed", async () => {
  const parent = spawn(process.execPath, [
    "--input-type=module",
    "-e",
    `import { spawn } from "node:child_process";
     spawn(process.execPath, ["--input-type=module", "-e", ${JSON.stringify(watched(ample, endless))}], { stdio: "inherit" });`,
  ]);
  const [pid] = (await once(parent.stdout, "data")) as [Buffer];
  onTestFailed(() => void process.kill(Number(pid), "SIGKILL"));
  expect(isAlive(Number(pid))).toBe(true);
  parent.kill("SIGKILL");
  await once(parent, "close"); // when the last one that holds its output is gone
});
