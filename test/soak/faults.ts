/** Pushes over a bad network, while the server, the database and a worker are killed and started again. */
import type { LoadCluster } from "./cluster.ts";
import type { Pusher } from "./people.ts";
import { type ProgramOf, push, type Served, serve } from "./processes.ts";
import { type ProxyCounts, startProxy } from "./proxy.ts";
import type { Pushed } from "./pushing.ts";

export interface FaultyLoad {
  readonly cluster: LoadCluster;
  readonly people: readonly Pusher[];
  readonly from: number;
  readonly to: number;
  readonly turns: number;
  /** How often each of them is killed. */
  readonly rounds: number;
  readonly programOf?: ProgramOf;
  say(text: string): void;
}

export interface Broken {
  readonly pushed: Pushed;
  readonly network: Readonly<ProxyCounts>;
  readonly kills: Readonly<Record<"server" | "database" | "worker", number>>;
}

const NETWORK = { cut: 0.1, delay: 0.2, repeat: 0.2 };
/** One push of so many is given up when it fails. */
const ABANDON_EVERY = 9;
const LOOK_MS = 20;

export async function strikeDuring(load: FaultyLoad): Promise<Broken> {
  const { cluster, people, from, to, turns, rounds, programOf, say } = load;
  const { place } = cluster;
  let server = await serve({ place, port: 0, concurrency: 0 }, programOf);
  let worker = await serve({ place, concurrency: 1 }, programOf);
  const { port } = server;
  const again = async (old: Served, isServer: boolean): Promise<Served> => {
    await old.kill();
    return serve({ place, concurrency: isServer ? 0 : 1, ...(isServer && { port }) }, programOf);
  };
  const kills = { server: 0, database: 0, worker: 0 };
  const strikes = {
    async server() {
      server = await again(server, true);
    },
    database: () => cluster.killAndRestart(),
    async worker() {
      worker = await again(worker, false);
    },
  };
  const proxy = await startProxy(() => port, NETWORK, 1);
  const clients = push({ url: proxy.url, people, from, to, turns, abandonEvery: ABANDON_EVERY }, programOf);
  const victims = Array.from(
    { length: rounds },
    () => Object.keys(strikes) as (keyof typeof strikes)[],
  ).flat();
  const isDone = clients.done.then(() => true);
  try {
    for (const [at, victim] of victims.entries()) {
      const when = ((to - from) * (at + 1)) / (victims.length + 1);
      while (clients.sessions() < when && !(await Promise.race([isDone, wait(LOOK_MS)])));
      say(`the ${victim} is killed after ${clients.sessions()} sessions`);
      await strikes[victim]();
      kills[victim]++;
    }
    const pushed = await clients.done;
    await proxy.settle();
    say(`${to - from} sessions pushed meanwhile, with ${pushed.requests - pushed.pushes} repetitions`);
    return { pushed, network: { ...proxy.counts }, kills };
  } finally {
    await proxy.close();
    await Promise.all([server, worker].map((each) => each.kill()));
  }
}

const wait = (ms: number): Promise<false> => new Promise((resolve) => setTimeout(resolve, ms, false));
