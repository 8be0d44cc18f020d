/** Each detector at its threshold, and one below it. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createReportStore,
  REPORT_NOW,
  type ReportStore,
  type ToldSession,
} from "../../../test/report-store.ts";
import { daysAgo, run, runs, session, turn } from "../../../test/tips/case.ts";
import { createRedactor } from "../../model/redact/redact.ts";
import { TIP_KINDS, type TipKind } from "./finding.ts";
import { readHabits } from "./habits.ts";
import { THRESHOLDS } from "./thresholds.ts";
import { findTips } from "./tips.ts";

let store: ReportStore;
beforeEach(() => {
  store = createReportStore();
});
afterEach(() => store.remove());

const WORDS = [
  "anchor",
  "buoy",
  "crane",
  "dock",
  "engine",
  "ferry",
  "gangway",
  "harbour",
  "island",
  "jetty",
  "keel",
  "lantern",
];
const word = (at: number): string => WORDS[at % WORDS.length] ?? "";

function tips(sessions: readonly ToldSession[], redact: (text: string) => string = (text) => text) {
  store.put(...sessions);
  const scope = { filter: {}, since: daysAgo(90), until: REPORT_NOW.toISOString() };
  const instructions = new Map([["/srv/bare", false]]);
  return findTips({ ...readHabits(store.db, scope, REPORT_NOW), instructions }, redact);
}

const each = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const asking = (at: number, id: string, text: string): ToldSession =>
  session(id, [turn(text, { at: daysAgo(at) })], { branch: id });
const filler = (count: number) => each(count, (at) => turn(`Look at the ${word(at)}`));

/** Sessions in which something happens so many times; from `at` on it is worth a tip. */
const EDGES: Readonly<Record<TipKind, { readonly at: number; make(count: number): ToldSession[] }>> = {
  "context-filled": {
    at: Math.ceil(THRESHOLDS.contextFilled.sum / THRESHOLDS.contextFilled.large),
    make: (count) => [
      session("s", [
        turn("Look", { calls: [{ label: "cat log", size: THRESHOLDS.contextFilled.large, times: count }] }),
      ]),
    ],
  },
  "command-keeps-failing": {
    at: THRESHOLDS.commandKeepsFailing.times,
    make: (count) => [session("s", [runs("Deploy it", ...each(count, () => "!make deploy"))])],
  },
  "wrong-command-first": {
    at: THRESHOLDS.wrongCommandFirst.sessions,
    make: (count) =>
      each(count, (at) => session(`s${at}`, [runs(`Test the ${word(at)}`, "!npm test", "pnpm test")])),
  },
  "tool-keeps-failing": {
    at: Math.ceil(THRESHOLDS.toolKeepsFailing.calls / 2),
    make: (count) =>
      each(2, (at) =>
        session(`s${at}`, [
          turn(`Read about the ${word(at)}`, { calls: [{ tool: "wiki", status: "failed", times: count }] }),
        ]),
      ),
  },
  "compaction-lost-task": {
    // Counted backwards: how close to the compaction it is said again.
    at: 1,
    make: (count) => [
      session("s", [
        "Rewrite the importer so that it streams rows",
        turn("Go", { isCompacted: true }),
        ...filler(count >= 1 ? 1 : THRESHOLDS.compactionLostTask.turns),
        "Rewrite the importer so that it streams all rows",
      ]),
    ],
  },
  "compacted-often": {
    at: THRESHOLDS.compactedOften.times,
    make: (count) => [
      session(
        "s",
        each(count, (at) => turn(`Build the ${word(at)}`, { isCompacted: true })),
      ),
    ],
  },
  "correction-again": {
    at: THRESHOLDS.correctionAgain.sessions,
    make: (count) =>
      each(count, (at) => session(`s${at}`, [`Build the ${word(at)}`, "No, use pnpm instead of npm"])),
  },
  "no-instructions": {
    at: THRESHOLDS.noInstructions.sessions,
    make: (count) =>
      each(count, (at) => session(`s${at}`, filler(4), { workspace: "/srv/bare", branch: `b${at}` })),
  },
  "question-again": {
    at: 2,
    make: (count) =>
      each(count, (at) => asking(5 + at * 3, `s${at}`, "How do I run one test of the payments module?")),
  },
  "left-open": {
    at: THRESHOLDS.leftOpen.sessions,
    make: (count) =>
      each(count, (at) =>
        session(
          `s${at}`,
          [
            turn(`Build the ${word(at)} and paint it with care`, {
              at: daysAgo(9 + at),
              answer: "Which colour should it have?",
            }),
          ],
          {
            branch: `b${at}`,
          },
        ),
      ),
  },
  "file-read-again": {
    at: THRESHOLDS.fileReadAgain.times,
    make: (count) => [
      session("s", [
        turn("Look", {
          calls: [
            { tool: "view", label: "/srv/shop/a.ts", size: THRESHOLDS.fileReadAgain.size, times: count },
          ],
          files: { "/srv/shop/a.ts": "read" },
        }),
      ]),
    ],
  },
  "file-read-everywhere": {
    at: THRESHOLDS.fileReadEverywhere.sessions,
    make: (count) =>
      each(count, (at) =>
        session(`s${at}`, [turn(`Build the ${word(at)}`, { files: { "/srv/shop/guide.md": "read" } })]),
      ),
  },
  nudged: {
    at: THRESHOLDS.nudged.times,
    make: (count) => [session("s", ["Translate the pages", ...each(count, () => "continue")])],
  },
  "pasted-output": {
    at: THRESHOLDS.pastedOutput.times,
    make: (count) => [
      session(
        "s",
        each(count, () =>
          turn(
            each(
              90,
              (at) =>
                `2026-11-10T09:00:0${at % 10}Z [worker-${at}] ERROR 500 /api/v1/items/${at}?x=${at * 7} ${"0".repeat(30)}`,
            ).join("\n"),
          ),
        ),
      ),
    ],
  },
  "vague-start": {
    at: THRESHOLDS.vagueStart.sessions,
    make: (count) =>
      each(count, (at) =>
        session(`s${at}`, [turn(`Fix ${word(at)}`, { answer: "What is wrong with it?" }), "The colour"]),
      ),
  },
  "large-model": {
    at: THRESHOLDS.largeModel.turns,
    make: (count) => [
      session(
        "s",
        each(count, (at) => turn(`What is a ${word(at)}?`, { model: "claude-opus-4.5" })),
      ),
    ],
  },
};

