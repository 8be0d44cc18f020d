/** Jobs for surfaces: started in a process of their own, listed, and cancelled while they wait. */
import { AppError } from "../../model/errors.ts";
import { refuseAborted } from "../../platform/fs/abortable.ts";
import { reasonOf } from "../../platform/fs/session-fs.ts";
import { startInBackground } from "../../platform/process/background.ts";
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

export function createJobsApp(config: AppConfig, demo: App["demo"], dataFolder: string): JobsApp {
  const files = openJobs(dataFolder, config.now);
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
    list: async () => files.list(),
    find: async (name) => files.find(name),
    async cancel(name, call) {
      refuseAborted(call?.signal);
      const job = files.find(name);
      const isOver = job.state === "interrupted";
      const cancelled = await files.change(job.id, isOver ? ["waiting", "running"] : ["waiting"], {
        state: "cancelled",
        ...endedNow(),
      });
      if (cancelled) return cancelled;
      throw notCancellable(files.find(job.id));
    },
  };
}

function notCancellable({ id, state, operations: [operation] }: Job): AppError {
  if (operation !== undefined)
    return new AppError("not-undoable", `Job ${id} is done, so it can no longer be cancelled`, {
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
