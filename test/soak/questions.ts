/** Asks a loaded hub over HTTP, one question after the other, and says how long the answers take. */
import { createRandom } from "../../bench/corpus/text.ts";
import { createHubClient } from "../../src/hub/sync/hub-client.ts";
import { NEEDLE_EVERY, needleOf, REPOSITORIES, repositoryOf, startOf, texts } from "./history.ts";
import type { Pusher } from "./people.ts";

export interface Asked {
  readonly kind: string;
  readonly times: readonly number[];
  /** Of those that could not be answered. */
  readonly failures: readonly string[];
  /** On average. */
  readonly hits: number;
}

export interface AskOptions {
  readonly url: string;
  readonly people: readonly Pusher[];
  readonly sessions: number;
  /** Of each kind. */
  readonly count: number;
}

/** Of a kind that takes long, fewer are asked. */
const LONGEST_MS = 30_000;

type Make = (random: () => number) => { readonly path: string; readonly body?: object };

export async function askAll({ url, people, sessions, count }: AskOptions): Promise<Asked[]> {
  const answered: Asked[] = [];
  for (const [kind, make] of Object.entries(kindsFor(sessions, people.length))) {
    const random = createRandom(kind.length * 7919);
    const times: number[] = [];
    const failures: string[] = [];
    let hits = 0;
    const until = performance.now() + LONGEST_MS;
    for (let at = 0; at < count && performance.now() < until; at++) {
      const { token = "" } = people[Math.floor(random() * people.length)] ?? {};
      const client = createHubClient({ url, token });
      const { path, body } = make(random);
      const began = performance.now();
      try {
        const answer = await client.ask(path, body);
        times.push(performance.now() - began);
        const list = answer.hits ?? answer.sessions ?? answer.rows;
        hits += Array.isArray(list) ? list.length : 0;
      } catch (error) {
        failures.push(error instanceof Error ? error.message : String(error));
        if (failures.length >= 5 && times.length === 0) break;
      }
    }
    answered.push({ kind, times, failures, hits: hits / Math.max(1, times.length) });
  }
  return answered;
}

/** Of a tenth of the sessions. */
const lastDays = (sessions: number): string => startOf(Math.floor(0.9 * sessions)).slice(0, 10);

function kindsFor(sessions: number, people: number): Record<string, Make> {
  const { words, prose } = texts();
  const between = (random: () => number, from: number, to: number): string =>
    words[Math.floor(from + random() * (to - from))] ?? "";
  const said = (random: () => number, pattern: RegExp): string =>
    prose(random, 4000).match(pattern)?.[0] ?? "";
  const search = (q: string, more: Record<string, string> = {}) => ({
    path: `/api/search?${new URLSearchParams({ q, limit: "20", ...more })}`,
  });
  const repository = (random: () => number): string => repositoryOf(Math.floor(random() ** 2 * REPOSITORIES));
  const medium = (random: () => number): string => between(random, 300, 2000);
  return {
    "search: a rare word": (random) => search(between(random, 20_000, 40_000)),
    "search: a word of one session": (random) =>
      search(needleOf(NEEDLE_EVERY * Math.floor((random() * sessions) / NEEDLE_EVERY))),
    "search: an ordinary word": (random) => search(medium(random)),
    "search: a very common word": (random) => search(between(random, 0, 10)),
    "search: three words": (random) => search([1, 2, 3].map(() => between(random, 100, 1500)).join(" ")),
    "search: a phrase": (random) => search(`"${said(random, /\b[a-z]+ [a-z]+ [a-z]+\b/)}"`),
    "search: a name in code": (random) => search(said(random, /\b[a-z]+[A-Z][a-z]+\b/)),
    "search: a path": (random) => search(said(random, /\b[a-z]+\/[a-z]+_[a-z]+\.ts\b/)),
    "search: an ordinary word in a repository": (random) =>
      search(medium(random), { repo: repository(random) }),
    "search: an ordinary word of one person": (random) =>
      search(medium(random), { person: `dev-${Math.floor(random() * people)}` }),
    "search: an ordinary word of the last days": (random) =>
      search(medium(random), { since: lastDays(sessions) }),
    "list: the newest": () => ({ path: "/api/sessions?limit=50" }),
    "list: a repository": (random) => ({
      path: `/api/sessions?${new URLSearchParams({ limit: "50", repo: repository(random) })}`,
    }),
    "list: words in titles": (random) => ({
      path: `/api/sessions?${new URLSearchParams({ limit: "50", q: medium(random) })}`,
    }),
    "sql: sessions by repository": () => ({
      path: "/api/sql",
      body: { sql: "SELECT repository, count(*) AS n FROM sessions GROUP BY 1 ORDER BY 2 DESC" },
    }),
    "sql: the latest turns of a repository": (random) => ({
      path: "/api/sql",
      body: {
        sql: `SELECT t.timestamp, t.user_message FROM turns t JOIN sessions s ON s.id = t.session_id
               WHERE s.repository = '${repository(random)}' ORDER BY t.timestamp DESC LIMIT 50`,
      },
    }),
    "statistics: by repository": () => ({ path: "/api/stats/repository" }),
    "statistics: by person": () => ({ path: "/api/stats/person" }),
  };
}
