/**
 * A thread that reads sessions and makes rows of them, which the thread that started it writes. It begins where this
 * module is loaded in a thread that was started for it.
 */
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { indexOne } from "../../../indexer/index-one.ts";
import { createRecording, type Step } from "../../../indexer/recording.ts";
import type { Artifact, Session } from "../../../model/session/session.ts";
import { localFs } from "../../../platform/fs/local.ts";
import { spareMemory } from "../../../platform/memory.ts";
import { type Catalog, openCatalog } from "../../../sources/catalog.ts";
import { SOURCES } from "../../../sources/registry.ts";

/** Where this module is, for whoever starts a thread of it: in a bundle it may be part of another file. */
export const place = import.meta.url;

export const READER = "rethread-reader";

export interface ReaderData {
  readonly kind: typeof READER;
  readonly outputHead: number;
  /** Characters that were sent and not yet taken. */
  readonly waiting: SharedArrayBuffer;
}

/** Steps of several sessions, each of which ends with `done`. */
export interface Batch {
  readonly steps: readonly Step[];
  readonly size: number;
}

/** In characters. The first are smaller, for which the other thread has nothing else to do than to wait. */
const BATCH = { first: 8 << 10, most: 256 << 10 };
/** When so much waits to be written, this thread does. */
const MOST_WAITING = 2 << 20;

async function serve({ outputHead, waiting }: ReaderData): Promise<void> {
  const port = parentPort;
  if (!port) return;
  spareMemory();
  const counter = new Int32Array(waiting);
  const places = openCatalog(SOURCES, { platform: process.platform, homeDir: "/", vars: {} }, localFs);
  // What folders are clones of is for the other thread to say, which remembers it for all sessions.
  const read = new WeakSet<Session>();
  const catalog: Catalog = {
    ...places,
    async read(artifact, sink, options) {
      const session = await places.read(artifact, sink, { ...options, asRecorded: true });
      read.add(session);
      return session;
    },
  };
  let steps: Step[] = [];
  let size = 0;
  let enough = BATCH.first;
  const send = (): void => {
    if (steps.length === 0) return;
    Atomics.add(counter, 0, size);
    port.postMessage({ steps, size } satisfies Batch);
    steps = [];
    size = 0;
    enough = Math.min(2 * enough, BATCH.most);
    for (let held = Atomics.load(counter, 0); held > MOST_WAITING; held = Atomics.load(counter, 0))
      Atomics.wait(counter, 0, held);
  };
  const take = (step: Step, more: number): void => {
    steps.push(step);
    size += more;
    if (size >= enough) send();
  };
  const store = createRecording(take, (session) => read.has(session));
  const queue: Artifact[] = [];
  let isBusy = false;
  port.on("message", async (artifacts: readonly Artifact[]) => {
    queue.push(...artifacts);
    if (isBusy) return;
    isBusy = true;
    for (let next = queue.shift(); next; next = queue.shift())
      take(["done", await indexOne(catalog, store, { kind: "read", artifact: next }, { outputHead })], 0);
    send();
    isBusy = false;
  });
}

const data = workerData as Partial<ReaderData> | null;
if (!isMainThread && data?.kind === READER) void serve(data as ReaderData);
