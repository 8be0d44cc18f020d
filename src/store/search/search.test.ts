/** What people may type, and what is found: one promise a test. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ROLES, type Role } from "../../model/session/role.ts";
import { toolText } from "../../model/session/turn-text.ts";
import { MARK } from "../../model/text/marks.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import type { SessionFilter } from "../filter.ts";
import { openStore } from "../open.ts";
import { createSessionStore } from "../session-store.ts";
import { search } from "./search.ts";

const now = new Date("2026-11-15T12:00:00Z");
let folder: string;
let db: Database;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-search-"));
  db = openStore({ folder, now: () => now, notice: () => undefined });
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Told {
  readonly title?: string;
  readonly updatedAt?: string;
  readonly files?: readonly string[];
}

/** A session of these turns: what was asked, answered, and said or printed besides. */
function tell(id: string, turns: readonly (readonly [string, string?, string?])[], told: Told = {}): void {
  const store = createSessionStore(db);
  store.begin();
  const rows = store.replace(id);
  for (const [index, [user, response, more]] of turns.entries())
    rows.turn({ index, user, more: more ?? "", ...(response !== undefined && { response }) });
  for (const path of told.files ?? [])
    rows.file({ path, tool: "edit", action: "edited", evidence: "tool", turn: 0 });
  const { title = id, updatedAt = "2026-11-14T00:00:00Z" } = told;
  const session = { source: "copilot-cli", id, title, turns: turns.length, problems: 0, models: [] };
  const place = { path: `/home/${id}`, bytes: 10, updatedAt };
  store.finish(id, {
    session: { ...session, ...place },
    problems: [],
    mark: { fingerprint: { size: 10, mtimeMs: 1, ino: 1 } },
  });
  store.commit();
}

const ask = (text: string, limit = 20, filter: SessionFilter = {}) =>
  search(db, { text, filter, limit, now });
/** Sessions in the order they are shown. */
const found = (text: string): string[] => [...new Set(ask(text).hits.map((hit) => hit.session.id))];

