/** What a closer look at a Copilot home shows: locks that outlived their process. */
import { isAlive } from "../../platform/processes.ts";
import type { SessionFs } from "../../platform/session-fs.ts";
import type { ScanSink } from "../source.ts";
import { LOG, pidOfLock, SOURCE, stateFolder, under } from "./locate.ts";
import { listFolder } from "./scan.ts";

export async function examine(fs: SessionFs, root: string, sink: Pick<ScanSink, "problem">): Promise<void> {
  // What cannot be listed was already reported by the scan.
  const quiet = { problem: () => undefined };
  for (const session of await listFolder(fs, stateFolder(root), quiet)) {
    if (session.kind !== "folder" || session.name.startsWith(".")) continue;
    const folder = under(stateFolder(root), session.name);
    const entries = await listFolder(fs, folder, quiet);
    const hasLog = entries.some(({ name }) => name === LOG);
    for (const { name } of entries) {
      const pid = pidOfLock(name);
      if (pid === undefined || isAlive(pid)) continue;
      sink.problem({
        code: "lock-stale",
        source: SOURCE,
        session: session.name,
        path: under(folder, name),
        message: `the lock names process ${pid}, which no longer runs`,
        ...(hasLog && { fix: `rethread rescue ${SOURCE}:${session.name}` }),
      });
    }
  }
}
