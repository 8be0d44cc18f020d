/** What a person waits for: the whole command, from a cold process to the answer, against Node doing nothing. */
import { join } from "node:path";
import type { Home } from "../corpus/homes.ts";
import { interleaved, type Table, timeCommand } from "../table.ts";
import { storeOf } from "./index.ts";

const DIST = join(import.meta.dirname, "..", "..", "dist", "rethread.cjs");

export function measureStartUp(table: Table, folder: string, home: Home): void {
  timeCommand(process.execPath, [join(import.meta.dirname, "..", "..", "scripts", "build.ts")]);
  const none = join(folder, "nothing");
  const env = {
    RETHREAD_HOME: storeOf(folder),
    COPILOT_HOME: home.root,
    CLAUDE_CONFIG_DIR: none,
    HOME: none,
    XDG_CONFIG_HOME: none,
  };
  const search = (...more: string[]): number =>
    timeCommand(process.execPath, [DIST, "search", "qzneedlerare", ...more], env);
  search(); // the first run fills the compile cache
  const times = interleaved(9, {
    bare: () => timeCommand(process.execPath, ["-e", "0"], env),
    search: () => search("--no-refresh"),
    refreshed: () => search(),
  });
  table.number(
    "rethread search --no-refresh, whole process, against node -e 0",
    times.search / times.bare,
    "most",
    1.5,
  );
  table.number(
    `rethread search with a refresh of ${home.sessions} sessions, against node -e 0`,
    times.refreshed / times.bare,
    "most",
    3.5,
  );
}