describe("what can be typed", () => {
  beforeEach(() => {
    tell("limiter", [["why does the rateLimiter drop requests?", "The slidingWindow is too short"]]);
    tell("snake", [["set max_retry_count to 5", "Done"]]);
    tell("error", [
      ["it says TypeError: Cannot read properties of undefined (reading 'id')", "A guard helps"],
    ]);
    tell("files", [["tidy up", "Done"]], { files: ["/srv/shop/src/auth/login-form.tsx"] });
    tell("accents", [["Größe und Café prüfen", "Erledigt"]]);
    tell("cjk", [["全文検索機能を追加してください", "UTF8で保存しました"]]);
  });

  it.each<[what: string, text: string, sessions: string[]]>([
    ["words, all of them", "ratelimiter drop", ["limiter"]],
    ["words in any order", "requests drop", ["limiter"]],
    ["words in any case", "RATELIMITER", ["limiter"]],
    ["a phrase", '"drop requests"', ["limiter"]],
    ["no phrase of other words", '"requests drop"', []],
    ["a beginning", "sliding*", ["limiter"]],
    ["a beginning without a star", "slidi", ["limiter"]],
    ["a very short beginning", "sl*", ["limiter"]],
    ["a very short beginning beside other words", "dr* requests", ["limiter"]],
    ["a very short beginning without a word", "dr* -sliding", []],
    ["AND", "drop AND requests", ["limiter"]],
    ["OR", "drop OR retry", ["limiter", "snake"]],
    ["NOT", "drop NOT slidingWindow", []],
    ["a minus", "done -retry", ["files"]],
    ["a part of a camelCase name", "limiter", ["limiter"]],
    ["the beginning of a camelCase name", "rateLim", ["limiter"]],
    ["the beginning of a later part", "slidingWin", ["limiter"]],
    ["a camelCase name for a snake_case one", "maxRetryCount", ["snake"]],
    ["a part of a snake_case name", "retry", ["snake"]],
    ["the beginning of a snake_case name", "max_retry_co", ["snake"]],
    ["a path", "src/auth/login-form.tsx", ["files"]],
    ["a part of a path", "auth/login", ["files"]],
    ["the name of an edited file", "login-form.tsx", ["files"]],
    ["the beginning of a file's name", "login-fo", ["files"]],
    [
      "an error message with its punctuation",
      "Cannot read properties of undefined (reading 'id')",
      ["error"],
    ],
    ["the beginning of an error message", "TypeError:", ["error"]],
    ["accents left out", "cafe", ["accents"]],
    ["accents typed", "größe", ["accents"]],
    ["a word inside CJK text", "検索", ["cjk"]],
    ["two words of CJK text", "検索 追加", ["cjk"]],
    ["one CJK character", "検", ["cjk"]],
    ["a Latin word glued to CJK text", "utf8", ["cjk"]],
    ["another form of the word", "dropping request", ["limiter"]],
    ["a question in full", "why did the rateLimiter drop my requests", ["limiter"]],
  ])("finds %s: %s", (_, text, sessions) => {
    expect({ found: found(text).sort(), partial: ask(text).partial }).toEqual({
      found: sessions,
      partial: false,
    });
  });

  it.each([
    ["swapped", "slidingwidnow"],
    ["missing", "slidingwindw"],
    ["too many", "slidingwwindow"],
    ["wrong", "slidingwimdow"],
    ["wrong at the start", "alidingwindow"],
    ["wrong twice", "slidimgwimdow"],
  ])("forgives letters that are %s: %s", (_, typed) => {
    expect({ found: found(typed), respelt: ask(typed).respelt }).toEqual({
      found: ["limiter"],
      respelt: [{ typed, used: "slidingwindow" }],
    });
  });

  it("says which words it did not require", () => {
    expect(ask("how did the rateLimiter drop").optional).toEqual(["how", "did", "the"]);
    expect(ask('"the" rateLimiter').optional).toEqual([]);
  });

  it("does not respell what is quoted, short, or found as it is", () => {
    expect(['"slidingwidnow"', "drp", "drop"].map((text) => ask(text).respelt)).toEqual([[], [], []]);
  });

  it("finds nothing, and says so, for signs, words without and words of nobody", () => {
    for (const text of ["???", "", "-drop", "xylophone"])
      expect(ask(text)).toEqual({
        hits: [],
        isMore: false,
        partial: false,
        respelt: [],
        missing: [],
        optional: [],
      });
  });
});

describe("who said it", () => {
  const by = (role: Role, text: string): string[] =>
    search(db, { text, filter: {}, role, limit: 20, now }).hits.map((hit) => hit.session.id);

  beforeEach(() => {
    tell("user", [["the needleCase is lost", "I see"]]);
    tell("assistant", [["where?", "Here is the needleCase"]]);
    tell("on-the-variant", [["where?", "Found", `needleCase first\n${toolText("ls")}`]]);
    tell("tool", [["where?", "Found", `Let me look\n${toolText("rg needleCase src")}`]]);
    tell("title", [["hello", "hello"]], { title: "needleCase" });
  });

  it.each<[Role, string[]]>([
    ["user", ["user"]],
    ["assistant", ["assistant", "on-the-variant"]],
    ["tool", ["tool"]],
  ])("finds only what the %s said", (role, sessions) => {
    expect(by(role, "needleCase").sort()).toEqual(sessions);
    expect(by(role, "case needle").sort()).toEqual(sessions);
  });

  it("needs all the words from the same mouth, and says when only some are", () => {
    expect(search(db, { text: "lost see", filter: {}, role: "user", limit: 20, now })).toMatchObject({
      partial: true,
      hits: [{ session: { id: "user" }, snippet: expect.stringContaining("lost") }],
    });
  });

  it("finds a user's word among many answers that have it, too", () => {
    tell(
      "long",
      Array.from({ length: 300 }, (_, i) => [i === 7 ? "thread" : "go on", "thread"] as const),
    );
    expect(search(db, { text: "thread", filter: {}, role: "user", limit: 20, now }).hits).toMatchObject([
      { turn: 7 },
    ]);
  });
});

