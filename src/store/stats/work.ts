/** Adds up what was done in the sessions of a question: by session and day, by tool, by model and by file. */
import { modelName } from "../../model/values/model-name.ts";
import { toolKey } from "../../model/values/tool-name.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import type { SessionFilter } from "../filter.ts";
import { type ChosenSession, readChosen } from "./chosen.ts";
import { byCodePoints } from "./code-points.ts";
import { createGroups, type Group } from "./groups.ts";
import { createLocalDays, type LocalDays } from "./local-days.ts";
import {
  CALL_SIZE,
  FILE_SIZE,
  type Moment,
  NO_TURN,
  type Tally,
  toMoment,
  toText,
  USAGE_SIZE,
} from "./tally.ts";

export interface StatsScope {
  readonly filter: Omit<SessionFilter, "since" | "until">;
  /** ISO times: what was done in between counts, however long the session went on. */
  readonly since?: string;
  readonly until?: string;
  /** Sources that count tokens of the prompt cache apart from the input. */
  readonly cacheApart: readonly string[];
}

/** What was done in a session on one day. */
export interface DayOfWork {
  /** Its place in `Work.sessions`. */
  readonly session: number;
  /** Its place in `Work.dayNames`. */
  readonly day: number;
  turns: number;
  calls: number;
  failed: number;
  modelCalls: number;
  /** All of it, cached or not. */
  input: number;
  cached: number;
  output: number;
}

export interface ToolSums {
  calls: number;
  failed: number;
}

export interface ModelSums {
  calls: number;
  input: number;
  cached: number;
  written: number;
  output: number;
}

export interface FileSums {
  readonly path: string;
  /** A session touches a file once, however often it reads it. */
  sessions: number;
  /** Sessions that created, edited or deleted it. */
  changedIn: number;
  lastAt: Moment;
}

export interface Work {
  readonly sessions: readonly Pick<ChosenSession, "source" | "place">[];
  readonly dayNames: LocalDays["names"];
  readonly days: readonly DayOfWork[];
  readonly tools: readonly Group<ToolSums>[];
  readonly models: readonly Group<ModelSums>[];
  readonly files: readonly FileSums[];
  /** A place in `files`, a session and a day, then those of the next. */
  readonly touched: readonly number[];
}

/**
 * Work is counted on the day on which its turn began, in the reader's time zone: what is done after midnight belongs to the
 * new day. What belongs to no turn counts on the session's last day. Turns that a session has from another one count
 * there, with all that was done in them; what it added to such a turn itself counts here. A session that has no other
 * turns counts with none, on its last day.
 */
export function readWork(db: Database, { filter, since = "", until = "~", cacheApart }: StatsScope): Work {
  const localDays = createLocalDays(db);
  const isWithin = createRange(since, until);
  const sessions: Pick<ChosenSession, "source" | "place">[] = [];
  const days: DayOfWork[] = [];
  const tools = createGroups<ToolSums>(toolKey, () => ({ calls: 0, failed: 0 }));
  const models = createGroups<ModelSums>(modelName, () => ({
    ...{ calls: 0, input: 0, cached: 0, written: 0, output: 0 },
  }));
  const files = createFiles();
  const { sessions: allChosen, nameOf } = readChosen(db, filter);
  for (const chosen of allChosen) {
    const session = sessions.push({ source: chosen.source, place: chosen.place }) - 1;
    const turns = dateTurns(chosen, isWithin, localDays);
    const sums = new DaySums(session, days);
    for (const day of turns.days) if (day !== OUTSIDE) sums.on(day).turns++;
    if (chosen.turns === 0) for (const day of turns.added) if (day !== OUTSIDE) sums.on(day);
    if (turns.bare !== OUTSIDE) sums.on(turns.bare);
    addCalls(chosen, turns, sums, tools.of(session));
    addUsage(chosen, turns, sums, models.of(session), cacheApart.includes(chosen.source));
    if (sums.isAny) chosen.models.forEach(models.of(session));
    files.add(chosen, turns, session);
  }
  return {
    ...{ days, files: files.all, touched: files.touched },
    sessions: sessions.map(({ source, place }) => ({ source, place: nameOf(place) })),
    dayNames: localDays.names,
    tools: tools.all(),
    models: models.all(),
  };
}

/** The days of one session; most have few, and rows of one day come after one another. */
class DaySums {
  readonly #session: number;
  readonly #all: DayOfWork[];
  readonly #own = new Map<number, DayOfWork>();
  #latest: DayOfWork | undefined;

  constructor(session: number, all: DayOfWork[]) {
    this.#session = session;
    this.#all = all;
  }

