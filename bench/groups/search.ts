/** How fast the store answers, against ripgrep over the raw logs, and whether what was planted is found. */
import { DatabaseSync } from "node:sqlite";
import { storePath } from "../../src/store/open.ts";
import { search } from "../../src/store/search.ts";
import type { Home } from "../corpus/homes.ts";
import { createRandom, type Texts } from "../corpus/text.ts";
import { isInstalled, median, quantile, type Table, timeCommand } from "../table.ts";
import { storeOf } from "./index.ts";

const ASKED = 15;

export function measureSearch(table: Table, folder: string, home: Home, texts: Texts): void {
  const db = new DatabaseSync(storePath(storeOf(folder)), { readOnly: true });
  const now = new Date("2026-11-01T00:00:00Z");
  const ask = (text: string) => search(db, { text, filter: {}, limit: 20, now });
  const saying = db.prepare(
    "SELECT count(DISTINCT session_id) AS n FROM search_index WHERE search_index MATCH ?",
  );
  for (const [needle, sessions] of Object.entries(home.needles))
    table.equal(`${needle}: sessions found`, saying.get(needle)?.n, sessions);

  const kinds = questions(texts);
  const times = new Map<string, number[]>();
  for (let round = 0; round < ASKED; round++) {
    for (const [kind, list] of Object.entries(kinds)) {
      const began = performance.now();
      ask(list[round] ?? "");
      times.set(kind, [...(times.get(kind) ?? []), performance.now() - began]);
    }
  }
  const repaired = (kinds.misspelt ?? []).filter((word) => ask(word).respelt.length > 0).length;
  db.close();

  const p50 = (kind: string): number => median(times.get(kind) ?? []);
  const slowest = Math.max(...[...times.values()].flat());
  const p99 = Math.max(...[...times.values()].map((list) => quantile(list, 0.99)));
  table.number("misspelt words repaired", repaired / ASKED, "least", 0.95);
  table.number("slowest question of all", slowest, "most", 100, " ms");
  if (!isInstalled("rg")) {
    table.skipped("search against ripgrep", "rg is not on the PATH", "≤ 1/300, 1/30, 1/20, 1/8");
    return;
  }
  const rg = median(
    Array.from({ length: 3 }, () => timeCommand("rg", ["-l", "-F", "qzneedlerare", home.root])),
  );
  const limits = { rare: 300, medium: 300, all: 300, phrase: 300, identifier: 300, common: 30, misspelt: 20 };
  for (const [kind, limit] of Object.entries(limits))
    table.number(`search, ${kind}: times faster than ripgrep (median)`, rg / p50(kind), "least", limit);
  table.number("search, 99th percentile of all kinds: times faster than ripgrep", rg / p99, "least", 8);
}

function questions({ words }: Texts): Record<string, string[]> {
  const random = createRandom(42);
  const long = words.filter((word) => word.length >= 8);
  const between = (list: readonly string[], from: number, to: number): string =>
    list[Math.floor(from + random() * (to - from))] ?? "";
  const many = (make: () => string): string[] => Array.from({ length: ASKED }, make);
  return {
    rare: many(() => between(words, 20_000, 40_000)),
    medium: many(() => between(words, 300, 2000)),
    common: many(() => between(words, 0, 10)),
    all: many(() => [1, 2, 3].map(() => between(words, 100, 1500)).join(" ")),
    phrase: many(() => `"${between(words, 0, 40)} ${between(words, 0, 40)} ${between(words, 0, 40)}"`),
    identifier: many(() => `${between(words, 0, 200)}_${between(words, 0, 200)}.ts`),
    prefix: many(() => between(long, 0, 2000).slice(0, 3)),
    misspelt: many(() => misspell(between(long, 0, 1000), random)),
  };
}

/** Two letters swapped, one missing, one doubled, one wrong. */
function misspell(word: string, random: () => number): string {
  const at = 2 + Math.floor(random() * (word.length - 4));
  const [a = "", b = ""] = [word[at], word[at + 1]];
  const forms = [b + a, a, a + a + b, `q${b}`];
  return word.slice(0, at) + forms[Math.floor(random() * forms.length)] + word.slice(at + 2);
}