describe("when no turn has all the words", () => {
  it("shows the session that has them in several turns before one that has fewer", () => {
    tell("apart", [
      ["the login fails on safari", "Cookies"],
      ["write a test", "The csrf token is covered"],
    ]);
    tell("some", [["login fails on safari", "It does"]]);
    const answer = ask("login safari csrf");
    expect(answer.partial).toBe(true);
    expect(answer.hits.map((hit) => hit.session.id)[0]).toBe("apart");
  });

  it("names the words that stand nowhere", () => {
    tell("some", [["login fails on safari", "It does"]]);
    expect(ask("login xylophone safary")).toMatchObject({
      partial: true,
      respelt: [{ typed: "safary", used: "safari" }],
      missing: ["xylophone"],
    });
  });

  it("counts a rare word for more than a common one", () => {
    for (let i = 0; i < 20; i++) tell(`common${i}`, [["deploy the site", "done"]]);
    tell("rare", [["kubernetes", "done"]]);
    expect(found("deploy kubernetes failing")[0]).toBe("rare");
  });

  it("leaves out what was not to be there", () => {
    tell("old", [["legacy login", "done"]]);
    tell("new", [["new login", "done"]]);
    expect(found("login zebra -legacy")).toEqual(["new"]);
  });

  it("takes a name apart that stands nowhere as a whole", () => {
    tell("near", [["the login of the auth module", "done"]]);
    expect(ask("auth/login.ts")).toMatchObject({ partial: true, hits: [{ session: { id: "near" } }] });
  });
});

it("finds an old turn that says just what was typed, among thousands that have the words", () => {
  tell("old", [["the request was not found here", "ok"]], { updatedAt: "2025-01-01T00:00:00Z" });
  for (let i = 0; i < 12; i++)
    tell(
      `s${i}`,
      Array.from({ length: 100 }, () => ["found a request that was late", "not now"] as const),
    );
  expect(found("not found")[0]).toBe("old");
});

it("finds what a user said long ago, however often the agent has said it since", () => {
  tell("asked", [["why the widget?", "ok"]]);
  for (let i = 0; i < 15; i++)
    tell(
      `s${i}`,
      Array.from({ length: 100 }, () => ["go on", "the widget"] as const),
    );
  const { hits } = search(db, { text: "widget", filter: {}, role: "user", limit: 20, now });
  expect(hits.map((hit) => hit.session.id)).toEqual(["asked"]);
});

it("shows no old turn with an unwanted word, even when no turn has all the others", () => {
  tell("unwanted", [["kubernetes and a legacy word", "ok"]]);
  for (let i = 0; i < 25; i++)
    tell(
      `s${i}`,
      Array.from({ length: 100 }, () => ["legacy", "ok"] as const),
    );
  expect(ask("kubernetes zebra -legacy").hits).toEqual([]);
});

