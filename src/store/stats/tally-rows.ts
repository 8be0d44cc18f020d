/** Keeps the tally of each session: counted while its rows are written, or from the rows. */
import type { Database, Statement } from "../../platform/sqlite/sqlite.ts";
import type { ToolCallRow, TurnRow, UsageRow } from "../rows.ts";
import {
  type CallCount,
  type Counts,
  type Moment,
  NO_TURN,
  type TouchedFile,
  toMoment,
  type UsageCount,
  writeTally,
} from "./tally.ts";

/** Counts rows as they come. */
export interface Counting {
  turn(row: TurnRow): void;
  toolCall(row: ToolCallRow): void;
  usage(row: UsageRow): void;
  /** Files are told last, since a later row may change an earlier one. */
  end(files: readonly TouchedFile[]): Counts;
}

const NOTHING = { calls: 0, input: 0, output: 0, cached: 0, written: 0 };
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export function startCounting(): Counting {
  const turns: [number, Moment | null][] = [];
  const calls = new Map<string, Mutable<CallCount>>();
  const usage = new Map<string, Mutable<UsageCount>>();
  return {
    turn({ index, startedAt }) {
      turns.push([index, startedAt === undefined ? null : toMoment(startedAt)]);
    },
    toolCall({ turn = NO_TURN, name, status }) {
      const key = `${turn} ${name}`;
      const sum = calls.get(key) ?? { turn, tool: name, calls: 0, failed: 0 };
      if (sum.calls === 0) calls.set(key, sum);
      sum.calls++;
      if (status === "failed") sum.failed++;
    },
    usage({ turn = NO_TURN, model, call, input = 0, output = 0, cached = 0, cacheWritten = 0 }) {
      const isKeyed = call !== undefined;
      const key = `${turn} ${isKeyed} ${model}`;
      const sum = usage.get(key) ?? { ...{ turn, model, isKeyed }, ...NOTHING };
      if (sum.calls === 0) usage.set(key, sum);
      sum.calls++;
      sum.input += input;
      sum.output += output;
      sum.cached += cached;
      sum.written += cacheWritten;
    },
    end: (files) => ({ turns, calls: [...calls.values()], usage: [...usage.values()], files }),
  };
}

export interface Tallies {
  put(id: string, counts: Counts): void;
  /** Of rows that were written before, or elsewhere. */
  fromRows(id: string): Counts;
  filesOf(id: string): TouchedFile[];
}

export function createTallies(db: Database): Tallies {
  const list = (sql: string): ((id: string) => unknown[][]) => {
    let statement: Statement | undefined;
    return (id) => {
      if (!statement) {
        statement = db.prepare(sql);
        statement.setReturnArrays(true);
      }
      return statement.all(id) as unknown as unknown[][];
    };
  };
  // The index by name: the planner would take another, which leads through the text of the turns.
  const turns = list(
    "SELECT turn_index, timestamp FROM turns INDEXED BY idx_turns_time WHERE session_id = ?",
  );
  const calls = list(
    `SELECT coalesce(turn_index, ${NO_TURN}), tool_name, count(*), sum(status = 'failed')
       FROM tool_calls WHERE session_id = ? GROUP BY 1, 2`,
  );
  const usage = list(
    `SELECT coalesce(turn_index, ${NO_TURN}), model, call_key IS NOT NULL, count(*), coalesce(sum(input_tokens), 0),
            coalesce(sum(output_tokens), 0), coalesce(sum(cache_read_tokens), 0), coalesce(sum(cache_write_tokens), 0)
       FROM assistant_usage_events WHERE session_id = ? GROUP BY 1, 2, 3`,
  );
  const files = list(
    `SELECT file_path, coalesce(turn_index, ${NO_TURN}), action <> 'read' FROM session_files WHERE session_id = ? ORDER BY 1`,
  );
  let insert: Statement | undefined;
  const filesOf = (id: string): TouchedFile[] =>
    (files(id) as [string, number, number][]).map(([path, turn, changed]) => ({
      path,
      turn,
      isChanged: changed === 1,
    }));
  return {
    filesOf,
    put(id, counts) {
      insert ??= db.prepare("INSERT OR REPLACE INTO session_tallies (session_id, tally) VALUES (?, ?)");
      insert.run(id, writeTally(counts));
    },
    fromRows: (id) => ({
      turns: (turns(id) as [number, string | null][]).map(([turn, at]) => [
        turn,
        at === null ? null : toMoment(at),
      ]),
      calls: (calls(id) as [number, string, number, number][]).map(([turn, tool, all, failed]) => ({
        ...{ turn, tool, calls: all, failed },
      })),
      usage: (usage(id) as [number, string, number, ...number[]][]).map(
        ([turn, model, keyed, all = 0, input = 0, output = 0, cached = 0, written = 0]) => ({
          ...{ turn, model, isKeyed: keyed === 1, calls: all },
          ...{ input, output, cached, written },
        }),
      ),
      files: filesOf(id),
    }),
  };
}
