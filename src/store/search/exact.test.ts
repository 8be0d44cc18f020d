/** A search finds just what somebody would who read every turn: compared over seeded texts, with each filter and role. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROLES, type Role } from "../../model/session/role.ts";
import { toolText } from "../../model/session/turn-text.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import type { SessionFilter } from "../filter.ts";
import { openStore } from "../open.ts";
import { createSessionStore } from "../session-store.ts";
import { search } from "./search.ts";

const now = new Date("2026-11-15T12:00:00Z");
const SESSIONS = 150;
const TURNS = 10;
/** In half of the texts, in some, in few. */
const COMMON = ["alpha", "bravo", "kilo"];
const SOME = [
  "rateLimiter",
  "slidingLimiter",
  "getMax",
  "retryNow",
  "max_retry",
  "parseHTTPHeader",
  "café",
  "cafe\u0301",
];
const FEW = [
  ...[
    "src/auth/login.ts",
    "UTF8で保存",
    "検索機能",
    "検証機能",
    "검색",
    "거삭",
    "がき",
    "かき",
    "мой",
    "мои",
    "Größe",
  ],
  ...["TypeError: x", "deepNestCount", "xray", "yankee", "ΟΔΟΣ", "rate", "limiter", "header", "http"],
];

/** What was said, by whom. */
interface Said {
  readonly session: string;
  readonly turn: number;
  readonly user: string;
  readonly answer: string;
  readonly agent: string;
  readonly tools: string;
}

const said: Said[] = [];
const heads = new Map<string, Record<keyof typeof FILTERS, boolean>>();
const FILTERS = {
  none: {},
  since: { since: "2026-06-01" },
  source: { sources: ["claude-code"] },
  workspace: { workspace: "/srv/shop" },
  few: { file: "odd-file" },
  tool: { tool: "bash" },
  model: { model: "opus" },
  ref: { ref: { type: "pr", value: "42" } },
} as const satisfies Record<string, SessionFilter>;

let seed = 7;
const random = (): number => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
/** Nothing that is asked for stands at the edge of a text, where it could go on in the next. */
const write = (): string => {
  const words = [
    ...COMMON.filter(() => random() < 0.3),
    ...SOME.filter(() => random() < 0.05),
    ...FEW.filter(() => random() < 0.006),
  ];
  return `so, ${words.sort(() => random() - 0.5).join(pick([" ", ", ", " — "]))} then.`;
};

let folder: string;
let db: Database;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-exact-"));
  db = openStore({ folder, now: () => now, notice: () => undefined });
  const store = createSessionStore(db);
  store.begin();
  for (let number = 0; number < SESSIONS; number++) tell(store, number);
  store.commit();
});
afterAll(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

function tell(store: ReturnType<typeof createSessionStore>, number: number): void {
  const id = `s${number}`;
  const is = {
    none: true,
    since: number >= 75,
    source: number % 3 === 0,
    workspace: number % 2 === 0,
    few: number % 50 === 0,
    tool: number % 4 === 0,
    model: number % 5 === 0,
    ref: number % 7 === 0,
  };
  heads.set(id, is);
  const rows = store.replace(id);
  for (let turn = 0; turn < TURNS; turn++) {
    const [user, answer, agent, tools] = [write(), write(), write(), write()];
    said.push({ session: id, turn, user, answer, agent, tools });
    rows.turn({ index: turn, user, response: answer, more: `${agent}\n${toolText(tools)}` });
  }
  const at = { turn: 0 };
  if (is.few) rows.file({ path: "/f/odd-file", tool: "edit", action: "edited", evidence: "tool", ...at });
  if (is.tool) rows.toolCall({ name: "bash", status: "ok", subAgent: false, ...at });
  if (is.ref) rows.ref({ type: "pr", value: "42", evidence: "tool", ...at });
  store.finish(id, {
    session: {
      ...{ source: is.source ? "claude-code" : "copilot-cli", id, title: "untitled", path: `/h/${id}` },
      ...{ turns: TURNS, problems: 0, bytes: 10, models: [is.model ? "opus-5" : "gpt-6"] },
      workspace: is.workspace ? "/srv/shop" : "/srv/other",
      updatedAt: is.since ? "2026-07-01T00:00:00Z" : "2026-05-01T00:00:00Z",
    },
    problems: [],
    mark: { fingerprint: { size: 10, mtimeMs: 1, ino: 1 } },
  });
}

// Somebody who reads: whole words and the parts of names, by rules of their own.
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/u;
const plain = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/[\u00c0-\u024f]/g, (letter) => letter.normalize("NFD").charAt(0))
    .toLowerCase()
    .replaceAll("ς", "σ");