  on(day: number): DayOfWork {
    if (this.#latest?.day === day) return this.#latest;
    const found = this.#own.get(day) ?? this.#start(day);
    this.#latest = found;
    return found;
  }

  get isAny(): boolean {
    return this.#latest !== undefined;
  }

  #start(day: number): DayOfWork {
    const made = { session: this.#session, day, turns: 0, calls: 0, failed: 0, modelCalls: 0 };
    const sums: DayOfWork = { ...made, input: 0, cached: 0, output: 0 };
    this.#own.set(day, sums);
    this.#all.push(sums);
    return sums;
  }
}

function addCalls(
  { tally: [, names, calls] }: ChosenSession,
  turns: DatedTurns,
  sums: DaySums,
  toolOf: (name: string) => ToolSums,
): void {
  const tools: ToolSums[] = [];
  for (let i = 0; i < calls.length; i += CALL_SIZE) {
    const day = dayOf(turns, calls[i] as number);
    if (day === OUTSIDE) continue;
    const place = calls[i + 1] as number;
    const tool = tools[place] ?? toolOf(names[place] as string);
    tools[place] = tool;
    const sum = sums.on(day);
    const [all, failed] = [calls[i + 2] as number, calls[i + 3] as number];
    sum.calls += all;
    sum.failed += failed;
    tool.calls += all;
    tool.failed += failed;
  }
}

function addUsage(
  { tally: [, , , names, usage] }: ChosenSession,
  turns: DatedTurns,
  sums: DaySums,
  modelOf: (name: string) => ModelSums,
  isCacheApart: boolean,
): void {
  const models: ModelSums[] = [];
  for (let i = 0; i < usage.length; i += USAGE_SIZE) {
    const named = usage[i + 1] as number;
    const day = dayOf(turns, usage[i] as number, (named & 1) === 1);
    if (day === OUTSIDE) continue;
    const model = models[named >> 1] ?? modelOf(names[named >> 1] as string);
    models[named >> 1] = model;
    const sum = sums.on(day);
    const [calls, output] = [usage[i + 2] as number, usage[i + 4] as number];
    const [cached, written] = [usage[i + 5] as number, usage[i + 6] as number];
    const input = (usage[i + 3] as number) + (isCacheApart ? cached + written : 0);
    sum.modelCalls += calls;
    sum.input += input;
    sum.cached += cached;
    sum.output += output;
    model.calls += calls;
    model.input += input;
    model.cached += cached;
    model.written += written;
    model.output += output;
  }
}

function createFiles() {
  const all: FileSums[] = [];
  const touched: number[] = [];
  /** By folder, then by the rest of the path: their places in `all`. */
  const folders = new Map<string, Map<string, number>>();
  return {
    all,
    touched,
    add(
      { tally: [times, , , , , names, files], active }: ChosenSession,
      turns: DatedTurns,
      session: number,
    ): void {
      const places = names.map((name) => {
        const known = folders.get(name) ?? new Map<string, number>();
        folders.set(name, known);
        return known;
      });
      for (let i = 0; i < files.length; i += FILE_SIZE) {
        const mark = files[i + 2] as number;
        const turn = mark >> 1;
        const day = dayOf(turns, turn);
        if (day === OUTSIDE) continue;
        const at = turn === NO_TURN ? active : (times[2 * placeOf(times, turn) + 1] ?? active);
        const known = places[files[i] as number] as Map<string, number>;
        const rest = files[i + 1] as string;
        let place = known.get(rest);
        if (place === undefined) {
          const path = names[files[i] as number] + rest;
          place = all.push({ path, sessions: 0, changedIn: 0, lastAt: at }) - 1;
          known.set(rest, place);
        }
        const file = all[place] as FileSums;
        file.sessions++;
        file.changedIn += mark & 1;
        if (isLater(at, file.lastAt)) file.lastAt = at;
        touched.push(place, session, day);
      }
    },
  };
}

/** Stands for the day of what does not count. */
const OUTSIDE = -1;

interface DatedTurns {
  readonly times: Tally[0];
  /** Of its own turns and of those that it has from another session, by their order. */
  readonly days: readonly number[];
  readonly added: readonly number[];
  /** Of what belongs to no turn. */
  readonly noTurn: number;
  /** The day on which the session counts where no turn of its own says so. */
  readonly bare: number;
}

function dateTurns(
  { tally: [times], active, copies, turns: count }: ChosenSession,
  isWithin: (at: Moment) => boolean,
  localDays: LocalDays,
): DatedTurns {
  const days: number[] = [];
  const added: number[] = [];
  const dayOfTime = (at: Moment): number => (isWithin(at) ? localDays.of(at) : OUTSIDE);
  for (let i = 0; i < times.length; i += 2) {
    const day = dayOfTime(times[i + 1] ?? active);
    const isCopy = copies.size > 0 && copies.has(times[i] as number);
    days.push(isCopy ? OUTSIDE : day);
    if (copies.size > 0) added.push(isCopy ? day : OUTSIDE);
  }
  const last = dayOfTime(active);
  const noTurn = copies.has(0) ? OUTSIDE : last;
  const isAllCopied = count > 0 && copies.size === count;
  return { times, days, added, noTurn, bare: isAllCopied ? last : count === 0 ? noTurn : OUTSIDE };
}

/** Of what was done in a turn; `isOwn`: also in one that came from another session. */
function dayOf({ times, days, added, noTurn }: DatedTurns, turn: number, isOwn = false): number {
  if (turn === NO_TURN) return noTurn;
  const place = placeOf(times, turn);
  if (place === -1) return OUTSIDE;
  const day = days[place] as number;
  return day === OUTSIDE && isOwn ? (added[place] ?? OUTSIDE) : day;
}

/** Turns are nearly always numbered without gaps. */
function placeOf(times: Tally[0], turn: number): number {
  if (times[2 * turn] === turn) return turn;
  for (let i = 0; i < times.length; i += 2) if (times[i] === turn) return i >> 1;
  return -1;
}

/** Both ends belong to it. Times are compared as texts, as far as they are not all in our own form. */
function createRange(since: string, until: string): (at: Moment) => boolean {
  const [first, last] = [since === "" ? 0 : toMoment(since), until === "~" ? Infinity : toMoment(until)];
  return (at) => {
    if (typeof at === "number" && typeof first === "number" && typeof last === "number")
      return at >= first && at <= last;
    const text = toText(at);
    return byCodePoints(text, since) >= 0 && byCodePoints(text, until) <= 0;
  };
}

const isLater = (a: Moment, b: Moment): boolean =>
  typeof a === "number" && typeof b === "number" ? a > b : byCodePoints(toText(a), toText(b)) > 0;
