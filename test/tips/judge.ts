/** Runs the detectors on labelled cases, through a real store, and counts how often they are right. */

import type { TipKind } from "../../src/chronicle/tips/finding.ts";
import { readHabits } from "../../src/chronicle/tips/habits.ts";
import { findTips } from "../../src/chronicle/tips/tips.ts";
import { createReportStore, REPORT_NOW } from "../report-store.ts";
import type { TipCase } from "./case.ts";

const DAYS = 90;

export interface Verdict {
  readonly name: string;
  readonly found: readonly TipKind[];
  readonly wrong: readonly TipKind[];
  readonly missed: readonly TipKind[];
}

export function judge({ name, about, expect, sessions, instructions = {} }: TipCase): Verdict {
  const store = createReportStore();
  try {
    store.put(...sessions);
    const since = new Date(REPORT_NOW.getTime() - DAYS * 86_400_000).toISOString();
    const scope = { filter: {}, since, until: REPORT_NOW.toISOString() };
    const habits = readHabits(store.db, scope, REPORT_NOW);
    const tips = findTips({ ...habits, instructions: new Map(Object.entries(instructions)) }, (text) => text);
    const found = [...new Set(tips.map(({ kind }) => kind))];
    return {
      name: `${about}: ${name}`,
      found,
      wrong: found.filter((kind) => !expect.includes(kind)),
      missed: expect.filter((kind) => !found.includes(kind)),
    };
  } finally {
    store.remove();
  }
}

export interface Score {
  readonly cases: number;
  /** The share of the tips that were right, and of the right tips that were given. */
  readonly precision: number;
  readonly recall: number;
}

export function scoreOf(verdicts: readonly Verdict[]): Score {
  const sum = (of: (verdict: Verdict) => readonly TipKind[]): number =>
    verdicts.reduce((all, verdict) => all + of(verdict).length, 0);
  const [found, wrong, missed] = [
    sum(({ found }) => found),
    sum(({ wrong }) => wrong),
    sum(({ missed }) => missed),
  ];
  const right = found - wrong;
  return {
    cases: verdicts.length,
    precision: found === 0 ? 1 : right / found,
    recall: right + missed === 0 ? 1 : right / (right + missed),
  };
}
