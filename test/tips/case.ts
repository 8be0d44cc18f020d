/** The notation of labelled cases: a few sessions of one person, and which tips are right for them. */
import type { TipKind } from "../../src/chronicle/tips/finding.ts";
import type { ToldCall, ToldSession, ToldTurn } from "../report-store.ts";

export interface TipCase {
  readonly name: string;
  /** The detector that it tests. */
  readonly about: TipKind;
  /** The tips that a careful reader of these sessions would give; any other is wrong. */
  readonly expect: readonly TipKind[];
  readonly sessions: readonly ToldSession[];
  /** By folder, whether it has instructions for agents; folders that are not named are gone. */
  readonly instructions?: Readonly<Record<string, boolean>>;
}

type Told = Omit<ToldSession, "id" | "turns">;

/** One that the tip is right for. */
export const yes =
  (about: TipKind) =>
  (name: string, sessions: readonly ToldSession[], more: Partial<TipCase> = {}): TipCase => ({
    name,
    about,
    expect: [about],
    sessions,
    ...more,
  });

/** One that looks like it, and for which it would be wrong. */
export const no =
  (about: TipKind) =>
  (name: string, sessions: readonly ToldSession[], more: Partial<TipCase> = {}): TipCase => ({
    name,
    about,
    expect: [],
    sessions,
    ...more,
  });

export const session = (id: string, turns: readonly (ToldTurn | string)[], told: Told = {}): ToldSession => ({
  id,
  ...told,
  turns: turns.map((turn) => (typeof turn === "string" ? { user: turn } : turn)),
});

export const turn = (user: string, told: Omit<ToldTurn, "user"> = {}): ToldTurn => ({ user, ...told });

/** A turn in which these commands were run; one that begins with "!" failed. */
export const runs = (user: string, ...commands: string[]): ToldTurn =>
  turn(user, { calls: commands.map(run) });

export const run = (command: string): ToldCall =>
  command.startsWith("!") ? { label: command.slice(1), status: "failed" } : { label: command };

/** So many days before the day of the report, in the morning. */
export const daysAgo = (days: number, hour = 9): string =>
  new Date(Date.UTC(2026, 10, 15 - days, hour)).toISOString();

/** Sessions that have nothing to say to any detector, a day apart. */
export const ordinary = (count: number, from: number, told: Told = {}): ToldSession[] =>
  Array.from({ length: count }, (_, at) =>
    session(
      `ordinary-${from}-${at}`,
      [
        turn(ORDINARY[at % ORDINARY.length] ?? "", {
          at: daysAgo(from + at),
          answer: "That is done, and the tests pass.",
        }),
      ],
      { branch: `work-${from}-${at}`, ...told },
    ),
  );

const ORDINARY = [
  "Add a field for the middle name to the address form",
  "The export should sort rows by date before writing them",
  "Rename the module for invoices to billing",
  "Show the shipping costs in the cart summary",
  "Give the admin page a filter by country",
  "Move the colours of the theme into variables",
  "Let the importer skip empty lines at the end of a file",
  "Write a test for the rounding of discounts",
];
