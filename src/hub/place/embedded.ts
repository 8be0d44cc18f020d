/**
 * The embedded PostgreSQL server of a hub: one process starts it, and starts it again should it die. Commands that come
 * while a hub is served use the one that runs; otherwise they start it for as long as they need it.
 */
import { join } from "node:path";
import { AppError } from "../../model/errors.ts";
import { createNewFile } from "../../platform/disk/new-file.ts";
import { readIfThere, removeFile, removeFolder } from "../../platform/disk/own-files.ts";
import { pause } from "../../platform/process/background.ts";
import { endPostgres, runningPostgres } from "../../platform/process/postgres-lock.ts";
import {
  clusterFolder,
  newSocketFolder,
  type PostgresServer,
  SUPERUSER,
  startPostgres,
} from "../../platform/process/postgres-server.ts";
import { takeWriteLock } from "../../platform/process/write-lock.ts";
import { type OpenPlace, placeOfEmbedded, superuserPassword } from "./place.ts";
import { makeHubFolder } from "./secret.ts";

export interface EmbeddedOptions {
  /** The hub's folder. */
  readonly folder: string;
  readonly secret: string;
  /** A server that stays; a command makes do with one that runs. */
  readonly stays: boolean;
  note(sentence: string): void;
}

/** So long another command may need the server that it started. */
const WAIT_MS = 20_000;
const LOOK_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

export async function openEmbedded(options: EmbeddedOptions): Promise<OpenPlace> {
  const { folder, secret, stays, note } = options;
  makeHubFolder(folder);
  const wanted = join(folder, "postgres");
  const cluster = clusterFolder(wanted);
  if (cluster !== wanted && stays)
    note(`PostgreSQL does not run as root and cannot reach ${wanted}, so its files are in ${cluster}.`);
  for (let waited = 0; ; waited += LOOK_MS) {
    const release = takeWriteLock(join(folder, ".postgres.lock"));
    if (release) return start(options, cluster, release);
    const running = isServed(folder) && runningPostgres(cluster);
    if (running && !stays) {
      const reached = await placeOfEmbedded({ ...running, user: SUPERUSER }, secret);
      return { ...reached, cluster, stop: async () => undefined };
    }
    if ((running && stays) || waited > WAIT_MS) throw busy();
    await pause(LOOK_MS);
  }
}

async function start(
  { folder, secret, stays, note }: EmbeddedOptions,
  cluster: string,
  release: () => void,
): Promise<OpenPlace> {
  const sockets = newSocketFolder();
  const run = (): Promise<PostgresServer> =>
    startPostgres({ folder: cluster, password: superuserPassword(secret), sockets });
  const clear = (): void => {
    removeFile(markPath(folder));
    removeFolder(sockets);
    release();
  };
  let server: PostgresServer;
  try {
    removeFile(markPath(folder));
    // Of a process that was killed; nobody else may have started one, as the lock is ours.
    await endPostgres(cluster);
    server = await run();
  } catch (error) {
    clear();
    throw error;
  }
  const ending = new AbortController();
  const watch = async (): Promise<void> => {
    for (let wait = LOOK_MS; ; ) {
      await server.ended;
      if (ending.signal.aborted) return;
      note("The embedded PostgreSQL server has ended, and is started again.");
      await pause(wait, ending.signal);
      if (ending.signal.aborted) return;
      try {
        server = await run();
        wait = LOOK_MS;
        // Whoever stops meanwhile has only ended the one before.
        if (ending.signal.aborted) await server.stop();
      } catch (error) {
        wait = Math.min(wait * 2, LONGEST_PAUSE_MS);
        note(error instanceof Error ? error.message : String(error));
      }
    }
  };
  const watching = stays ? watch() : Promise.resolve();
  const stop = async (): Promise<void> => {
    ending.abort();
    await server.stop();
    await watching;
    clear();
  };
  try {
    const reached = await placeOfEmbedded(server, secret);
    if (stays) mark(folder);
    return { ...reached, cluster, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Says that the process that has the lock will stay. */
function mark(folder: string): void {
  const file = createNewFile(markPath(folder), { replace: true, mode: 0o600 });
  file.write(`${process.pid}\n`);
  file.finish();
}

const markPath = (folder: string): string => join(folder, "served");

const isServed = (folder: string): boolean => readIfThere(markPath(folder)) !== undefined;

const busy = (): AppError =>
  new AppError(
    "write-busy",
    "Another process runs this hub's embedded PostgreSQL server",
    "End it first, or keep the hub on a server of your own with --database-url",
  );
