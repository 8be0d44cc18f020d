/** Decides what a query may ask SQLite for: reading, and nothing else. */
import { authorizer } from "../../platform/sqlite/untouched.ts";
import { ALLOWED_FUNCTIONS } from "./functions.ts";

/** What SQLite asks its authorizer, in the order of its arguments. */
export type Question = readonly [action: number, first: string | null, second: string | null];

/** SQLite asks about the query itself while compiling it; while it runs, virtual tables ask about what they need. */
export type Phase = "compiling" | "running";

/** What is refused, in words; nothing if the query may have it. */
export function refusal([action, first, second]: Question, phase: Phase): string | undefined {
  switch (action) {
    case authorizer.SQLITE_SELECT:
    case authorizer.SQLITE_RECURSIVE:
      return undefined;
    case authorizer.SQLITE_READ:
      // PRAGMAs in the guise of tables; refused here already, so that none rides on what FTS5 is allowed below.
      return first?.toLowerCase().startsWith("pragma_") ? `the table ${first}` : undefined;
    case authorizer.SQLITE_FUNCTION:
      return second && ALLOWED_FUNCTIONS.has(second.toLowerCase()) ? undefined : `the function ${second}()`;
    case authorizer.SQLITE_PRAGMA:
      // FTS5 reads this one number to learn whether its caches still hold; a query has no business with it.
      return phase === "running" && first === "data_version" && second === null
        ? undefined
        : `PRAGMA ${first}`;
    default:
      return NAMES.get(action) ?? `action ${action}`;
  }
}

/** For messages only: an action that is missing here is refused all the same. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [authorizer.SQLITE_INSERT, "writing"],
  [authorizer.SQLITE_UPDATE, "writing"],
  [authorizer.SQLITE_DELETE, "writing"],
  [authorizer.SQLITE_ATTACH, "ATTACH"],
  [authorizer.SQLITE_DETACH, "DETACH"],
  [authorizer.SQLITE_TRANSACTION, "transactions"],
  [authorizer.SQLITE_SAVEPOINT, "transactions"],
  [authorizer.SQLITE_REINDEX, "REINDEX"],
  [authorizer.SQLITE_ANALYZE, "ANALYZE"],
  [authorizer.SQLITE_ALTER_TABLE, "ALTER TABLE"],
]);

export interface Guard {
  phase: Phase;
  /** The first thing that was refused. */
  readonly refused: string | undefined;
  /** Whether a SELECT was asked for at all; `VACUUM` asks for nothing and must not pass for that. */
  readonly selects: boolean;
  /** For `db.setAuthorizer`. */
  readonly answer: (...question: [...Question, ...unknown[]]) => number;
}

export function createGuard(): Guard {
  let refused: string | undefined;
  let selects = false;
  const guard: Guard = {
    phase: "compiling",
    get refused() {
      return refused;
    },
    get selects() {
      return selects;
    },
    answer: (action, first, second) => {
      const no = refusal([action, first, second], guard.phase);
      if (action === authorizer.SQLITE_SELECT) selects = true;
      refused ??= no;
      return no === undefined ? authorizer.SQLITE_OK : authorizer.SQLITE_DENY;
    },
  };
  return guard;
}
