/** `npm run soak`: loads a hub, breaks what can break, and compares what is there afterwards. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openHubDatabase } from "../../src/hub/database/connect.ts";
import { type LoadCluster, startCluster } from "./cluster.ts";
import { strikeDuring } from "./faults.ts";
import { REPOSITORIES, repositoryOf } from "./history.ts";
import { readOptions, type SoakOptions, USAGE } from "./options.ts";
import { addPushers, type Pusher, shareAll } from "./people.ts";
import { cpuSeconds, push, residentMb, type Served, serve } from "./processes.ts";
import type { Pushed } from "./pushing.ts";
import { askAll } from "./questions.ts";
import { type Effort, type Findings, questions, toReport } from "./report.ts";
import { compareRows, type SameRows } from "./same-rows.ts";
import { measureSizes } from "./sizes.ts";
import { verify } from "./verify.ts";

/** As one would run it: what is acknowledged is on the disk. */
const SETTINGS = {
  ...{ max_connections: "200", shared_buffers: "1GB", max_wal_size: "4GB", checkpoint_timeout: "15min" },
  ...{ effective_cache_size: "8GB", maintenance_work_mem: "256MB", wal_compression: "on" },
};

async function soak(given: SoakOptions): Promise<void> {
  const began = performance.now();
  const say = (text: string): void =>
    console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${text}`);
  const cluster = await startCluster({ settings: SETTINGS });
  const running: Served[] = [];
  try {
    const admin = await cluster.admin();
    const people = await addPushers(admin, given.clients, given.clients);
    await shareAll(admin, people, repositoriesShared());
    await admin.end();
    if (given.keep) writeFileSync(peopleOf(cluster.folder), JSON.stringify(people), { mode: 0o600 });
    say(`PostgreSQL runs in ${cluster.folder}; ${people.length} people, one team`);

    const faulty = Math.round(given.sessions * given.faulty);
    const [peaceful, ingest] = await loadInPeace(
      cluster,
      given,
      people,
      given.sessions - faulty,
      running,
      say,
    );
    const backfill = await derive(cluster, given, running, say);
    const broken = await loadWithFaults(cluster, given, people, faulty, say);
    const late = await derive(cluster, given, running, say);

    const asked = await ask(cluster, given, people, running, say);
    const checker = await cluster.admin();
    const sizes = await measureSizes(checker);
    const sent = [...peaceful.sent, ...broken.pushed.sent];
    const verified = await verify(checker, people, sent, given.turns);
    say(`verified ${verified.sessions} sessions: ${verified.faults.length} faults`);
    const same = await compare(cluster, given, people, sent);
    await checker.end();
    say(`compared ${same.reduce((sum, { sessions }) => sum + sessions, 0)} sessions with a clean hub`);

    const findings: Findings = {
      ...{ options: given, seconds: (performance.now() - began) / 1000, ingest, backfill, late },
      ...{ peaceful, broken, asked, sizes, verified, same },
    };
    const report = toReport(findings);
    console.log(`\n${report.text}`);
    if (given.report !== undefined) writeFileSync(given.report, report.text);
    process.exitCode = report.isGood ? 0 : 1;
  } finally {
    await Promise.all(running.map((each) => each.kill()));
    await cluster.stop();
    if (given.keep) say(`The database is kept in ${cluster.folder}`);
    else rmSync(cluster.folder, { recursive: true, force: true });
  }
}

/** Who may ask a database that is kept. */
const peopleOf = (folder: string): string => join(folder, "people.json");

/** Asks a database that an earlier run kept, after bringing its schema up to date. */
async function askAgain(folder: string, given: SoakOptions): Promise<void> {
  const cluster = await startCluster({ settings: SETTINGS, kept: folder });
  const running: Served[] = [];
  try {
    const admin = await cluster.admin();
    await admin.query("VACUUM (ANALYZE)");
    const sizes = await measureSizes(admin);
    await admin.end();
    const people: Pusher[] = JSON.parse(readFileSync(peopleOf(folder), "utf8"));
    const asked = await ask(
      cluster,
      { ...given, sessions: sizes.sessions },
      people,
      running,
      () => undefined,
    );
    console.log(questions({ asked, sizes }).join("\n"));
  } finally {
    await Promise.all(running.map((each) => each.kill()));
    await cluster.stop();
  }
}

/** Most of them; the others stay with their owners. */
const repositoriesShared = (): string[] =>
  Array.from({ length: REPOSITORIES }, (_, at) => repositoryOf(at)).filter((_, at) => at % 8 !== 7);

/** Measures what some processes and the database use while something is done. */
async function during(
  cluster: LoadCluster,
  processes: readonly Served[],
  work: () => Promise<number>,
): Promise<Effort> {
  const cpu = (): { database: number; servers: number } => ({
    database: cpuSeconds(cluster.server().pid, true),
    servers: processes.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0),
  });
  const before = cpu();
  const began = performance.now();
  const count = await work();
  const after = cpu();
  return {
    count,
    seconds: (performance.now() - began) / 1000,
    databaseCpu: after.database - before.database,
    serverCpu: after.servers - before.servers,
    serverMb: Math.max(0, ...processes.map(({ pid }) => residentMb(pid))),
  };
}

const many = (count: number, make: () => Promise<Served>): Promise<Served[]> =>
  Promise.all(Array.from({ length: count }, make));

async function loadInPeace(
  cluster: LoadCluster,
  { servers: count, turns }: SoakOptions,
  people: readonly Pusher[],
  sessions: number,
  running: Served[],
  say: (text: string) => void,
): Promise<[Pushed, Effort]> {
  const servers = await many(count, () => serve({ place: cluster.place, port: 0, concurrency: 0 }));
  running.push(...servers);
  const clients = servers.map(({ port }, at) =>
    push({
      ...{ url: `http://127.0.0.1:${port}`, people, turns, abandonEvery: 0 },
      from: Math.floor((sessions * at) / count),
      to: Math.floor((sessions * (at + 1)) / count),
    }),
  );
  const timer = setInterval(() => {
    const done = clients.reduce((sum, each) => sum + each.sessions(), 0);
    say(`${done} of ${sessions} sessions pushed`);
  }, 10_000);
  const pushed: Pushed[] = [];
  const effort = await during(cluster, servers, async () => {
    pushed.push(...(await Promise.all(clients.map(({ done }) => done))));
    return sessions;
  });
  clearInterval(timer);
  say(`${sessions} sessions pushed at ${(sessions / effort.seconds).toFixed(0)} a second`);
  await Promise.all(servers.map((each) => each.kill()));
  running.splice(0);
  return [merged(pushed), effort];
}

