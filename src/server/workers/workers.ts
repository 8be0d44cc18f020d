/**
 * Work that would keep the server busy or make it large is done by processes of their own, which end soon after: the
 * server itself only watches, and answers what the store can answer.
 */
import type { AppConfig } from "../../app/config.ts";
import type { App, Call, IndexReport, IndexRequest } from "../../app/contract.ts";
import { WORK } from "../../app/self.ts";
import { AppError } from "../../model/errors.ts";
import type { OperationName } from "../../operations/index.ts";
import { startHelper } from "../../platform/process/helper.ts";
import { PLANNED } from "../routes.ts";
import type { FromWorker, IndexAnswer, Task } from "./messages.ts";
import { startWorker, type TaskCall, type Worker, type WorkerHabits } from "./worker.ts";

export interface Workers {
  /** The JSON of an operation, as text in pieces. */
  ask(lane: Lane, operation: string, input: unknown, call?: TaskCall): Promise<readonly string[]>;
  /** Does as `App.index`. */
  index(request: IndexRequest, call: Call): Promise<IndexReport>;
  /** Completes the writes that are under way, and ends all others. */
  close(): Promise<void>;
}

export type Lane = keyof typeof LANES;

/** Work of one kind. Where `most` is 1, what one task has learned is there for the next. */
const LANES = {
  /** What it has read of a session it remembers for a minute (src/app/lens/remembered.ts). */
  lens: { most: 1, idleMs: 75_000, onAbort: "leave" },
  /** Plans stay where they were made until they are carried out there, or expire. */
  changes: { most: 1, idleMs: 15_000, onAbort: "wait" },
  index: { most: 1, idleMs: 15_000, onAbort: "wait" },
  questions: { most: 2, idleMs: 15_000, onAbort: "leave" },
} as const satisfies Record<string, WorkerHabits & { readonly most: number }>;

/** What reads whole sessions or all of them, or counts tokens: that alone needs 60 MB. */
const HEAVY: Partial<Record<OperationName, Lane>> = {
  lens: "lens",
  context: "lens",
  find: "questions",
  diff: "questions",
  doctor: "questions",
  "secrets-scan": "questions",
  stats: "questions",
  "stats-by": "questions",
  export: "questions",
  "export-bundle": "questions",
  "export-transcript": "questions",
  ...Object.fromEntries(PLANNED.map((name) => [name, "changes"])),
  apply: "changes",
  "apply-migration": "changes",
  "preview-vendor-rows": "changes",
};

/** Who does an operation; nothing where the server does it itself. */
export const laneOf = (name: string): Lane | undefined => HEAVY[name as OperationName];

export function createWorkers({ now: _, ...config }: AppConfig, { demo }: Pick<App, "demo">): Workers {
  const running = new Map<Lane, Set<Worker>>();
  let isClosed = false;

  const startIn = (lane: Lane): Worker => {
    const worker = startWorker((message) => {
      const helper = startHelper([...config.self, WORK], {
        vars: config.environment.vars,
        message: (received) => message(received as FromWorker),
      });
      helper.send({ type: "begin", config: { ...config, demo: demo ? "on" : "off" } });
      return helper;
    }, LANES[lane]);
    const others = running.get(lane) ?? new Set();
    running.set(lane, others.add(worker));
    void worker.ended.then(() => others.delete(worker));
    return worker;
  };
  /** One that has nothing to do, a new one, or the one that has the least to do. */
  const choose = (lane: Lane): Worker => {
    const able = [...(running.get(lane) ?? [])].filter(({ isLeaving }) => !isLeaving);
    const [least] = able.sort((a, b) => a.load - b.load);
    const isFull = able.length >= LANES[lane].most;
    return least && (isFull || least.load === 0) ? least : startIn(lane);
  };
  const run = async (lane: Lane, task: Task, call: TaskCall): Promise<unknown> => {
    if (isClosed) throw new AppError("aborted", "The server has stopped", "Start it again");
    return choose(lane).run(task, call);
  };
  return {
    ask: (lane, name, input, call = {}) =>
      run(lane, { does: "operation", name, input }, call) as Promise<readonly string[]>,
    async index(input, { signal, onProgress, onNotice }) {
      const how = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
      const { report, notices } = (await run("index", { does: "index", input }, how)) as IndexAnswer;
      for (const each of notices) onNotice?.(each);
      return report;
    },
    async close() {
      isClosed = true;
      await Promise.all([...running.values()].flatMap((all) => [...all].map((worker) => worker.close())));
    },
  };
}
