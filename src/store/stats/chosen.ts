/** Reads the sessions that a question is about, each with its tally, and what of them belongs to other sessions. */
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { addFilterFunctions, compileFilter, type SessionFilter } from "../filter.ts";
import { byCodePoints } from "./code-points.ts";
import { type Moment, NO_TURN, readTally, type Tally, toMoment, USAGE_SIZE, writeTally } from "./tally.ts";
import { createTallies } from "./tally-rows.ts";

export interface ChosenSession {
  readonly source: string;
  /** Its repository, or else its folder; the same for all spellings. */
  readonly place: string | null;
  /** When it was last active; turns without a time count then. */
  readonly active: Moment;
  readonly models: readonly string[];
  readonly turns: number;
  /** Without model calls that it has from another session. */
  readonly tally: Tally;
  /** Turns that it has from another session. */
  readonly copies: ReadonlySet<number>;
}

export interface Chosen {
  /** One after the other: all of them at once would take ten times the memory. */
  readonly sessions: Iterable<ChosenSession>;
  /** What its place is called, once all sessions were read. */
  nameOf(place: string | null): string | null;
}

export function readChosen(db: Database, filter: Omit<SessionFilter, "since" | "until">): Chosen {
  const places = createPlaces();
  return { sessions: readSessions(db, filter, places), nameOf: places.nameOf };
}

function* readSessions(
  db: Database,
  filter: Omit<SessionFilter, "since" | "until">,
  places: Places,
): Generator<ChosenSession> {
  addFilterFunctions(db);
  const { where, values } = compileFilter(filter);
  const select = db.prepare(
    `SELECT s.id, s.source, s.repository, coalesce(s.repository, s.cwd),
            -- On GitHub case does not matter in a name, so the spellings of one are one place.
            iif(s.repository LIKE '%/%' AND s.repository NOT LIKE '%/%/%', lower(s.repository),
                coalesce(s.repository, s.cwd)),
            coalesce(s.updated_at, s.created_at, ''), s.models, s.turn_count, w.tally
       FROM sessions s LEFT JOIN session_tallies w ON w.session_id = s.id ${where && `WHERE ${where}`}`,
  );
  select.setReturnArrays(true);
  const tallies = createTallies(db);
  const [copies, repeated] = [readTurnCopies(db), readCallCopies(db)];
  const models = new Map<string, readonly string[]>();
  for (const row of select.iterate(...values) as unknown as Iterable<Columns>) {
    const [id, source, repository, named, place, active, modelNames, turns, written] = row;
    places.add(place, repository, named);
    const tally = readTally(written ?? writeTally(tallies.fromRows(id)));
    const calls = repeated.get(id);
    if (calls) leaveOut(tally, calls);
    const known = models.get(modelNames) ?? (JSON.parse(modelNames) as string[]);
    models.set(modelNames, known);
    yield {
      ...{ source, place, turns, tally },
      active: toMoment(active),
      models: known,
      copies: copies.get(id) ?? NONE,
    };
  }
}

type Columns = readonly [
  id: string,
  source: string,
  repository: string | null,
  named: string | null,
  place: string | null,
  active: string,
  models: string,
  turns: number,
  tally: string | null,
];
const NONE: ReadonlySet<number> = new Set();

interface Places extends Pick<Chosen, "nameOf"> {
  add(place: string | null, repository: string | null, named: string | null): void;
}

/** Of all spellings of a place the first is its name, a folder before all repositories. */
function createPlaces(): Places {
  const chosen = new Map<string | null, readonly [repository: string | null, named: string | null]>();
  return {
    add(place, repository, named) {
      const first = chosen.get(place);
      if (!first || (first[0] !== null && (repository === null || byCodePoints(repository, first[0]) < 0)))
        chosen.set(place, [repository, named]);
    },
    nameOf: (place) => chosen.get(place)?.[1] ?? null,
  };
}

function readTurnCopies(db: Database): Map<string, Set<number>> {
  const copies = new Map<string, Set<number>>();
  const rows = db.prepare("SELECT session_id AS id, turn_index AS turn FROM turn_copies").iterate();
  for (const { id, turn } of rows) {
    const turns = copies.get(String(id)) ?? new Set();
    copies.set(String(id), turns.add(Number(turn)));
  }
  return copies;
}

interface RepeatedCalls {
  readonly id: string;
  readonly turn: number;
  readonly model: string;
  /** Calls, input, output, cached, written. */
  readonly sums: readonly number[];
}

/** Model calls that a session has from another one, whatever became of the turn around them. */
function readCallCopies(db: Database): Map<string, RepeatedCalls[]> {
  const rows = db
    .prepare(
      `SELECT k.session_id AS id, coalesce(e.turn_index, ${NO_TURN}) AS turn, e.model, count(*) AS calls,
              coalesce(sum(e.input_tokens), 0) AS input, coalesce(sum(e.output_tokens), 0) AS output,
              coalesce(sum(e.cache_read_tokens), 0) AS cached, coalesce(sum(e.cache_write_tokens), 0) AS written
         FROM call_copies k CROSS JOIN sessions s ON s.id = k.session_id
        CROSS JOIN usage_rows e INDEXED BY idx_usage_call ON e.call_key = k.call_key AND e.session = s.number
        GROUP BY 1, 2, 3`,
    )
    .all()
    .map(({ id, turn, model, calls, input, output, cached, written }) => ({
      id: String(id),
      turn: Number(turn),
      model: String(model),
      sums: [calls, input, output, cached, written].map(Number),
    }));
  return Map.groupBy(rows, ({ id }) => id);
}

/** Takes these calls out of what was counted; where none are left, nothing was done. */
function leaveOut([, , , models, usage]: Tally, repeated: readonly RepeatedCalls[]): void {
  for (const { turn, model, sums } of repeated) {
    const keyed = 2 * models.indexOf(model) + 1;
    for (let at = 0; at < usage.length; at += USAGE_SIZE) {
      if (usage[at] !== turn || usage[at + 1] !== keyed) continue;
      for (const [i, sum] of sums.entries()) usage[at + 2 + i] = (usage[at + 2 + i] ?? 0) - sum;
      if (usage[at + 2] === 0) usage.splice(at, USAGE_SIZE);
      break;
    }
  }
}