describe("the order", () => {
  it("puts words side by side before words far apart", () => {
    const filler = "and then some other things happened that day ".repeat(8);
    tell("far", [[`cache ${filler} key`, "ok"]]);
    tell("near", [[`${filler} cache key ${filler}`, "ok"]]);
    expect(found("cache key")).toEqual(["near", "far"]);
  });

  it("puts a title before a question, a question before an answer, an answer before tools", () => {
    tell("tool", [["a", "b", "flaky"]]);
    tell("answer", [["a", "flaky"]]);
    tell("question", [["flaky", "b"]]);
    tell("title", [["a", "b"]], { title: "flaky" });
    expect(found("flaky")).toEqual(["title", "question", "answer", "tool"]);
  });

  it("puts the newer of two equals first", () => {
    tell("new", [["review the cart", "ok"]], { updatedAt: "2026-11-10T00:00:00Z" });
    tell("old", [["review the cart", "ok"]], { updatedAt: "2026-02-10T00:00:00Z" });
    expect(found("review cart")).toEqual(["new", "old"]);
  });

  it("puts what was typed before its other forms", () => {
    tell("form", [["migrations migrations", "ok"]]);
    tell("exact", [["one migration among many other words of a longer sentence", "ok"]]);
    expect(found("migration")).toEqual(["exact", "form"]);
  });

  it("lets no session flood the list, and fills it up when there is room", () => {
    tell(
      "flood",
      Array.from({ length: 10 }, () => ["needle needle needle", "needle"] as const),
    );
    tell("other", [["a needle in a longer sentence about something else", "ok"]]);
    expect(ask("needle", 5).hits.map((hit) => hit.session.id)).toContain("other");
    expect(ask("needle", 20).hits).toHaveLength(11);
  });
});

it.each([
  ["one", "2026-10-31", 1],
  ["half", "2026-10-16", 16],
  ["all", "2026-10-01", 31],
])("narrows to %s of the sessions, whatever is asked", (_, since, count) => {
  for (let i = 1; i <= 31; i++)
    tell(`s${i}`, [["needle", "haystack"]], { updatedAt: `2026-10-${String(i).padStart(2, "0")}T00:00:00Z` });
  const sessions = (text: string) =>
    new Set(ask(text, 100, { since }).hits.map((hit) => hit.session.id)).size;
  expect(["needle", "needl", "ne*", "nedle", "needle zebra"].map(sessions)).toEqual(
    Array.from({ length: 5 }, () => count),
  );
});

it("gives as many hits as were asked for, however many", () => {
  for (let i = 0; i < 300; i++) tell(`s${i}`, [[`needle ${i}`, "ok"]]);
  expect(new Set(ask("needle", 300).hits.map((hit) => hit.session.id)).size).toBe(300);
});

it("finds a word that stands everywhere in the newest turns, and in old titles", () => {
  tell("titled", [["something else", "ok"]], { title: "common" });
  for (let i = 0; i < 12; i++)
    tell(
      `s${i}`,
      Array.from({ length: 100 }, () => ["common words", "ok"] as const),
    );
  const hits = found("common");
  expect([hits.includes("titled"), hits.includes("s11")]).toEqual([true, true]);
});

it("shows the turn, the words around the match and the command to go on", () => {
  tell("one", [
    ["nothing", "here"],
    ["where is the needle?", "in the haystack"],
  ]);
  const [hit] = ask("needle").hits;
  expect({ turn: hit?.turn, where: hit?.where, snippet: hit?.snippet }).toEqual({
    turn: 1,
    where: "turn",
    snippet: `where is the ${MARK.open}needle${MARK.close}?`,
  });
});

it("answers whatever is typed", () => {
  tell("one", [["the rateLimiter drops 検索 requests", "Größe", toolText("ls -l src/auth")]], {
    files: ["src/auth/login.ts"],
  });
  const piece = fc.oneof(
    fc.constantFrom(
      "AND",
      "OR",
      "NOT",
      "-",
      '"',
      "*",
      "(",
      ")",
      ":",
      "^",
      "{",
      "}",
      "+",
      "'",
      "\u0000",
      "\u0301",
      "\ue000",
    ),
    fc.constantFrom(
      "rateLimiter",
      "drops",
      "検索",
      "größe",
      "src/auth",
      "content:",
      "NEAR(a",
      "the",
      "dr*",
      "a*",
    ),
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), fc.constantFrom(undefined, ...ROLES), (pieces, role) => {
      const text = pieces.join(" ");
      const { hits } = search(db, { text, filter: {}, limit: 5, now, ...(role && { role }) });
      expect(hits.length).toBeLessThanOrEqual(5);
    }),
    { numRuns: 300 },
  );
});
