/** How long reports on ten thousand sessions take, and how often tips are right on labelled cases. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { findLessons, readLessonRows } from "../../src/chronicle/improve/lessons.ts";
import { makeStandup, readStandup } from "../../src/chronicle/standup/standup.ts";
import { readHabits } from "../../src/chronicle/tips/habits.ts";
import { findTips } from "../../src/chronicle/tips/tips.ts";
import { createRedactor } from "../../src/model/redact/redact.ts";
import { storePath } from "../../src/store/open.ts";
import { casesOf } from "../../test/tips/corpus.ts";
import { judge, scoreOf } from "../../test/tips/judge.ts";
import { fillReportStore } from "../corpus/chronicle-store.ts";
import type { Texts } from "../corpus/text.ts";
import { interleaved, type Table } from "../table.ts";

const SESSIONS = 10_000;
const NOW = new Date("2026-11-15T12:00:00.000Z");
const DAY_MS = 86_400_000;
const LIMIT_MS = 1000;
/** The days that each report is about unless it is told otherwise, and all that there is. */
const SPANS = { standup: 1, tips: 90, improve: 90 } as const;
const ALL_DAYS = 400;

export function measureChronicle(table: Table, folder: string, texts: Texts): void {
  const home = join(folder, "reports");
  const { turns, calls } = fillReportStore(home, texts, SESSIONS, NOW);
  const db = new DatabaseSync(storePath(home));
  const scopeOf = (days: number) => ({
    filter: {},
    since: new Date(NOW.getTime() - days * DAY_MS).toISOString(),
    until: NOW.toISOString(),
  });
  const { text: redact } = createRedactor();
  const reports: Readonly<Record<keyof typeof SPANS, (days: number) => number>> = {
    standup(days) {
      const rows = readStandup(db, scopeOf(days));
      return makeStandup(rows, { since: NOW, until: NOW, now: NOW, redact, commits: new Map() }).sessionCount;
    },
    tips(days) {
      const habits = readHabits(db, scopeOf(days), NOW);
      return findTips({ ...habits, instructions: new Map() }, redact).length;
    },
    improve: (days) => findLessons(readLessonRows(db, scopeOf(days)), redact).length,
  };
  const time = (report: keyof typeof SPANS, days: number) => (): number => {
    const before = process.cpuUsage();
    if (reports[report](days) === 0) throw new Error(`${report} of ${days} days found nothing`);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const names = Object.keys(SPANS) as (keyof typeof SPANS)[];
  const usual = interleaved(
    5,
    Object.fromEntries(names.map((name) => [name, time(name, SPANS[name])])) as Record<string, () => number>,
  );
  const whole = interleaved(
    3,
    Object.fromEntries(names.map((name) => [name, time(name, ALL_DAYS)])) as Record<string, () => number>,
  );
  db.close();
  const over = `${SESSIONS} sessions, ${turns} turns, ${calls} tool calls`;
  for (const name of names) {
    const days = SPANS[name];
    table.number(
      `chronicle ${name}, its usual ${days === 1 ? "day" : `${days} days`} of ${over}`,
      usual[name] ?? 0,
      "most",
      LIMIT_MS,
      " ms of CPU",
    );
    table.number(`chronicle ${name}, all of them`, whole[name] ?? 0, "most", LIMIT_MS, " ms of CPU");
  }
  for (const half of ["open", "held back"] as const) {
    const { cases, precision, recall } = scoreOf(casesOf(half).map(judge));
    table.number(`chronicle tips, ${cases} labelled cases, ${half}: precision`, precision, "least", 0.9);
    table.number(`chronicle tips, ${cases} labelled cases, ${half}: recall`, recall, "least", 0.8);
  }
}