const merged = (all: readonly Pushed[]): Pushed => {
  const sum = (of: (each: Pushed) => number): number => all.reduce((total, each) => total + of(each), 0);
  return {
    sent: all.flatMap(({ sent }) => sent),
    latencies: all.flatMap(({ latencies }) => latencies),
    ...{ pushes: sum((each) => each.pushes), events: sum((each) => each.events) },
    ...{ bytes: sum((each) => each.bytes), wireBytes: sum((each) => each.wireBytes) },
    ...{ turns: sum((each) => each.turns), requests: sum((each) => each.requests) },
  };
};

/** Until the rows of all sessions are there. */
async function derive(
  cluster: LoadCluster,
  { workers: count }: SoakOptions,
  running: Served[],
  say: (text: string) => void,
): Promise<Effort> {
  const admin = await cluster.admin();
  const waiting = async (): Promise<number> => {
    const { rows } = await admin.query<{ n: string }>(
      "SELECT count(*) AS n FROM hub.sessions WHERE raw_version > derived_version",
    );
    return Number(rows[0]?.n);
  };
  const first = await waiting();
  const workers = await many(count, () => serve({ place: cluster.place, concurrency: 1 }));
  running.push(...workers);
  const effort = await during(cluster, workers, async () => {
    for (let told = performance.now(); ; ) {
      const left = await waiting();
      if (left === 0) return first;
      if (performance.now() - told > 10_000) {
        told = performance.now();
        say(`${first - left} of ${first} sessions have rows`);
      }
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  });
  await admin.query("VACUUM (ANALYZE)");
  await admin.end();
  for (const { errors } of workers) for (const error of errors.slice(0, 3)) say(`a worker says: ${error}`);
  await Promise.all(workers.map((each) => each.kill()));
  running.splice(0);
  say(`rows of ${first} sessions made at ${(first / effort.seconds).toFixed(0)} a second`);
  return effort;
}

async function loadWithFaults(
  cluster: LoadCluster,
  given: SoakOptions,
  people: readonly Pusher[],
  sessions: number,
  say: (text: string) => void,
): Promise<Findings["broken"]> {
  const from = given.sessions - sessions;
  return strikeDuring({ cluster, people, from, to: given.sessions, turns: given.turns, rounds: 3, say });
}

async function ask(
  cluster: LoadCluster,
  { questions: count, sessions }: SoakOptions,
  people: readonly Pusher[],
  running: Served[],
  say: (text: string) => void,
): Promise<Findings["asked"]> {
  const [server] = await many(1, () => serve({ place: cluster.place, port: 0, concurrency: 0 }));
  if (!server) throw new Error("no server");
  running.push(server);
  const asked = await askAll({ url: `http://127.0.0.1:${server.port}`, people, sessions, count });
  say(`${asked.reduce((sum, { times }) => sum + times.length, 0)} questions answered`);
  return asked;
}

async function compare(
  cluster: LoadCluster,
  { compared, turns }: SoakOptions,
  people: readonly Pusher[],
  sent: Pushed["sent"],
): Promise<SameRows[]> {
  const clean = openHubDatabase(await cluster.addHub("clean"));
  const [admin, cleanAdmin] = [await cluster.admin(), await cluster.admin("clean")];
  const same: SameRows[] = [];
  for (const [at, person] of people.slice(0, compared).entries()) {
    const seeds = sent.map(({ seed }) => seed).filter((seed) => seed % people.length === at);
    same.push(await compareRows({ admin, clean, cleanAdmin }, person, seeds, turns));
  }
  await Promise.all([admin.end(), cleanAdmin.end(), clean.close()]);
  return same;
}

const options = readOptions(process.argv.slice(2));
if (!options) console.log(USAGE);
else if (options.ask !== undefined) await askAgain(options.ask, options);
else await soak(options);
