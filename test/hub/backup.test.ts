/** Backups of a hub: what is restored is the same hub, row by row, and what is damaged is refused. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { type Config, toConfig } from "../../src/app/config.ts";
import { backupHub, restoreHub } from "../../src/app/hub/backup.ts";
import { shapesOf } from "../../src/cli/command.ts";
import hubCommand from "../../src/cli/commands/serve/hub.ts";
import { openHubDatabase } from "../../src/hub/database/connect.ts";
import { migrateHub } from "../../src/hub/database/migrate.ts";
import { deriveSession } from "../../src/hub/derive/derive.ts";
import { receivePush } from "../../src/hub/ingest/receive.ts";
import { newSocketFolder } from "../../src/platform/process/postgres-server.ts";
import { builtSelf } from "../built.ts";
import { runHere } from "../fuzz/in-process.ts";
import { askingAt, sessionOf } from "./asking.ts";
import { newHub, type TestHub } from "./cluster.ts";
import { type People, type Person, peopleOf } from "./people.ts";
import { PASSWORD, reachableFolder, SECRET } from "./prepared.ts";
import { pushOf } from "./pushing.ts";
import { listenTo } from "./served.ts";

const folder = reachableFolder("backup-");
const note = { note: () => undefined };
let hub: TestHub;
let people: People;
let robin: Person;

const urlOf = (
  { host, port, database }: { host: string; port: number; database: string },
  password = PASSWORD,
): string =>
  `postgres://postgres:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
const varsFor = (url: string) => ({
  HOME: folder,
  RETHREAD_HOME: join(folder, "data"),
  RETHREAD_HUB_DATABASE_URL: url,
  RETHREAD_HUB_SECRET: SECRET,
  PATH: process.env.PATH ?? "",
});
const configFor = (url: string): Config =>
  toConfig(
    {},
    {
      vars: varsFor(url),
      platform: process.platform,
      homeDir: folder,
      folder,
      stdout: {},
      stderr: {},
      self: builtSelf(),
      now: () => new Date(),
    },
  );

beforeAll(async () => {
  hub = await newHub();
  people = await peopleOf(hub);
  robin = await people.add("robin", ["push", "read", "admin"]);
  await people.team("team", robin, await people.add("ada"));
  const served = await listenTo(hub);
  const { push } = askingAt(() => served.port);
  for (const id of ["one", "two", "three"]) {
    const line = {
      type: "user.message",
      data: { content: `about ${id} – “ü” \\ \u2028 ' " 😀` },
      id,
      timestamp: "2026-11-01T09:00:00.000Z",
    };
    const pushed = await push(sessionOf(id, [JSON.stringify(line), "{}"]), robin.token);
    expect(pushed.status).toBe(200);
  }
  await served.close(0);
  const sessions = await people.ask("SELECT account_id AS account, id AS session FROM hub.sessions");
  for (const each of sessions) await deriveSession(hub.db, each as { account: string; session: string });
});
afterAll(async () => {
  await people.close();
  await hub.close();
});

/** Of every table, how many rows and what they are. */
async function contents(config: pg.ClientConfig): Promise<Record<string, string>> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    await client.query("SET timezone = 'UTC'");
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'hub'::regnamespace AND relkind IN ('p', 'r') AND NOT relispartition ORDER BY 1",
    );
    const found: Record<string, string> = {};
    for (const { name } of tables) {
      const shown = name === "migrations" ? "t.id" : "t::text";
      const { rows } = await client.query<{ n: string; hash: string }>(
        `SELECT count(*) AS n, md5(string_agg(md5(${shown}), '' ORDER BY md5(${shown}))) AS hash FROM hub.${name} t`,
      );
      found[name] = `${rows[0]?.n} ${rows[0]?.hash}`;
    }
    return found;
  } finally {
    await client.end();
  }
}

let count = 0;
async function newDatabase(admin: pg.ClientConfig): Promise<string> {
  const client = new pg.Client({ ...admin, database: "postgres" });
  await client.connect();
  const name = `restored_${++count}`;
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return name;
}

/** What a backup restored to is the same, and its people get in. */
async function expectSame(admin: pg.ClientConfig, database: string, like: pg.ClientConfig): Promise<void> {
  const before = await contents(like);
  expect(Object.keys(before).length).toBeGreaterThan(15);
  expect(before).toMatchObject({
    sessions: expect.stringMatching(/^3 /),
    turns: expect.stringMatching(/^3 /),
  });
  expect(await contents({ ...admin, database })).toEqual(before);
  const db = openHubDatabase({
    host: String(admin.host),
    port: Number(admin.port),
    database,
    secret: SECRET,
  });
  const served = await listenTo({ db });
  const { ask, push } = askingAt(() => served.port);
  expect((await ask("/api/hub/me", {}, robin.token)).json()).toMatchObject({
    user: "robin",
    teams: [{ name: "team" }],
  });
  expect((await ask("/api/ready")).json()).toMatchObject({ ready: true });
  expect((await push(sessionOf("one", ["changed"], { generation: 1 }), robin.token)).json()).toMatchObject({
    created: false,
    events: 1,
    backfill: "queued",
  });
  await served.close(0);
  await db.close();
}

