/** Rows of measured things with their goals, and the ways of measuring that every group uses. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly goal: string;
  readonly met: boolean;
}

export interface Table {
  readonly rows: readonly Row[];
  /** `limit` is the most that `value` may be, or with "least" the least. */
  number(what: string, value: number, bound: "most" | "least", limit: number, unit?: string): void;
  /** Correctness: anything but what was planted is a miss. */
  equal(what: string, found: unknown, wanted: unknown): void;
  /** What could not be measured here, and why. */
  skipped(what: string, why: string, goal: string): void;
}

export function createTable(print: (line: string) => void): Table {
  const rows: Row[] = [];
  const add = (row: Row): void => {
    rows.push(row);
    print(`${row.met ? "met   " : "MISSED"}  ${row.what}: ${row.measured} (goal ${row.goal})`);
  };
  return {
    rows,
    number(what, value, bound, limit, unit = "") {
      const met = bound === "most" ? value <= limit : value >= limit;
      add({
        what,
        measured: show(value) + unit,
        goal: `${bound === "most" ? "≤" : "≥"} ${limit}${unit}`,
        met,
      });
    },
    equal(what, found, wanted) {
      add({ what, measured: String(found), goal: String(wanted), met: found === wanted });
    },
    skipped: (what, why, goal) => add({ what, measured: `not measured: ${why}`, goal, met: true }),
  };
}

const show = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toPrecision(2);

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN;

/** Runs all in turns, so that a busy neighbour slows all of them; the median of each. */
export function interleaved<K extends string>(
  rounds: number,
  measures: Readonly<Record<K, () => number>>,
): Record<K, number> {
  const names = Object.keys(measures) as K[];
  const found = new Map<K, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const name of names) found.get(name)?.push(measures[name]());
  return Object.fromEntries(names.map((name) => [name, median(found.get(name) ?? [])])) as Record<K, number>;
}

export interface Cost {
  readonly cpu: number;
  readonly seconds: number;
  readonly peakMb: number;
  readonly turns: number;
  readonly sessions: number;
  readonly storeBytes: number;
}

/** Runs a task in a process of its own, so that memory and start-up are its own, too. */
let built = "";
/** To be called once, before the first task runs. */
export const useTasks = (folder: string): void => {
  built = folder;
};

export function runTask(task: string, args: readonly string[]): Cost {
  const path = join(built, task.replace(/\.ts$/, ".mjs"));
  const child = spawnSync(process.execPath, [path, ...args], { encoding: "utf8", maxBuffer: 1 << 26 });
  if (child.status !== 0) throw new Error(`${task} failed: ${child.stderr}`);
  return JSON.parse(child.stdout) as Cost;
}

/** Milliseconds from start to end of a command, output dropped. */
export function timeCommand(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): number {
  const began = performance.now();
  const child = spawnSync(command, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...env },
  });
  if (child.error) throw child.error;
  if (child.status !== 0 && child.stderr.length > 0) throw new Error(`${command}: ${child.stderr}`);
  return performance.now() - began;
}

export const isInstalled = (command: string): boolean =>
  spawnSync(command, ["--version"], { stdio: "ignore" }).error === undefined;
