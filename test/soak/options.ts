/** What a soak run is told: how much, how many, and how bad the network is. */
import { parseArgs } from "node:util";

export interface SoakOptions {
  readonly sessions: number;
  /** Of a session, on average. */
  readonly turns: number;
  readonly clients: number;
  /** Processes that answer requests, and processes that make rows. */
  readonly servers: number;
  readonly workers: number;
  /** The share of the sessions that is pushed while things are killed and cut. */
  readonly faulty: number;
  /** Questions of each kind. */
  readonly questions: number;
  /** Accounts whose rows are compared with those of a clean hub. */
  readonly compared: number;
  /** Where the report is written; nowhere without it. */
  readonly report?: string;
  /** Leave the loaded database where it is, for further questions. */
  readonly keep: boolean;
  /** The folder of a database that was kept: only ask it, and change nothing. */
  readonly ask?: string;
}

const FULL = { sessions: 100_000, questions: 200, compared: 2, faulty: 0.05 };
const SMALL = { sessions: 3000, questions: 40, compared: 2, faulty: 0.25 };

export const USAGE = `npm run soak -- [--full] [--sessions N] [--turns N] [--clients N] [--servers N] [--workers N]
                 [--faulty SHARE] [--questions N] [--compared N] [--report FILE] [--keep | --ask FOLDER]
Loads a hub on a real PostgreSQL server on this machine, breaks what can break, and compares what is there afterwards.
--full stores ${FULL.sessions.toLocaleString("en")} sessions and writes docs/hub-load.md; without it ${SMALL.sessions.toLocaleString("en")} in a few minutes.
--keep leaves the loaded database, and --ask asks one that was left again.`;

export function readOptions(args: readonly string[]): SoakOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      full: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
      report: { type: "string" },
      keep: { type: "boolean", default: false },
      ask: { type: "string" },
      ...Object.fromEntries(NUMBERS.map((name) => [name, { type: "string" as const }])),
    },
  });
  if (values.help) return undefined;
  const usual = { turns: 10, clients: 200, servers: 1, workers: 2, ...(values.full ? FULL : SMALL) };
  const given = Object.entries(values).flatMap(([name, value]) => {
    const known = NUMBERS.find((each) => each === name);
    if (known === undefined || typeof value !== "string") return [];
    const number = Number(value);
    if (!(number >= 0)) throw new Error(`--${name} needs a number`);
    return [[known, number] as const];
  });
  const report = values.report ?? (values.full ? "docs/hub-load.md" : undefined);
  return {
    ...{ ...usual, ...Object.fromEntries(given), keep: values.keep },
    ...(report !== undefined && { report }),
    ...(values.ask !== undefined && { ask: values.ask }),
  };
}

const NUMBERS = [
  ...(["sessions", "turns", "clients", "servers", "workers", "faulty", "questions", "compared"] as const),
];
