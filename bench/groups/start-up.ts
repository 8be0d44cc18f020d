/** What a person waits for: the whole command, from a cold process to the answer, against Node doing nothing. */
import { join } from "node:path";
import type { Home } from "../corpus/homes.ts";
import { interleaved, type Table, timeCommand } from "../table.ts";
import { storeOf } from "./index.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** The command as it is installed, built anew the first time. */
export function builtCommand(): string {
  if (!isBuilt) timeCommand(process.execPath, [join(ROOT, "scripts", "build.ts")]);
  isBuilt = true;
  return join(ROOT, "dist", "rethread.cjs");
}
let isBuilt = false;

/** One home and nothing else. */
export function homeVars(store: string, home: Home): NodeJS.ProcessEnv {
  const none = join(home.root, "nothing");
  return {
    RETHREAD_HOME: store,
    COPILOT_HOME: home.root,
    CLAUDE_CONFIG_DIR: none,
    HOME: none,
    XDG_CONFIG_HOME: none,
  };
}

export function measureStartUp(table: Table, folder: string, home: Home): void {
  const env = homeVars(storeOf(folder), home);
  const search = (...more: string[]): number =>
    timeCommand(process.execPath, [builtCommand(), "search", "qzneedlerare", ...more], env);
  search(); // the first run fills the compile cache
  const times = interleaved(15, {
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
