/** What a migration of a Copilot CLI home includes, and what is temporary. */
import { shellLine } from "../../../model/text/shell-words.ts";
import type { HomeLayout } from "../../source.ts";

type Reasons = readonly (readonly [RegExp, string])[];

/** The program writes `<name>.tmp.<uuid>` and renames it, so what is left of one never took its place. */
const UNFINISHED = "files that were never finished";

/**
 * What a running program keeps in a session's folder, by paths below that folder. A folder of such a name counts as well:
 * the program goes by the name alone. Letter case is ignored, because some disks do so.
 */
const IN_SESSION: Reasons = [
  [/^(inuse\.\d+\.(lock|hold)|\.workspace-fork\.lock|session\.db-shm)(\/|$)/i, "locks"],
  [
    /^((checkpoints|rewind-file-snapshots)\/)?[^/]+\.tmp\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(\/|$)/i,
    UNFINISHED,
  ],
];

/** By paths below the home, with forward slashes. */
const IN_HOME: Reasons = [
  [/^logs(\/|$)/, "logs"],
  [/^(pkg|cache|tmp|\.cache)(\/|$)/, "caches"],
  [/^session-state\/\.session-operation-locks(\/|$)/i, "locks"],
  [/^[^/]+\.lock(\/|$)/i, "locks"],
  [/^[^/]+\.tmp\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(\/|$)/i, UNFINISHED],
  // What they hold goes into the copy of the database itself.
  [
    /^session-store\.db-(wal|shm|journal)(\/|$)/,
    "SQLite's write-ahead logs, whose content is in the copied database",
  ],
];

const find = (reasons: Reasons, path: string): string | undefined =>
  reasons.find(([pattern]) => pattern.test(path))?.[1];

export const whyNotInSession = (path: string): string | undefined => find(IN_SESSION, path);

export const home: HomeLayout = {
  whyLeftOut(path) {
    const inSession = /^session-state\/[^/]+\/(.+)$/.exec(path)?.[1];
    return (inSession === undefined ? undefined : whyNotInSession(inSession)) ?? find(IN_HOME, path);
  },
  databases: ["session-store.db"],
  isHome: (names) =>
    names.some((name) => ["session-state", "session-store.db", "config.json"].includes(name)),
  useWith: (root) => shellLine`COPILOT_HOME=${root} copilot`,
};