describe.each(TIP_KINDS)("%s", (kind) => {
  const { at, make } = EDGES[kind];
  it("is found at its threshold, with a session, a title and a suggestion", () => {
    const [tip, ...others] = tips(make(at));
    expect(others).toEqual([]);
    expect(tip).toMatchObject({ kind, title: expect.any(String), suggestion: expect.any(String) });
    expect(tip?.evidence.length).toBeGreaterThan(0);
    for (const { session: seen } of tip?.evidence ?? []) expect(seen.id).toMatch(/^s\d?$/);
  });
  it("is not found below it", () => {
    expect(tips(make(at - 1))).toEqual([]);
  });
});

it("counts only what lies in the range", () => {
  store.put(
    session("old", [turn("Deploy", { at: daysAgo(200), calls: each(6, () => run("!make deploy")) })]),
  );
  expect(tips([])).toEqual([]);
});

it("takes secrets out of titles, details and suggestions", () => {
  const key = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  const found = tips(
    [session("s", [runs(`Deploy with ${key}`, ...each(5, () => `!deploy --token ${key}`))])],
    createRedactor().text,
  );
  expect(found).toHaveLength(1);
  expect(JSON.stringify(found)).not.toContain(key);
});

it("counts a tool that fails only when it is no shell, however that is called", () => {
  for (const tool of ["bash", "Bash", "run_in_terminal", "copilot_runInTerminal"])
    store.put(
      session(tool, [
        turn("x", { calls: each(12, (at) => ({ tool, label: `step ${at}`, status: "failed" as const })) }),
      ]),
    );
  expect(tips([]).map(({ kind }) => kind)).not.toContain("tool-keeps-failing");
});
