/** The authorizer of queries: allows reading, and nothing else. */

import { memberOf } from "../../model/values/member.ts";
import { authorizer } from "../../platform/sqlite/untouched.ts";

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

/** What the copy without secrets has of the texts as they were: hashes of them, and how long they are. They read as NULL. */
const OF_THE_ORIGINAL: Readonly<Record<string, ReadonlySet<string>>> = {
  turns: new Set(["digest", "work", "byte_start", "byte_end", "text_bytes"]),
  fingerprints: new Set(["guard"]),
  copied_sessions: new Set(["mark"]),
};

/** FTS5 keeps words there that were removed since, until it tidies up. */
const INSIDE_THE_INDEX = /^search_index_/i;

/** `isCopy` for the copy of the store without secrets. */
export function createGuard(isCopy = false): Guard {
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
      const isHidden = isCopy && memberOf(OF_THE_ORIGINAL, first ?? "")?.has(second ?? "") === true;
      if (isHidden && action === authorizer.SQLITE_READ) return authorizer.SQLITE_IGNORE;
      const isInside = isCopy && action === authorizer.SQLITE_READ && INSIDE_THE_INDEX.test(first ?? "");
      const no =
        isInside && guard.phase === "compiling"
          ? `the table ${first}`
          : refusal([action, first, second], guard.phase);
      if (action === authorizer.SQLITE_SELECT) selects = true;
      refused ??= no;
      return no === undefined ? authorizer.SQLITE_OK : authorizer.SQLITE_DENY;
    },
  };
  return guard;
}

const FUNCTIONS = `
  abs char coalesce concat concat_ws format glob hex if ifnull iif instr length like likelihood likely lower ltrim
  max min nullif octet_length printf quote random randomblob replace round rtrim sign soundex sqlite_version substr
  substring trim typeof unhex unicode unistr unistr_quote unlikely upper zeroblob

  acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log log10 log2 mod pi pow power
  radians sin sinh sqrt tan tanh trunc

  avg count group_concat median percentile percentile_cont percentile_disc string_agg sum total
  cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number

  current_date current_time current_timestamp date datetime julianday strftime time timediff unixepoch

  -> ->> json json_array json_array_insert json_array_length json_error_position json_extract json_group_array
  json_group_object json_insert json_object json_patch json_pretty json_quote json_remove json_replace json_set
  json_type json_valid jsonb jsonb_array jsonb_array_insert jsonb_extract jsonb_group_array jsonb_group_object
  jsonb_insert jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set

  match bm25 highlight snippet
`;

const ALLOWED_FUNCTIONS: ReadonlySet<string> = new Set(FUNCTIONS.trim().split(/\s+/));
