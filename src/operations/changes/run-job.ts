/** The work of a job's own process: waits for its turn and for editors to end, makes the changes, and records the result. */
import type { App, Blocker, Job, JobChange, JobFailure, KeptPlan } from "../../app/contract.ts";
import { operationOf } from "../../app/edit/kept-plans.ts";
import { AppError } from "../../model/errors.ts";
import { OPERATIONS } from "../index.ts";
import { readOutsideInput } from "../outside-input.ts";
import { WAITING_CHANGES } from "./jobs.ts";
import { applyWhenClosed } from "./when-closed.ts";

export interface JobSurroundings {
  now(): Date;
  /** Until it is time to look again. */
  pause(): Promise<void>;
  toFailure(error: unknown): JobFailure;
}

/** Thrown to leave the wait: the record says what there is to say. */
class Cancelled extends Error {}

export async function runJob(app: App, id: string, around: JobSurroundings): Promise<void> {
  const { files } = await app.jobs();
  const release = files.attend(id);
  const end = async (to: Parameters<typeof files.change>[2]): Promise<void> => {
    await files.change(id, ["waiting", "running"], { ...to, endedAt: around.now().toISOString() });
  };
  const operations: string[] = [];
  try {
    await work(app, id, around, operations);
    await end({ state: "done", operations });
  } catch (error) {
    if (!(error instanceof Cancelled))
      await end({ state: "failed", operations, error: around.toFailure(error) });
  } finally {
    release();
  }
}

async function work(app: App, id: string, { pause }: JobSurroundings, operations: string[]): Promise<void> {
  const { files } = await app.jobs();
  const stillWanted = (): Job => {
    const job = files.find(id);
    if (job.state === "cancelled") throw new Cancelled();
    return job;
  };
  const pauseUnlessCancelled = async (): Promise<void> => {
    await pause();
    stillWanted();
  };
  let hasBegun = false;
  /** A write that an editor has kept from happening has not begun. */
  const wait = async (waitsFor: string): Promise<void> => {
    hasBegun = operations.length > 0;
    await files.change(id, ["waiting", "running"], { waitsFor, ...(!hasBegun && { state: "waiting" }) });
  };
  const { changes, createdAt } = stillWanted();
  for (
    let before = earlier(files.list(), id, createdAt);
    before;
    before = earlier(files.list(), id, createdAt)
  ) {
    await wait(`${before.id}, which was started earlier`);
    await pauseUnlessCancelled();
  }
  for (const change of changes) {
    const { write } = await applyWhenClosed(app, undefined, {
      plan: () => planOf(app, change),
      onWait: (found) => wait(describeBlockers(found)),
      pause: () => (hasBegun ? pause() : pauseUnlessCancelled()),
      // From here on it cannot be cancelled.
      begin: async ({ fingerprint }) => {
        const begun = { state: "running", begun: operationOf(fingerprint), operations } as const;
        const known = await files.change(id, hasBegun ? ["running"] : ["waiting"], begun);
        if (!known) throw new Cancelled();
        hasBegun = true;
        return true;
      },
    });
    if (write) operations.push(write.operation);
  }
}

/** One that was started before, and has not come to an end. */
const earlier = (jobs: readonly Job[], id: string, createdAt: string): Job | undefined =>
  jobs.find(
    (job) =>
      (job.state === "waiting" || job.state === "running") &&
      (job.createdAt < createdAt || (job.createdAt === createdAt && job.id < id)),
  );

export function describeBlockers([first, ...others]: readonly Blocker[]): string {
  if (!first) return "VS Code";
  const more = others.length > 0 ? ` and ${others.length} more` : "";
  return `VS Code (process ${first.pid}${more})`;
}

async function planOf(app: App, { operation: name, input }: JobChange): Promise<KeptPlan> {
  // The file of a job may say anything.
  const known = WAITING_CHANGES.find((each) => each === name);
  const operation = known && (await OPERATIONS[known]());
  if (operation?.kind !== "change") throw new AppError("usage", `${name} is no change`, "Start the job anew");
  return (await operation.run(app, (await readOutsideInput(operation, input)) as never)) as KeptPlan;
}
