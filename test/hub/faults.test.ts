/** A hub whose database dies, whose server is stopped, and which has several servers: nothing that was acknowledged is lost. */
import { type ChildProcess, spawn } from "node:child_process";
import { request } from "node:http";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type HubDatabase, openHubDatabase } from "../../src/hub/database/connect.ts";
import { startBackfill } from "../../src/hub/derive/backfill.ts";
import { PUSH_MEDIA } from "../../src/hub/protocol.ts";
import {
  newSocketFolder,
  type PostgresServer,
  startPostgres,
} from "../../src/platform/process/postgres-server.ts";
import { builtCommand } from "../built.ts";
import { askingAt, frameOf, sessionOf } from "./asking.ts";
import { type Person, peopleOf } from "./people.ts";
import { adminOf, copyPrepared, FAST, PASSWORD, reachableFolder, SECRET, TEMPLATE } from "./prepared.ts";
import { listenTo } from "./served.ts";

const folder = join(reachableFolder("faults-"), "postgres");
const sockets = newSocketFolder();
// What is acknowledged must survive a kill, so it reaches the disk.
const settings = { ...FAST, fsync: "on", synchronous_commit: "on" };
const start = (): Promise<PostgresServer> =>
  startPostgres({ folder, password: PASSWORD, settings, sockets, fill: copyPrepared });
let server: PostgresServer;
let robin: Person;
const open: HubDatabase[] = [];
const newDatabase = (): HubDatabase => {
  const db = openHubDatabase({ host: sockets, port: server.port, database: TEMPLATE, secret: SECRET });
  open.push(db);
  return db;
};

beforeAll(async () => {
  server = await start();
  const admin = adminOf(server, TEMPLATE);
  const people = await peopleOf({
    place: newDatabase().place,
    db: newDatabase(),
    admin,
    close: async () => undefined,
  });
  robin = await people.add("robin", ["push", "read", "admin"]);
  await people.close();
});
afterAll(async () => {
  for (const db of open) await db.close();
  await server.stop();
});

async function count(sql: string): Promise<number> {
  const admin = new pg.Client(adminOf(server, TEMPLATE));
  await admin.connect();
  const { rows } = await admin.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`);
  await admin.end();
  return Number(rows[0]?.n);
}

it("says that its database is away, and goes on when it is back, with all that was acknowledged", async () => {
  const lost: string[] = [];
  const defects: unknown[] = [];
  const db = newDatabase();
  const served = await listenTo(
    { db },
    {
      lost: ({ message }) => void lost.push(message),
      report: (error) => void defects.push(error),
    },
  );
  const { ask, push } = askingAt(() => served.port);
  const backfill = await startBackfill(db, { onError: () => undefined });
  const acknowledged: string[] = [];
  const failures: { status: number; code: string | undefined; wait: string | undefined }[] = [];
  let isOver = false;
  /** As clients do: what failed is sent again, the same. */
  const client = async (name: string): Promise<void> => {
    for (let at = 0; !isOver; at++) {
      const id = `${name}-${at}`;
      const session = sessionOf(id, [`{"n":${at}}`, "b"]);
      for (;;) {
        const { status, code, headers } = await push(session, robin.token);
        if (status === 200) break;
        failures.push({ status, code, wait: headers["retry-after"] });
        if (isOver) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      acknowledged.push(id);
    }
  };
  const clients = Array.from({ length: 6 }, (_, at) => client(`client${at}`));
  await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(20);
  await server.kill();
  await expect.poll(() => failures.length, { timeout: 20_000 }).toBeGreaterThan(5);
  expect((await ask("/api/health")).status).toBe(200);
  // A backend that has not noticed yet that its server is gone still answers.
  const checks = async () => {
    const { status, json } = await ask("/api/ready");
    return [status, json()];
  };
  await expect.poll(checks, { timeout: 20_000 }).toEqual([
    503,
    expect.objectContaining({
      ready: false,
      checks: { database: false, schema: false, queue: false, serving: true },
    }),
  ]);
  const me = () => ask("/api/hub/me", {}, robin.token);
  await expect.poll(async () => (await me()).status, { timeout: 20_000 }).toBe(503);
  const away = await me();
  expect([away.status, away.code, away.headers["retry-after"]]).toEqual([503, "database-unavailable", "2"]);
  expect(away.text).not.toContain(sockets);
  const before = acknowledged.length;
  server = await start();
  await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(before + 20);
  isOver = true;
  await Promise.all(clients);
  expect(
    failures.filter(
      ({ status, code, wait }) => status !== 503 || code !== "database-unavailable" || wait === undefined,
    ),
  ).toEqual([]);
  expect(defects).toEqual([]);
  expect(lost.length).toBeGreaterThan(0);
  expect((await ask("/api/ready")).status).toBe(200);
  expect(await count("hub.sessions")).toBe(acknowledged.length);
  expect(await count("(SELECT DISTINCT session_id FROM hub.raw_events) x")).toBe(acknowledged.length);
  expect(await count("hub.raw_events")).toBe(acknowledged.length);
  // The worker that saw its database die makes rows of all of them, those that it had in hand then among them.
  const behind = () => count("hub.sessions WHERE derived_version < raw_version");
  await expect.poll(behind, { timeout: 30_000, interval: 200 }).toBe(0);
  await backfill.stop();
  await served.close(1000);
});

it("has several servers on one database, which know the same people and store each push once", async () => {
  const served = await Promise.all([listenTo({ db: newDatabase() }), listenTo({ db: newDatabase() })]);
  const [one, two] = served.map(({ port }) => askingAt(() => port));
  const session = sessionOf("both", ["a", "b", "c"]);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? one : two)?.push(session, robin.token)),
  );
  expect(answers.map((each) => each?.status)).toEqual(answers.map(() => 200));
  expect(answers.reduce((sum, each) => sum + Number(each?.json().events), 0)).toBe(3);
  const own = { origin: `http://127.0.0.1:${served[0]?.port}`, "sec-fetch-site": "same-origin" };
  const entered = await one?.post("/api/hub/sign-in", { token: robin.token }, own);
  const [, token] = /=(rth_[^;]+)/.exec(entered?.headers["set-cookie"]?.[0] ?? "") ?? [];
  expect((await two?.ask("/api/hub/me", {}, token))?.json()).toMatchObject({ user: "robin" });
  for (const each of served) await each.close(0);
});