describe("a portable backup", () => {
  const file = join(folder, "hub.backup");
  const place = () => urlOf({ host: hub.place.host, port: hub.place.port, database: hub.place.database });

  it("has all of a hub, is for its owner alone, and brings it back", async () => {
    const words = ["hub", "backup", file, "--portable", "--json"];
    const { stdout, code } = await runHere(words, varsFor(place()));
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { schemaVersion: 1, file, format: "portable", bytes: statSync(file).size },
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await expect(backupHub(configFor(place()), note, { file, isPortable: true })).rejects.toMatchObject({
      code: "file-exists",
    });
    const database = await newDatabase(hub.admin);
    const restored = await runHere(
      ["hub", "restore", file, "--json"],
      varsFor(urlOf({ ...hub.place, database })),
    );
    const { schemaVersion, ...answer } = JSON.parse(restored.stdout);
    expect([schemaVersion, answer]).toMatchObject([1, { format: "portable", people: 2, sessionCount: 3 }]);
    expect(
      shapesOf(hubCommand).some(
        ({ schema }) => JSON.stringify(schema(z).safeParse(answer).data) === JSON.stringify(answer),
      ),
    ).toBe(true);
    await expectSame(hub.admin, database, hub.admin);
    await expect(restoreHub(configFor(urlOf({ ...hub.place, database })), note, file)).rejects.toMatchObject({
      code: "user-exists",
    });
  });

  it("that is damaged, cut off or no backup is refused, and nothing of it is there", async () => {
    const bytes = readFileSync(file);
    const flipped = Buffer.from(bytes);
    const at = Math.floor(bytes.length / 2);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    const endless = Buffer.concat([
      bytes.subarray(0, 7),
      Buffer.from([255, 255, 255, 255]),
      bytes.subarray(11),
    ]);
    const wrong: readonly (readonly [string, Uint8Array, string])[] = [
      ["flipped", flipped, "bundle-damaged"],
      ["cut", bytes.subarray(0, at), "bundle-damaged"],
      ["endless", endless, "bundle-damaged"],
      ["none", Buffer.from("not a backup at all"), "bundle-unknown"],
      ["empty", Buffer.alloc(0), "bundle-unknown"],
    ];
    const database = await newDatabase(hub.admin);
    for (const [name, content, code] of wrong) {
      const path = join(folder, name);
      writeFileSync(path, content);
      const restoring = restoreHub(configFor(urlOf({ ...hub.place, database })), note, path);
      await expect(restoring, name).rejects.toMatchObject({ code });
    }
    const client = new pg.Client({ ...hub.admin, database });
    await client.connect();
    expect((await client.query("SELECT 1 FROM hub.accounts")).rows).toEqual([]);
    await client.end();
    await expect(restoreHub(configFor(place()), note, join(folder, "missing"))).rejects.toMatchObject({
      code: "file-not-found",
    });
  });
});

/** A whole PostgreSQL of the system, with the pg_dump of the same version. */
const system = globSync("/usr/lib/postgresql/*/bin/postgres")
  .map(dirname)
  .find((bin) => ["initdb", "pg_dump", "pg_restore"].every((name) => existsSync(join(bin, name))));

/** On a busy machine as well. */
const PATIENCE = { timeout: 30_000 };

describe("a backup while people push", () => {
  it("has all that was acknowledged before it began, and of nothing only a part", async () => {
    const busy = await newHub();
    const crowd = await peopleOf(busy);
    const names = ["bo", "cy", "di"];
    const pushing = await Promise.all(names.map((name) => crowd.add(name)));
    await crowd.close();
    const acknowledged: string[] = [];
    let isOver = false;
    const push = async (who: Person, name: string): Promise<void> => {
      for (let at = 0; !isOver; at++) {
        const id = `${name}-${at >> 1}`;
        const line = `${id}\n`;
        // Each log is begun with one push, and continued with the next.
        const parts = ["events.jsonl", "notes.jsonl"].map((path) => ({
          path: `session-state/${id}/${path}`,
          ...(at % 2 === 1 && { before: line }),
          texts: [line],
        }));
        const { header, bodies } = pushOf(parts, { id });
        await receivePush(busy.db, who, header, bodies);
        acknowledged.push(`${id} ${at % 2}`);
      }
    };
    const all = Promise.all(pushing.map((who, at) => push(who, names[at] ?? "")));
    await expect.poll(() => acknowledged.length, PATIENCE).toBeGreaterThan(20);
    const before = acknowledged.slice();
    const file = join(folder, "busy.backup");
    await backupHub(configFor(urlOf(busy.place)), note, { file, isPortable: true });
    await expect.poll(() => acknowledged.length, PATIENCE).toBeGreaterThan(before.length);
    isOver = true;
    await all;
    const database = await newDatabase(busy.admin);
    await restoreHub(configFor(urlOf({ ...busy.place, database })), note, file);
    const client = new pg.Client({ ...busy.admin, database });
    await client.connect();
    const { rows } = await client.query<{ id: string; files: number; events: number[]; isWhole: boolean }>(
      `SELECT s.vendor_id AS id, count(*)::int AS files, array_agg(f.events::int) AS events,
              bool_and(f.size = e.bytes AND f.events = e.events) AS "isWhole"
         FROM hub.sessions s JOIN hub.raw_files f ON f.account_id = s.account_id AND f.session_id = s.id
         JOIN (SELECT account_id, session_id, path, sum(bytes) AS bytes, sum(events) AS events FROM hub.raw_events GROUP BY 1, 2, 3) e
           ON e.account_id = f.account_id AND e.session_id = f.session_id AND e.path = f.path
        GROUP BY s.account_id, s.id, s.vendor_id`,
    );
    await client.end();
    await busy.close();
    const restored = new Map(rows.map((row) => [row.id, row]));
    for (const each of before) {
      const [id = "", part] = each.split(" ");
      expect(Math.min(...(restored.get(id)?.events ?? [])), each).toBeGreaterThan(Number(part));
    }
    for (const { files, events, isWhole } of rows)
      expect([files, isWhole, new Set(events).size]).toEqual([2, true, 1]);
    expect(rows.length).toBeLessThan(new Set(acknowledged.map((each) => each.split(" ")[0])).size);
  });
});

