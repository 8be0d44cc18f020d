/** Threads that read sessions ahead of the one that writes their rows. */
import { Worker } from "node:worker_threads";
import type { Readers } from "../../../indexer/read-ahead.ts";
import { createReplay } from "../../../indexer/recording.ts";
import { AppError } from "../../../model/errors.ts";
import type { Artifact } from "../../../model/session/session.ts";
import { optimizeAsUsual, optimizeLate } from "../../../platform/optimizer.ts";
import { THREAD } from "../../../platform/process/thread-word.ts";
import { type Batch, place, READER, type ReaderData } from "./reader-thread.ts";

/** One thread with what it has read. */
interface Reader {
  readonly worker: Worker;
  readonly counter: Int32Array;
  /** What it was told to read, and has not been taken. */
  readonly jobs: Artifact[];
  bytes: number;
  readonly batches: Batch[];
  at: number;
  failure?: Error;
  wake?: () => void;
}

export function startReaders(count: number, outputHead: number): Readers {
  // For all threads of this process, this one included, as long as they index.
  optimizeLate();
  const readers = Array.from({ length: count }, () => startReader(outputHead));
  const readerOf = new Map<string, Reader>();
  const keyOf = ({ source, path }: Artifact): string => `${source}\0${path}`;

  const nextStep = async (reader: Reader) => {
    for (;;) {
      const [batch] = reader.batches;
      if (batch && reader.at < batch.steps.length) return batch.steps[reader.at++];
      if (batch) {
        reader.batches.shift();
        reader.at = 0;
        Atomics.sub(reader.counter, 0, batch.size);
        Atomics.notify(reader.counter, 0);
        continue;
      }
      if (reader.failure) throw reader.failure;
      await new Promise<void>((resolve) => {
        reader.wake = resolve;
      });
    }
  };
  return {
    ahead(artifacts) {
      const news = new Map<Reader, Artifact[]>();
      for (const artifact of artifacts) {
        if (readerOf.has(keyOf(artifact))) continue;
        const reader = readers.reduce((least, one) => (one.bytes < least.bytes ? one : least));
        readerOf.set(keyOf(artifact), reader);
        reader.jobs.push(artifact);
        reader.bytes += artifact.fingerprint.size;
        news.set(reader, [...(news.get(reader) ?? []), artifact]);
      }
      for (const [reader, jobs] of news) reader.worker.postMessage(jobs);
    },
    async take(artifact, catalog, store) {
      const reader = readerOf.get(keyOf(artifact));
      if (!reader) throw new Error(`${artifact.path} is not being read`);
      for (;;) {
        const job = reader.jobs.shift();
        const isWanted = job !== undefined && keyOf(job) === keyOf(artifact);
        const id = store.idFor(artifact);
        const replay = isWanted ? createReplay(store, id) : () => undefined;
        for (let step = await nextStep(reader); ; step = await nextStep(reader)) {
          if (step?.[0] === "done") {
            if (job) readerOf.delete(keyOf(job));
            reader.bytes -= job?.fingerprint.size ?? 0;
            if (isWanted) return { ...step[1], id };
            break;
          }
          if (step?.[0] === "finish" && isWanted && step[2])
            replay(["finish", { ...step[1], session: await catalog.withRepository(step[1].session) }, true]);
          else if (step) replay(step);
        }
      }
    },
    close() {
      for (const { worker } of readers) void worker.terminate();
      optimizeAsUsual();
    },
  };
}

/** Loads the module from where it is, whether that is source or part of a bundle. */
const START = `import(require("node:worker_threads").workerData.place)`;

function startReader(outputHead: number): Reader {
  const waiting = new SharedArrayBuffer(4);
  const data: ReaderData & { place: string } = { kind: READER, outputHead, waiting, place };
  // Inherited flags may turn the text into a module, which knows no `require`.
  const worker = new Worker(START, {
    eval: true,
    argv: [THREAD],
    workerData: data,
    execArgv: [],
  });
  const reader: Reader = {
    worker,
    counter: new Int32Array(waiting),
    jobs: [],
    bytes: 0,
    batches: [],
    at: 0,
  };
  const wake = (): void => {
    reader.wake?.();
    delete reader.wake;
  };
  const fail = (why: string, cause?: unknown): void => {
    reader.failure ??= new AppError(
      "internal",
      `The thread that reads sessions ended before it was done (${why})`,
      { say: "What was indexed until then is kept. Index the rest", remedy: { action: "index" } },
      cause,
    );
    wake();
  };
  worker.on("message", (batch: Batch) => {
    reader.batches.push(batch);
    wake();
  });
  worker.on("error", (error) => fail(error instanceof Error ? error.message : String(error), error));
  worker.on("exit", (code) => fail(`exit code ${code}`));
  return reader;
}
