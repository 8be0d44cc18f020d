/** The whole life of a worker: it does what its server asks for, and ends with it. */
import { createApp } from "../../app/app.ts";
import type { App, Call, CallProgress, IndexRequest } from "../../app/contract.ts";
import { OPERATIONS, type OperationName } from "../../operations/index.ts";
import type { Operation } from "../../operations/operation.ts";
import { runForJson } from "../../operations/run-for-json.ts";
import { releaseMemory } from "../../platform/memory.ts";
import { hearMaster, type Master } from "../../platform/process/helper.ts";
import { toPieces } from "../json-body.ts";
import { toErrorData } from "./error-data.ts";
import type { FromWorker, IndexAnswer, ToWorker } from "./messages.ts";

/** It may have to wait for long, for a plan to be carried out. */
const REST_MS = 3000;

export function work(): void {
  const begun = Promise.withResolvers<App>();
  begun.promise.catch(() => undefined); // told to whoever asks
  let rest: NodeJS.Timeout | undefined;
  const underWay = new Map<number, { readonly control: AbortController; readonly done: Promise<void> }>();

  const run = async (
    { id, task, freshness }: Extract<ToWorker, { type: "run" }>,
    { signal }: AbortController,
    say: (message: FromWorker) => void,
  ): Promise<void> => {
    try {
      const app = await begun.promise;
      const call = { signal, ...(freshness && { freshness }) };
      if (task.does === "index") {
        const onProgress = seldom((progress) => say({ type: "progress", id, progress }));
        say({ type: "answer", id, answer: await index(app, task.input, { ...call, onProgress }) });
        return;
      }
      const json = await runForJson(app, await operationCalled(task.name), task.input, call);
      for (const text of toPieces(JSON.stringify(json))) say({ type: "piece", id, text });
      const keepsUntil = app.keepsPlansUntil()?.getTime();
      say({ type: "answer", id, ...(keepsUntil !== undefined && { keepsUntil }) });
    } catch (error) {
      say({ type: "failure", id, error: toErrorData(error) });
    } finally {
      underWay.delete(id);
      clearTimeout(rest);
      if (underWay.size === 0) rest = setTimeout(releaseMemory, REST_MS).unref();
    }
  };
  const hear = (message: ToWorker, { send }: Master): void => {
    if (message.type === "begin") {
      createApp({ ...message.config, now: () => new Date() }).then(begun.resolve, begun.reject);
    } else if (message.type === "stop") underWay.get(message.id)?.control.abort();
    else {
      const control = new AbortController();
      clearTimeout(rest);
      const done = run(message, control, send);
      underWay.set(message.id, { control, done });
    }
  };
  hearMaster(
    (message, master) => hear(message as ToWorker, master),
    async () => {
      // A write that has begun is carried out; it does not hear this.
      for (const { control } of underWay.values()) control.abort();
      await Promise.all([...underWay.values()].map(({ done }) => done));
    },
  );
}

async function index(app: App, input: IndexRequest, call: Call): Promise<IndexAnswer> {
  const notices: string[] = [];
  const report = await app.index(input, { ...call, onNotice: (each) => void notices.push(each) });
  return { report, notices };
}

async function operationCalled(name: string): Promise<Operation> {
  const operation = await OPERATIONS[name as OperationName]();
  if (operation.kind === "stream") throw new Error(`${name} gives no single answer`);
  return operation as Operation;
}

/** It is called for every session, of which there may be a thousand a second. */
const PROGRESS_MS = 100;

function seldom(tell: (progress: CallProgress) => void): (progress: CallProgress) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  return (progress) => {
    if (performance.now() - toldAt < PROGRESS_MS && progress.done < progress.total) return;
    toldAt = performance.now();
    tell(progress);
  };
}
