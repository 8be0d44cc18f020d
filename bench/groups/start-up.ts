/** What a person waits for: the whole command, from a cold process to the answer, against Node doing nothing. */
import { rmSync } from "node:fs";
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
  const run = (...words: string[]): number =>
    timeCommand(process.execPath, [builtCommand(), ...words, "--no-refresh"], env);
  const search = (...more: string[]): number =>
    timeCommand(process.execPath, [builtCommand(), "search", "qzneedlerare", ...more], env);
  search(); // the first run fills the compile cache
  timeCommand(process.execPath, [builtCommand(), "index"], env); // as questions find it on most days
  const times = interleaved(15, {
    bare: () => timeCommand(process.execPath, ["-e", "0"], env),
    search: () => search("--no-refresh"),
    refreshed: () => search(),
  });
  table.number(
    "rethread search --no-refresh, whole process, against node -e 0",
    times.search / times.bare,
    "most",
    1.8,
  );
  table.number(
    `rethread search with a refresh of ${home.sessions} sessions, against node -e 0`,
    times.refreshed / times.bare,
    "most",
    3.5,
  );
  const answers = interleaved(5, { stats: () => run("stats"), overview: () => run("overview") });
  const seconds = (ms: number): number => ms / 1000;
  table.number(`stats of ${home.sessions} sessions`, seconds(answers.stats), "most", 0.3, " s");
  table.number(`overview of ${home.sessions} sessions`, seconds(answers.overview), "most", 0.2, " s");
  measureFirstAnswer(table, folder, home);
}

/** What a new user waits for: nothing is indexed yet. */
function measureFirstAnswer(table: Table, folder: string, home: Home): void {
  const store = join(folder, "first-store");
  const first = (...words: string[]): number => {
    rmSync(store, { recursive: true, force: true });
    return timeCommand(process.execPath, [builtCommand(), ...words], homeVars(store, home));
  };
  const times = interleaved(3, { search: () => first("search", "qzneedlerare"), list: () => first("list") });
  rmSync(store, { recursive: true, force: true });
  for (const [word, ms] of Object.entries(times))
    table.number(
      `first ${word} on a home of ${(home.bytes / 1e9).toFixed(1)} GB that is not indexed`,
      ms / 1000,
      "most",
      3,
      " s",
    );
}
