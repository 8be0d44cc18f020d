/** A whole home of Copilot CLI, for whoever takes it elsewhere: what of it comes along, and what is only of the moment. */
import type { HomeLayout } from "../source.ts";

/** Matched against paths below the home, with forward slashes. */
const LEFT_OUT: readonly [RegExp, string][] = [
  [/^logs$/, "logs"],
  [/^(pkg|cache|tmp|\.cache)$/, "caches"],
  [/^session-state\/\.session-operation-locks$/, "locks"],
  [/^session-state\/[^/]+\/(inuse\.\d+\.(lock|hold)|\.workspace-fork\.lock|session\.db-shm)$/, "locks"],
  [/^[^/]+\.lock$/, "locks"],
  // What they hold goes into the copy of the database itself.
  [/^session-store\.db-(wal|shm|journal)$/, "SQLite's own logs, which went into the database"],
];

export const home: HomeLayout = {
  whyLeftOut: (path) => LEFT_OUT.find(([pattern]) => pattern.test(path))?.[1],
  databases: ["session-store.db"],
  isHome: (names) =>
    names.some((name) => ["session-state", "session-store.db", "config.json"].includes(name)),
  useWith: (root) => `COPILOT_HOME=${/^[\w./~-]+$/.test(root) ? root : JSON.stringify(root)} copilot`,
};
