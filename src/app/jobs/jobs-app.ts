/** Jobs for surfaces: started in a process of their own, listed, and cancelled while they wait. */
import { AppError } from "../../model/errors.ts";
import type { Clock } from "../../model/values/time.ts";
import { refuseAborted } from "../../platform/fs/abortable.ts";
import { reasonOf } from "../../platform/fs/session-fs.ts";
import { startInBackground } from "../../platform/process/background.ts";
import { askJournal } from "../../store/state/journal.ts";
import type { Call } from "../call.ts";
import type { AppConfig } from "../config.ts";
import type { App } from "../contract.ts";
import { RUN_JOB } from "../self.ts";
import { type Job, type JobFiles, type JobRequest, openJobs } from "./job-files.ts";

export interface JobsApp {
  /** Starts a process that waits and writes; it outlives this one. */
  start(request: JobRequest, call?: Call): Promise<Job>;
  /** Latest first. */
  list(): Promise<Job[]>;
  /** By any unique start of its id. */
  find(name: string): Promise<Job>;
  /** Only while it has not begun to write. */
  cancel(name: string, call?: Call): Promise<Job>;
  /** For the process of a job. */
  readonly files: JobFiles;
}

export interface JobsParts {
  readonly config: AppConfig;
  readonly demo: App["demo"];
  readonly dataFolder: string;
  /** Completes or undoes what a crash has left of a write. */
  settle(call: Call): Promise<unknown>;
}

export function createJobsApp({ config, demo, dataFolder, settle }: JobsParts): JobsApp {
  const files = openJobs(dataFolder, config.now, (operation) => isMade(dataFolder, config.now, operation));
  /** What became of a write that a process had begun is known once it is settled. */
  const settleBegun = async (call: Call = {}): Promise<void> => {
    const isOpen = files.list().some(({ state, begun }) => state === "interrupted" && begun !== undefined);
    if (isOpen) await settle(call);
  };
  const endedNow = (): { endedAt: string } => ({ endedAt: config.now().toISOString() });
  return {
    files,
    async start(request, call) {
      refuseAborted(call?.signal);
      const job = files.create(request, config.folder);
      try {
        await startInBackground([...config.self, RUN_JOB, job.id, ...(demo ? ["--demo"] : [])], {
          folder: config.folder,
          vars: config.environment.vars,
        });
      } catch (error) {
        const message = `No process could be started in the background: ${reasonOf(error)}`;
        const hint = "Leave out --background, and keep the terminal open";
        const failure = { code: "system-failed", message, hint } as const;
        await files.change(job.id, ["waiting"], { state: "failed", error: failure, ...endedNow() });
        throw new AppError(failure.code, message, hint, error);
      }
      return job;
    },
    async list() {
      await settleBegun();
      return files.list();
    },
    async find(name) {
      await settleBegun();
      return files.find(name);
    },
    async cancel(name, call) {
      refuseAborted(call?.signal);
      await settleBegun(call);
      const job = files.find(name);
      const isOver = job.state === "interrupted";
      if (job.operations.length > 0) throw notCancellable(job);
      const cancelled = await files.change(job.id, isOver ? ["waiting", "running"] : ["waiting"], {
        state: "cancelled",
        ...endedNow(),
      });
      if (cancelled) return cancelled;
      throw notCancellable(files.find(job.id));
    },
  };
}

/** Whether or not it was undone since. */
const isMade = (dataFolder: string, now: Clock, operation: string): boolean =>
  askJournal(dataFolder, now, (journal) =>
    (journal?.entries() ?? []).some(
      (entry) =>
        (entry.operation === operation && entry.state === "committed") || entry.plan.undoes === operation,
    ),
  );

function notCancellable({ id, state, operations: [operation] }: Job): AppError {
  if (operation !== undefined)
    return new AppError("not-undoable", `Job ${id} has written already, so it can no longer be cancelled`, {
      say: "Undo what it wrote",
      remedy: { action: "undo", args: { operation } },
    });
  return new AppError(
    "not-undoable",
    state === "running"
      ? `Job ${id} is writing just now`
      : `Job ${id} has ended (${state}) and wrote nothing`,
    { say: "See what becomes of it", remedy: { action: "history" } },
  );
}
