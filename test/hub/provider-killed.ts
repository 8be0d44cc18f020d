/** A process that applies a plan to sessions on the hub, and kills itself at a moment that it is told. */
import { readFileSync } from "node:fs";
import { createWriteContext } from "../../src/app/edit/recover.ts";
import { apply } from "../../src/edit/apply/apply.ts";
import { openHubSessions } from "../../src/hub/provider/contract.ts";
import type { FsTransactions, SessionFs } from "../../src/platform/fs/session-fs.ts";
import { watchedDisk } from "../edit/killing-disk.ts";
import { openProvided } from "./provider-home.ts";

export type KillMoment = (typeof MOMENTS)[number];
export const MOMENTS = ["building", "noted", "half-way", "verified", "committing", "committed"] as const;

const die = (): void => void process.kill(process.pid, "SIGKILL");

function killedAt(moment: string, transactions: FsTransactions): FsTransactions {
  return {
    ...transactions,
    async run(name, paths, work) {
      if (moment === "noted") die();
      const answer = await transactions.run(name, paths, async (fs) => {
        const half: SessionFs = { ...fs, append: async () => die() };
        const done = await work(moment === "half-way" ? half : fs);
        if (moment === "verified") die();
        // By then the words that end the transaction are on their way.
        if (moment === "committing") setImmediate(die);
        return done;
      });
      if (moment === "committed") die();
      return answer;
    },
  };
}

if (import.meta.main) {
  const [url = "", token = "", data = "", plan = "", moment = "", operation = ""] = process.argv.slice(2);
  const sessions = await openHubSessions({ url, token });
  const { transactions } = sessions.fs;
  const fs = { ...sessions.fs, ...(transactions && { transactions: killedAt(moment, transactions) }) };
  const disk = watchedDisk(({ number }) => {
    if (moment === "building" && number === 5) die();
  });
  const context = createWriteContext(data, () => new Date(), { disk, sessions: fs });
  await apply(context, openProvided(sessions), operation, JSON.parse(readFileSync(plan, "utf8")));
  await sessions.close();
}
