/** One worker, as its server sees it: a process that is there while it is needed. */
import type { CallFreshness, CallProgress } from "../../app/contract.ts";
import { AppError } from "../../model/errors.ts";
import { refuseAborted } from "../../platform/fs/abortable.ts";
import { notePassing } from "../../platform/memory.ts";
import type { Helper } from "../../platform/process/helper.ts";
import { fromErrorData } from "./error-data.ts";
import type { FromWorker, Task, ToWorker } from "./messages.ts";

export interface TaskCall {
  readonly signal?: AbortSignal;
  readonly freshness?: CallFreshness;
  readonly onProgress?: (progress: CallProgress) => void;
}

export interface WorkerHabits {
  /** It ends once nobody has asked for anything for so long. */
  readonly idleMs: number;
  /**
   * `leave`: who gives up waits no longer, and a worker that nobody waits for is killed, whatever it does.
   * `wait`: it is told, and says itself what it has done until then.
   */
  readonly onAbort: "leave" | "wait";
}

export interface Worker {
  /** How many tasks it has, also those that nobody waits for any more. */
  readonly load: number;
  /** It is about to end, and takes no more tasks. */
  readonly isLeaving: boolean;
  run(task: Task, call: TaskCall): Promise<unknown>;
  readonly ended: Promise<unknown>;
  /** Resolves once it has ended: at once, unless it must complete something. */
  close(): Promise<void>;
}

interface Waiting {
  readonly pieces: string[];
  readonly onProgress?: (progress: CallProgress) => void;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** Who drags a handle takes a question back and asks the next one right away. */
const ABANDONED_MS = 2000;

export function startWorker(
  start: (message: (message: FromWorker) => void) => Helper,
  { idleMs, onAbort }: WorkerHabits,
): Worker {
  const waiting = new Map<number, Waiting>();
  /** Given up, and not answered yet. */
  const abandoned = new Set<number>();
  let count = 0;
  let keepsUntil = 0;
  let timer: NodeJS.Timeout | undefined;
  let isLeaving = false;

  const helper = start((message) => {
    const { id } = message;
    const waits = waiting.get(id);
    if (message.type === "progress") return waits?.onProgress?.(message.progress);
    if (message.type === "piece") {
      notePassing(message.text.length);
      return void waits?.pieces.push(message.text);
    }
    waiting.delete(id);
    abandoned.delete(id);
    if (message.type === "answer") {
      keepsUntil = message.keepsUntil ?? 0;
      waits?.resolve(message.answer ?? waits.pieces);
    } else waits?.reject(fromErrorData(message.error));
    rest();
  });
  const send = (message: ToWorker): void => helper.send(message);
  const leave = (how: "kill" | "letGo"): void => {
    clearTimeout(timer);
    isLeaving = true;
    helper[how]();
  };
  /** Decides when to end, as long as nobody waits. */
  const rest = (): void => {
    clearTimeout(timer);
    if (waiting.size > 0 || isLeaving) return;
    timer =
      abandoned.size > 0
        ? setTimeout(leave, ABANDONED_MS, "kill")
        : setTimeout(leave, Math.max(idleMs, keepsUntil - Date.now()), "letGo");
    timer.unref();
  };
  const ended = helper.ended.then((how) => {
    clearTimeout(timer);
    isLeaving = true;
    for (const { reject } of waiting.values()) reject(endedEarly(how));
    waiting.clear();
  });
  return {
    get load() {
      return waiting.size + abandoned.size;
    },
    get isLeaving() {
      return isLeaving;
    },
    run(task, { signal, freshness, onProgress }) {
      refuseAborted(signal);
      clearTimeout(timer);
      const id = ++count;
      const giveUp = (): void => {
        send({ type: "stop", id });
        if (onAbort === "wait") return;
        const waits = waiting.get(id);
        waiting.delete(id);
        abandoned.add(id);
        rest();
        waits?.reject(new AppError("aborted", "The call was stopped", "Ask again", signal?.reason));
      };
      const answer = new Promise<unknown>((resolve, reject) => {
        waiting.set(id, { pieces: [], resolve, reject, ...(onProgress && { onProgress }) });
      });
      send({ type: "run", id, task, ...(freshness && { freshness }) });
      signal?.addEventListener("abort", giveUp, { once: true });
      return answer.finally(() => signal?.removeEventListener("abort", giveUp));
    },
    ended,
    async close() {
      leave(onAbort === "leave" ? "kill" : "letGo");
      await ended;
    },
  };
}

const endedEarly = (how: string): AppError =>
  new AppError(
    "system-failed",
    `The process that worked on this ended early (${how})`,
    "Ask again; if it keeps ending, the machine may have too little memory",
  );