const url = (): string =>
  `postgres://postgres:${encodeURIComponent(PASSWORD)}@localhost:${server.port}/${TEMPLATE}?host=${encodeURIComponent(sockets)}`;

interface Running {
  readonly child: ChildProcess;
  readonly line: {
    readonly url: string;
    readonly port: number;
    readonly token: string;
    readonly pid: number;
  };
  readonly ended: Promise<number | string | null>;
  log(): string;
}

async function serve(...words: string[]): Promise<Running> {
  const home = reachableFolder("served-");
  const child = spawn(process.execPath, [builtCommand(), "hub", "serve", "--json", "--no-open", ...words], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      RETHREAD_HOME: join(home, "data"),
      RETHREAD_HUB_DATABASE_URL: url(),
      RETHREAD_HUB_SECRET: SECRET,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (piece: string) => (log += piece));
  const ended = new Promise<number | string | null>((resolve) =>
    child.once("close", (code, signal) => resolve(code ?? signal)),
  );
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").once("data", resolve);
    child.once("close", () => reject(new Error(log)));
  });
  return { child, line: JSON.parse(line), ended, log: () => log };
}

it("ends in order: a push that has begun is stored and acknowledged, and then nobody listens", async () => {
  const { child, line, ended, log } = await serve("--log-format", "json");
  const { ask } = askingAt(() => line.port);
  expect((await ask("/api/hub/me", {}, line.token)).json()).toMatchObject({
    user: "robin",
    scopes: ["push", "read", "admin"],
  });
  const frame = Buffer.from(frameOf(sessionOf("late", ["a", "b"])));
  const answer = new Promise<number | undefined>((resolve, reject) => {
    const asking = request(
      {
        host: "127.0.0.1",
        port: line.port,
        path: "/api/hub/push",
        method: "POST",
        headers: {
          authorization: `Bearer ${robin.token}`,
          "content-type": PUSH_MEDIA,
          "content-length": String(frame.length),
        },
      },
      (response) => {
        response.resume();
        response.once("end", () => resolve(response.statusCode));
      },
    );
    asking.on("error", reject);
    asking.write(frame.subarray(0, 10));
    setTimeout(() => {
      child.kill("SIGTERM");
      setTimeout(() => asking.end(frame.subarray(10)), 300);
    }, 300);
  });
  expect(await answer).toBe(200);
  expect(await ended).toBe(0);
  expect(await count("hub.raw_events WHERE session_id LIKE '%late%'")).toBe(1);
  await expect(ask("/api/health")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  expect(await count("hub.tokens WHERE kind = 'serve' AND revoked_at IS NULL")).toBe(0);
  const events = log()
    .trim()
    .split("\n")
    .map((each) => JSON.parse(each) as { event: string; route?: string; status?: number; user?: string });
  expect(events.map(({ event }) => event)).toEqual(
    expect.arrayContaining(["started", "request", "stopping", "stopped"]),
  );
  expect(events).toContainEqual(
    expect.objectContaining({ event: "request", route: "/api/hub/push", status: 200, user: "robin" }),
  );
  expect(log()).not.toContain("rth_");
  expect(log()).not.toContain(line.token);
});

it("ends at once at the second signal", async () => {
  const { child, line, ended } = await serve();
  const hanging = request({
    host: "127.0.0.1",
    port: line.port,
    path: "/api/hub/push",
    method: "POST",
    headers: { authorization: `Bearer ${robin.token}`, "content-type": PUSH_MEDIA, "content-length": "1000" },
  });
  hanging.on("error", () => undefined);
  hanging.write("x");
  await new Promise((resolve) => setTimeout(resolve, 200));
  child.kill("SIGTERM");
  await new Promise((resolve) => setTimeout(resolve, 200));
  child.kill("SIGTERM");
  expect(await ended).toBe(143);
});
