/** The process of a job: detached from any terminal, it asks nothing and prints nothing. */
import { createApp } from "../app/app.ts";
import { readConfig } from "../app/config.ts";
import { lookAgain } from "../app/jobs/look-again.ts";
import { runJob } from "../operations/changes/run-job.ts";
import { toFailure } from "../present/failure.ts";

export async function runJobProcess([id = "", ...flags]: readonly string[]): Promise<void> {
  const isDemo = flags.includes("--demo");
  const config = readConfig(isDemo ? { demo: "on" } : {});
  await runJob(await createApp(config), id, {
    now: config.now,
    pause: () => lookAgain(),
    toFailure(error) {
      const { code, message, hint, remedy } = toFailure(error, isDemo);
      return { code, message, hint, ...(remedy && { remedy }) };
    },
  });
}
