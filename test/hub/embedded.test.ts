/** The hub's own folder: its secret, and the embedded server that commands and a served hub share. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Config, toConfig } from "../../src/app/config.ts";
import { addHubUser, initHub, listHubUsers, providerAddress } from "../../src/app/hub/operator.ts";
import { openPlace } from "../../src/hub/place/open.ts";
import { connected } from "../../src/hub/place/place.ts";
import { hubSecret } from "../../src/hub/place/secret.ts";
import { openHubSessions } from "../../src/hub/provider/contract.ts";
import { runningPostgres } from "../../src/platform/process/postgres-lock.ts";
import { reachableFolder } from "./prepared.ts";

const SOURCES = join(import.meta.dirname, "../../src/cli/main.ts");

const configAt = (folder: string, vars: Record<string, string> = {}): Config =>
  toConfig(
    {},
    {
      vars: { RETHREAD_HOME: join(folder, "data"), ...vars },
      platform: process.platform,
      homeDir: folder,
      folder,
      stdout: {},
      stderr: {},
      self: [process.execPath, SOURCES],
      now: () => new Date(),
    },
  );

it("makes a secret once, which only its owner may read, and takes no short one", () => {
  const folder = join(reachableFolder("secret-"), "data", "hub");
  const secret = hubSecret(folder, undefined);
  expect(Buffer.from(secret, "base64url")).toHaveLength(32);
  expect(statSync(join(folder, "secret")).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, "..")).mode & 0o777).toBe(0o700);
  expect(hubSecret(folder, undefined)).toBe(secret);
  expect(hubSecret(folder, "x".repeat(24))).toBe("x".repeat(24));
  expect(() => hubSecret(folder, "short")).toThrow(expect.objectContaining({ code: "config-invalid" }));
  writeFileSync(join(folder, "secret"), "");
  expect(() => hubSecret(folder, undefined)).toThrow(expect.objectContaining({ code: "config-invalid" }));
});

it("is not made by a command that only looks at a hub", async () => {
  const folder = reachableFolder("nothing-");
  const look = listHubUsers(configAt(folder), { note: () => undefined });
  await expect(look).rejects.toMatchObject({ code: "database-unavailable" });
  expect(existsSync(join(folder, "data"))).toBe(false);
});

it("is started for a command, used by others while a hub is served, and started again when it dies", async () => {
  const folder = reachableFolder("embedded-");
  const config = configAt(folder);
  // As an operator would who runs a hub as root: the server's own user must reach its files.
  const { mkdirSync } = await import("node:fs");
  mkdirSync(join(folder, "data"));
  chmodSync(join(folder, "data"), 0o711);
  const notes: string[] = [];
  const options = { note: (sentence: string) => void notes.push(sentence) };
  const { token, applied } = await initHub(config, options, { user: "ada" });
  const cluster = join(folder, "data", "hub", "postgres");
  expect([applied.length > 0, existsSync(cluster), runningPostgres(cluster)]).toEqual([
    true,
    true,
    undefined,
  ]);
  expect(readFileSync(join(cluster, "pg_hba.conf"), "utf8")).not.toMatch(/^[^#].*trust/m);

  const open = { folder: join(folder, "data", "hub"), note: options.note };
  const served = await openPlace({ ...open, stays: true });
  const { pid } = runningPostgres(cluster) ?? { pid: 0 };
  await expect(openPlace({ ...open, stays: true })).rejects.toMatchObject({ code: "write-busy" });
  expect(await addHubUser(config, options, { name: "grace" })).toMatchObject({
    user: "grace",
    teams: ["team"],
  });
  expect(runningPostgres(cluster)?.pid).toBe(pid);

  // What applications are told reaches it, too.
  const sessions = await openHubSessions({
    url: await providerAddress(config, options),
    token: token ?? "",
  });
  expect(await sessions.fs.readdir(`${sessions.home}/session-state`)).toEqual([]);
  await sessions.close();

  process.kill(pid, "SIGKILL");
  const ask = () => connected(served.admin, async (client) => (await client.query("SELECT 1 AS one")).rows);
  await expect.poll(() => ask().catch(() => undefined), { timeout: 20_000 }).toEqual([{ one: 1 }]);
  expect(notes.join()).toContain("started again");
  // Killed again, and told to stop while it is being started.
  const second = runningPostgres(cluster)?.pid ?? 0;
  process.kill(second, "SIGKILL");
  while ([undefined, second].includes(runningPostgres(cluster)?.pid))
    await new Promise((resolve) => setImmediate(resolve));
  await served.stop();
  expect(runningPostgres(cluster)).toBeUndefined();

  // A server that was killed leaves its database running; whoever comes next ends it in order.
  const { startPostgres } = await import("../../src/platform/process/postgres-server.ts");
  const left = await startPostgres({ folder: cluster, password: "" });
  expect((await listHubUsers(config, options)).map(({ name }) => name)).toEqual(["ada", "grace"]);
  await left.ended;
  await expect(
    listHubUsers(configAt(folder, { RETHREAD_HUB_SECRET: "not the one that it was made with" }), options),
  ).rejects.toMatchObject({ code: "database-unavailable" });
  expect([token !== undefined, notes.join().includes(token ?? "")]).toEqual([true, false]);
});

it("is loaded by no other command", () => {
  const folder = reachableFolder("loads-");
  const trace = join(folder, "trace.mjs");
  writeFileSync(
    trace,
    `import { registerHooks } from "node:module";
     registerHooks({ load(url, context, next) { if (/\\/node_modules\\/(pg|pg-boss)\\/|\\/src\\/hub\\//.test(url)) process.stderr.write("LOADED " + url + "\\n"); return next(url, context); } });`,
  );
  const env = {
    ...{ RETHREAD_HOME: join(folder, "data"), HOME: folder, PATH: process.env.PATH },
    NODE_COMPILE_CACHE: join(folder, "cache"),
  };
  const run = (...words: string[]) =>
    spawnSync(process.execPath, ["--import", trace, SOURCES, ...words], { env, encoding: "utf8" });
  for (const words of [["search", "x"], ["list"], ["help", "hub"], ["hub", "user"]])
    expect(run(...words).stderr).not.toContain("LOADED");
  expect(run("hub", "user", "list", "--database-url", "http://x").stderr).toContain("LOADED");
});