describe("a backup by pg_dump", () => {
  it("is refused with a hint where pg_dump is older than the server, or missing", async () => {
    const place = urlOf(hub.place);
    const config = configFor(place);
    const nowhere = { ...config, environment: { ...config.environment, vars: { PATH: "/nowhere" } } };
    // The embedded server is newer than what systems bring.
    const making = backupHub(nowhere, note, { file: "no.dump", isPortable: false });
    if (system !== undefined && Number(system.split("/")[4]) >= 18) await making;
    else
      await expect(making).rejects.toMatchObject({
        code: "program-missing",
        hint: expect.stringContaining("--portable"),
      });
  });

  it.skipIf(system === undefined)("brings a hub back on the server that the system has", async () => {
    const server = await startSystem(system ?? "");
    try {
      const [first, second] = [await newDatabase(server.admin), await newDatabase(server.admin)];
      const { host = "", port = 0 } = server.admin;
      // A portable backup also leads to another version of PostgreSQL.
      await restoreHub(configFor(urlOf({ host, port, database: first })), note, join(folder, "hub.backup"));
      const dump = join(folder, "hub.dump");
      const made = await backupHub(configFor(urlOf({ host, port, database: first })), note, {
        file: dump,
        isPortable: false,
      });
      expect([made.format, readFileSync(dump).subarray(0, 5).toString()]).toEqual(["pg_dump", "PGDMP"]);
      expect(statSync(dump).mode & 0o777).toBe(0o600);
      const target = configFor(urlOf({ host, port, database: second }));
      expect(await restoreHub(target, note, dump)).toMatchObject({ hub: { people: 2, sessionCount: 3 } });
      expect(await migrateHub({ ...server.admin, database: second }, { secret: SECRET })).toMatchObject({
        applied: [],
      });
      await expectSame(server.admin, second, { ...server.admin, database: first });
      await expect(restoreHub(target, note, dump)).rejects.toMatchObject({ code: "user-exists" });
    } finally {
      await server.stop();
    }
  });
});

async function startSystem(bin: string): Promise<{ readonly admin: pg.ClientConfig; stop(): Promise<void> }> {
  const [at, sockets] = [join(reachableFolder("system-"), "postgres"), newSocketFolder()];
  const [, , uid, gid] =
    /^postgres:.*$|^nobody:.*$/m.exec(readFileSync("/etc/passwd", "utf8"))?.[0].split(":") ?? [];
  const who = process.getuid?.() === 0 ? { uid: Number(uid), gid: Number(gid) } : undefined;
  mkdirSync(at);
  if (who) for (const each of [at, sockets]) chownSync(each, who.uid, who.gid);
  const made = spawnSync(
    join(bin, "initdb"),
    ["-D", at, "-U", "postgres", "-E", "UTF8", "--locale=C", "--auth=trust"],
    { ...who, encoding: "utf8", env: {} },
  );
  expect([made.status, made.stderr]).toEqual([0, expect.anything()]);
  const words = [
    "-D",
    at,
    "-p",
    "5432",
    "-c",
    "listen_addresses=",
    "-c",
    `unix_socket_directories=${sockets}`,
    "-c",
    "fsync=off",
  ];
  const child: ChildProcess = spawn(join(bin, "postgres"), words, { ...who, env: {}, stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const admin = { host: sockets, port: 5432, user: "postgres", password: PASSWORD, database: "postgres" };
  const isUp = async (): Promise<boolean> => {
    const client = new pg.Client(admin);
    const up = await client.connect().then(
      () => true,
      () => false,
    );
    if (up) await client.end();
    return up;
  };
  await expect.poll(isUp, { timeout: 20_000 }).toBe(true);
  return {
    admin,
    async stop() {
      child.kill("SIGINT");
      await ended;
    },
  };
}