const wordsOf = (text: string): string[] => text.normalize("NFC").match(/[\p{L}\p{N}]+/gu) ?? [];
const partsOf = (word: string): string[] =>
  word.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u).map(plain);
const holdsRow = (words: readonly string[], wanted: readonly string[]): boolean =>
  words.some((_, at) => wanted.every((word, next) => words[at + next] === word));

type Reader = (text: string) => boolean;

const isWord =
  (word: string): Reader =>
  (text) =>
    wordsOf(text).some(
      (each) =>
        plain(each) === plain(word) ||
        partsOf(each).includes(plain(word)) ||
        each.split(CJK).map(plain).includes(plain(word)),
    );
const isPhrase =
  (...words: string[]): Reader =>
  (text) =>
    holdsRow(wordsOf(text).map(plain), words);
const isName =
  (...parts: string[]): Reader =>
  (text) =>
    wordsOf(text).some((word) => plain(word) === parts.join("") || holdsRow(partsOf(word), parts)) ||
    isPhrase(...parts)(text);
const holds =
  (run: string): Reader =>
  (text) =>
    text.includes(run);
const begins =
  (start: string): Reader =>
  (text) =>
    wordsOf(text).some((word) => [plain(word), ...partsOf(word)].some((part) => part.startsWith(start)));

const TERMS: readonly (readonly [typed: string, reads: Reader])[] = [
  ...["alpha", "bravo", "kilo", "xray", "yankee", "rate", "limiter", "header", "http", "UTF8"].map(
    (word) => [word, isWord(word)] as const,
  ),
  ...["CAFE", "café", "cafe\u0301", "größe", "мой", "мои", "οδος"].map(
    (word) => [word, isWord(word)] as const,
  ),
  ...["検索", "機能", "검색", "거삭", "がき", "かき", "検索機能"].map((run) => [run, holds(run)] as const),
  ['"alpha bravo"', isPhrase("alpha", "bravo")],
  ['"kilo alpha bravo"', isPhrase("kilo", "alpha", "bravo")],
  ['"limiter sliding"', isPhrase("limiter", "sliding")],
  ["rateLimiter", isName("rate", "limiter")],
  ["sliding_limiter", isName("sliding", "limiter")],
  ["maxRetry", isName("max", "retry")],
  ["nestCount", isName("nest", "count")],
  ["max-retry", isName("max", "retry")],
  ["auth/login", isPhrase("auth", "login")],
  ["TypeError:", isWord("TypeError")],
  ["ra*", begins("ra")],
  ["x*", begins("x")],
  ["he*", begins("he")],
  ["yan*", begins("yan")],
  ["lim*", begins("lim")],
];

/** What a turn says to the index, or what one of those who took part said. */
const textOf = ({ user, answer, agent, tools }: Said, role: Role | undefined): string => {
  if (role === undefined) return [user, answer, agent, tools].join("\n");
  return role === "user" ? user : role === "tool" ? tools : `${answer}\n${agent}`;
};

const names = (turns: readonly { session: string; turn: number | undefined }[]): string[] =>
  turns.map(({ session, turn }) => `${session}:${turn}`);

function* questions(count: number) {
  for (let i = 0; i < count; i++) {
    const wanted = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(TERMS));
    const either = random() < 0.2 ? pick(TERMS) : undefined;
    const without = random() < 0.25 ? pick(TERMS.filter(([typed]) => typed !== "nestCount")) : undefined;
    const text = [
      ...wanted.map(([typed]) => typed),
      ...(either ? ["OR", either[0]] : []),
      ...(without ? [`-${without[0]}`] : []),
    ].join(" ");
    const last = wanted.length - 1;
    yield {
      text,
      reads: (own: string, whole: string) =>
        wanted.every(([, reads], at) => reads(own) || (at === last && either?.[1](own))) &&
        !without?.[1](whole),
    };
  }
}

it.each(Object.keys(FILTERS) as (keyof typeof FILTERS)[])(
  "finds every turn that has all the words, and shows no other without saying so (filter: %s)",
  (name) => {
    for (const { text, reads } of questions(10))
      for (const role of [undefined, ...ROLES]) {
        const right = names(
          said.filter(
            (turn) => heads.get(turn.session)?.[name] && reads(textOf(turn, role), textOf(turn, undefined)),
          ),
        );
        const answer = search(db, { text, filter: FILTERS[name], limit: 5000, now, ...(role && { role }) });
        const found = names(answer.hits.map(({ session, turn }) => ({ session: session.id, turn })));
        const isSaid = answer.partial || answer.respelt.length > 0;
        // With few exact hits, what has other forms of the words, or begins with them, follows.
        const shown = isSaid ? [] : right.length < 5 ? found.slice(0, right.length) : found;
        expect({ text, role, name, found: shown.sort() }).toEqual({ text, role, name, found: right.sort() });
      }
  },
);
