/** How fast the store answers, against ripgrep over the raw logs, and whether what was planted is found. */
import { DatabaseSync } from "node:sqlite";
import { storePath } from "../../src/store/open.ts";
import { type SearchAnswer, search } from "../../src/store/search/search.ts";
import type { Home } from "../corpus/homes.ts";
import { createRandom, type Texts } from "../corpus/text.ts";
import { isInstalled, median, quantile, type Table, timeCommand } from "../table.ts";
import { storeOf } from "./index.ts";

const ASKED = 25;
const SHOWN = 20;
/** Times as fast as ripgrep. Kinds that are not here only count for the slowest of all. */
const GOALS = { rare: 300, medium: 300, all: 300, phrase: 300, identifier: 300, common: 30, misspelt: 20 };

export function measureSearch(table: Table, folder: string, home: Home, texts: Texts): void {
  const db = new DatabaseSync(storePath(storeOf(folder)), { readOnly: true });
  const now = new Date("2026-11-01T00:00:00Z");
  const ask = (text: string, limit = SHOWN) => search(db, { text, filter: {}, limit, now });
  for (const [needle, sessions] of Object.entries(home.needles))
    table.equal(`${needle}: sessions found`, countSessions(ask(needle, 2 * home.sessions)), sessions);

  const kinds = createQuestions(texts);
  const times = new Map<string, number[]>();
  const rgTimes: number[] = [];
  const hasRg = isInstalled("rg");
  for (let round = 0; round < ASKED; round++) {
    // Between the questions, so that a busy neighbour slows both.
    if (hasRg && round % 8 === 0) rgTimes.push(timeCommand("rg", ["-l", "-F", "qzneedlerare", home.root]));
    for (const [kind, list] of Object.entries(kinds)) {
      const took = Math.min(...[1, 2].map(() => time(() => ask(list[round]?.typed ?? ""))));
      times.set(kind, [...(times.get(kind) ?? []), took]);
    }
  }
  const repaired = kinds.misspelt.filter(({ typed, meant }) => ask(typed).respelt[0]?.used === meant);
  db.close();

  const p50 = (kind: string): number => median(times.get(kind) ?? []);
  const [slowest, slowestKind] = [...times]
    .map(([kind, list]) => [Math.max(...list), kind] as const)
    .reduce((most, each) => (each[0] > most[0] ? each : most));
  const p99 = quantile([...times.values()].flat(), 0.99);
  table.number("misspelt words repaired as meant", repaired.length / ASKED, "least", 0.95);
  table.number(
    `slowest of ${ASKED * times.size} questions, asked twice (${slowestKind})`,
    slowest,
    "most",
    100,
    " ms",
  );
  if (!hasRg) {
    table.skipped("search against ripgrep", "rg is not on the PATH", "≤ 1/300, 1/30, 1/20, 1/8");
    return;
  }
  const rg = median(rgTimes);
  for (const [kind, goal] of Object.entries(GOALS))
    table.number(`search, ${kind}: times faster than ripgrep (median)`, rg / p50(kind), "least", goal);
  table.number("search, 99th percentile of all kinds: times faster than ripgrep", rg / p99, "least", 8);
}

function time(work: () => void): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

const countSessions = ({ hits }: SearchAnswer): number => new Set(hits.map((hit) => hit.session.id)).size;

interface Question {
  readonly typed: string;
  /** What a misspelt word stands for. */
  readonly meant?: string;
}

type Kind = keyof typeof GOALS | "absent" | "prefix" | "two letters";

function createQuestions({ words, prose }: Texts): Record<Kind, Question[]> {
  const random = createRandom(42);
  const long = words.filter((word) => word.length >= 8);
  const between = (list: readonly string[], from: number, to: number): string =>
    list[Math.floor(from + random() * (to - from))] ?? "";
  /** Something that stands in the text, wherever one looks. */
  const said = (pattern: RegExp): string => prose(random, 4000).match(pattern)?.[0] ?? "";
  const many = (make: () => string): Question[] => Array.from({ length: ASKED }, () => ({ typed: make() }));
  return {
    rare: many(() => between(words, 20_000, 40_000)),
    medium: many(() => between(words, 300, 2000)),
    common: many(() => between(words, 0, 10)),
    all: many(() => [1, 2, 3].map(() => between(words, 100, 1500)).join(" ")),
    phrase: many(() => `"${said(/\b[a-z]+ [a-z]+ [a-z]+\b/)}"`),
    identifier: many(() => said(random() < 0.5 ? /\b[a-z]+[A-Z][a-z]+\b/ : /\b[a-z]+\/[a-z]+_[a-z]+\.ts\b/)),
    absent: many(() => `${between(words, 0, 200)}_${between(words, 0, 200)}.ts`),
    prefix: many(() => between(long, 0, 2000).slice(0, 3)),
    "two letters": many(() => `${between(long, 0, 2000).slice(0, 2)}*`),
    misspelt: Array.from({ length: ASKED }, () => {
      const meant = between(long, 0, 1000);
      return { meant, typed: misspell(meant, random) };
    }),
  };
}

/** Two letters swapped, one missing, one doubled, one wrong. */
function misspell(word: string, random: () => number): string {
  for (;;) {
    const at = 2 + Math.floor(random() * (word.length - 4));
    const [a = "", b = ""] = [word[at], word[at + 1]];
    const forms = [b + a, a, a + a + b, `q${b}`];
    const typed = word.slice(0, at) + forms[Math.floor(random() * forms.length)] + word.slice(at + 2);
    // Two equal letters swapped are no mistake.
    if (typed !== word) return typed;
  }
}
