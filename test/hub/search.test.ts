/** Search on the hub: what the local search finds, of what one may see, by the index. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deriveSession } from "../../src/hub/derive/derive.ts";
import { receivePush } from "../../src/hub/ingest/receive.ts";
import { hubSessionId } from "../../src/hub/protocol.ts";
import type { HubFilter } from "../../src/hub/query/filter.ts";
import { type HubSearchReport, searchHub } from "../../src/hub/query/search/search.ts";
import { searchPage } from "../../src/query/search.ts";
import type { Hit } from "../../src/store/search/search.ts";
import { newHub, type TestHub } from "./cluster.ts";
import { DEMO_NOW, type DemoHub, demoHub } from "./demo-hub.ts";
import { type People, type Person, peopleOf } from "./people.ts";
import { MACHINE, pushOf } from "./pushing.ts";

const QUERIES = [
  "login",
  "flaky login test",
  "rate limiter",
  "rateLimiter",
  "rate_limiter",
  '"state machine"',
  "checkout state machine",
  "checkout -fork",
  "memory",
  "restarts OR stutters",
  "numpy wheel",
  "polars pandas",
  "sort*",
  "certif*",
  "certificates",
  "how did I fix the login",
  "cart total cent",
  "terraform lock",
  "Puffer",
  "日本語",
  "après l'import",
  "encodage",
  "backfil",
  "certifcate",
  "termites",
  "checkout.ts",
  "src/api/login.test.ts",
  "postgres upgrade",
  "emoji panic title",
  "battery tracking drains",
  "coupons review stackable",
  "slots=True",
  "timezone october",
  "git rebase unicorn checkout",
  "zzzunknownzzz",
];

interface Found {
  readonly hits: readonly Hit[];
}

describe("search over the demo", () => {
  let demo: DemoHub;
  beforeAll(async () => {
    demo = await demoHub();
  });

  const onHub = (text: string, filter: HubFilter = {}, more = {}): Promise<HubSearchReport> =>
    searchHub(demo.hub.db, demo.robin, { text, filter, limit: 20, now: DEMO_NOW, ...more });
  const atHome = (text: string) => searchPage(demo.local, { text, filter: {}, limit: 20, now: DEMO_NOW });
  const keys = ({ hits }: Found): string[] =>
    hits.map(({ session, where, turn }) => `${session.id} ${where} ${turn}`);
  const sessions = ({ hits }: Found): string[] => [...new Set(hits.map(({ session }) => session.id))];

  it(`finds the sessions that the local search finds, for ${QUERIES.length} questions; the best hit first in all but two`, async () => {
    const [differing, otherFirst, empty]: [unknown[], string[], string[]] = [[], [], []];
    for (const text of QUERIES) {
      const [there, here] = [await onHub(text), atHome(text)];
      if (here.hits.length === 0) empty.push(text);
      if (keys(there)[0] !== keys(here)[0]) otherFirst.push(text);
      const [a, b] = [sessions(there).toSorted(), sessions(here).toSorted()];
      if (JSON.stringify(a) !== JSON.stringify(b) || there.partial !== here.partial)
        differing.push({ text, there: a, here: b, partial: [there.partial, here.partial] });
    }
    expect(differing).toEqual([]);
    expect(otherFirst.length).toBeLessThanOrEqual(2);
    expect(empty.length).toBeLessThanOrEqual(4);
  });

  it("tells the same of a hit, with whose it is", async () => {
    const [[there], [here]] = [(await onHub("rate limiter")).hits, atHome("rate limiter").hits];
    const { hubSession, person, ...session } = there?.session ?? ({} as never);
    expect({ ...there, session, score: 0 }).toEqual({ ...here, score: 0 });
    expect({ hubSession, person }).toEqual({
      hubSession: hubSessionId(session.source, session.id, MACHINE.id),
      person: "robin",
    });
  });

  it("looks for other spellings, and says so", async () => {
    const { respelt, hits } = await onHub("certifcate");
    expect(respelt).toEqual([{ typed: "certifcate", used: "certificate" }]);
    expect(hits.length).toBeGreaterThan(0);
  });

  it.each([
    ["user", "login"],
    ["assistant", "login"],
    ["tool", "login"],
  ] as const)("finds what the local search finds of what was said by %s", async (role, text) => {
    const here = searchPage(demo.local, { text, role, filter: {}, limit: 20, now: DEMO_NOW });
    expect(sessions(await onHub(text, {}, { role }))).toEqual(sessions(here));
  });

  it.each<[string, HubFilter]>([
    ["a source", { sources: ["claude-code"] }],
    ["a repository", { repository: "storefront" }],
    ["a branch", { branch: "main" }],
    ["a model", { model: "sonnet" }],
    ["a time", { since: "2026-11-01T00:00:00.000Z" }],
    ["a file", { file: "CHECKOUT" }],
    ["a tool", { tool: "bash" }],
    ["a folder", { workspace: "platform" }],
  ])("finds only what fits %s", async (_, filter) => {
    for (const text of ["test", "the checkout", "memory OR build OR query"]) {
      const { exact: _exact, ...local } = filter;
      const here = searchPage(demo.local, { text, filter: local, limit: 20, now: DEMO_NOW });
      expect(sessions(await onHub(text, filter)).toSorted()).toEqual(sessions(here).toSorted());
    }
  });

  it("counts the sessions with hits as the local search does, and by people", async () => {
    const options = { text: "test", filter: { repository: "storefront" }, limit: 5, now: DEMO_NOW };
    const here = searchPage(demo.local, { ...options, facets: true }).facets;
    const {
      people: counted,
      teams,
      ...there
    } = (await onHub("test", options.filter, { facets: true })).facets ?? {};
    expect(there).toEqual(here);
    expect(counted).toEqual([
      { value: "robin", count: here?.source.reduce((sum, { count }) => sum + count, 0) },
    ]);
    expect(teams).toEqual([]);
  });

  it("pages through all hits, each once", async () => {
    const all = keys(await onHub("test", {}, { limit: 100 }));
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await onHub("test", {}, { limit: 7, ...(cursor !== undefined && { cursor }) });
      paged.push(...keys(page));
      cursor = page.next;
    } while (cursor !== undefined);
    expect(new Set(paged).size).toBe(paged.length);
    expect(paged.toSorted()).toEqual(all.toSorted());
  });

  it("refuses the cursor of another search", async () => {
    const { next } = await onHub("test", {}, { limit: 1 });
    await expect(onHub("login", {}, { cursor: next })).rejects.toThrow(/another search/);
  });

  it("answers whatever is typed", async () => {
    for (const text of [
      "",
      "'",
      "''::tsquery",
      "a'b\\",
      "!!! & | <->",
      ":*",
      "-",
      '"',
      "(a OR",
      "\u0301",
      "x".repeat(5000),
      "a ".repeat(300),
    ])
      expect(Array.isArray((await onHub(text)).hits)).toBe(true);
  });
});

describe("search and rights", () => {
  let hub: TestHub;
  let people: People;
  let [owner, mate, stranger]: Person[] = [];
  let team = "";
  const session = hubSessionId("copilot-cli", "one", MACHINE.id);
  beforeAll(async () => {
    hub = await newHub();
    people = await peopleOf(hub);
    [owner, mate, stranger] = [
      await people.add("owner"),
      await people.add("mate"),
      await people.add("stranger"),
    ];
    team = await people.team("crew", owner, mate);
    const log = (at: number, type: string, data: object): string =>
      `${JSON.stringify({ type, data, id: `e${at}`, timestamp: `2026-11-15T12:00:0${at}.000Z`, parentId: null })}\n`;
    const text =
      log(0, "session.start", { sessionId: "one", version: 1, producer: "copilot-agent" }) +
      log(1, "user.message", { content: "why does the zebrafinch migrate" });
    const { header, bodies } = pushOf([{ path: "session-state/one/events.jsonl", texts: [text] }]);
    await receivePush(hub.db, owner, header, bodies);
    await deriveSession(hub.db, { account: owner.account, session });
  });
  afterAll(async () => {
    await people.close();
    await hub.close();
  });
  const share = async (to: string | null): Promise<void> => {
    for (const table of ["turns", "search_texts"])
      await people.ask(`UPDATE hub.${table} SET team_id = $1 WHERE session_id = $2`, [to, session]);
    await people.ask("UPDATE hub.sessions SET team_id = $1 WHERE id = $2", [to, session]);
  };
  const finds = async (who: Person | undefined, text = "zebrafinch"): Promise<number> =>
    (await searchHub(hub.db, who as Person, { text, filter: {}, limit: 5, now: DEMO_NOW })).hits.length;

  it("is for the owner alone until it is shared, and then for the team", async () => {
    expect([await finds(owner), await finds(mate), await finds(stranger)]).toEqual([2, 0, 0]);
    await share(team);
    expect([await finds(owner), await finds(mate), await finds(stranger)]).toEqual([2, 2, 0]);
    expect(await finds(mate, "zebrafnich")).toBe(2);
    await share(null);
    expect([await finds(owner), await finds(mate), await finds(stranger)]).toEqual([2, 0, 0]);
  });

  it("tells nobody whether a word is used in what they may not see", async () => {
    const ask = (who: Person) =>
      hub.db.as(who, async (tx) => [
        await tx.query("SELECT hub.search_counts('{zebrafinch}', 10) AS n"),
        await tx.query("SELECT * FROM hub.search_words('zebrafinch', '{zebrafinch}', 'ze%', 10)"),
        await tx.query("SELECT * FROM hub.search_turns('zebrafinch', '{}', '{}', NULL, NULL, 10, 10)"),
        await tx.query("SELECT * FROM hub.search_others('zebrafinch', '{}', '{}', NULL, NULL, 10, 10)"),
        await tx.query("SELECT * FROM hub.search_measure()"),
      ]);
    const nothing = [[{ n: [0] }], [], [], [], [{ rows: "0", average: 0 }]];
    expect(await ask(stranger as Person)).toEqual(nothing);
    expect(await ask({ ...(stranger as Person), account: (owner as Person).account })).toEqual([
      ...[[{ n: [] }], ...nothing.slice(1)],
    ]);
    expect((await ask(owner as Person))[0]).toEqual([{ n: [2] }]);
  });

  it("uses the index of words, which PostgreSQL does not below row-level security", async () => {
    const busy = await people.add("busy");
    await people.ask(
      `INSERT INTO hub.turns (account_id, session_id, turn_index, timestamp, words)
       SELECT $1, 'busy', n, to_char(timestamptz '2026-01-01' + n * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
              ('common:1A w' || n % 4000 || ':2A')::tsvector FROM generate_series(1, 20000) n`,
      [busy.account],
    );
    await people.ask("ANALYZE hub.turns");
    const plans = await plansOf(
      busy,
      "SELECT * FROM hub.search_turns('w77', '{w77}', '{}', NULL, NULL, 500, 100)",
    );
    expect(plans).toMatch(/Bitmap Index Scan on turns_p\d_words_idx/);
    // A word that stands nowhere, of which PostgreSQL knows nothing and would look through all rows.
    for (const sql of [
      "SELECT hub.search_counts('{nowhere}', 10)",
      "SELECT * FROM hub.search_words('nowhere | nohwere', '{nowhere,nohwere}', '', 10)",
    ]) {
      const unknown = await plansOf(busy, sql);
      expect(unknown).toMatch(/Bitmap Index Scan on turns_p\d_words_idx/);
      expect(unknown).not.toMatch(/Seq Scan on turns/);
    }
    // A word that stands everywhere is found by time: the newest first, and no more of them than are weighed.
    const common = await plansOf(
      busy,
      "SELECT * FROM hub.search_turns('common', '{common}', '{}', NULL, NULL, 500, 100)",
    );
    expect(common).toMatch(/Index Scan Backward using turns_p\d_timestamp_idx/);
    const below = await hub.db.as(busy, (tx) =>
      tx.query("EXPLAIN SELECT * FROM hub.turns WHERE words @@ 'w77'"),
    );
    expect(JSON.stringify(below)).not.toContain("words_idx");
  });

  /** Of all statements that one leads to, as the server notes them. */
  async function plansOf({ account, proof }: Person, sql: string): Promise<string> {
    const client = new pg.Client(hub.admin);
    const said: string[] = [];
    client.on("notice", ({ message }) => void said.push(message ?? ""));
    await client.connect();
    await client.query(`LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0;
      SET auto_explain.log_nested_statements = on; SET client_min_messages = log;
      SET rethread.account = '${account}'; SET rethread.proof = '${proof}'`);
    await client.query(sql);
    await client.end();
    return said.join("\n");
  }

  it("needs the scope read", async () => {
    const pusher = await people.add("pusher", ["push"]);
    await expect(finds(pusher)).rejects.toMatchObject({ code: "hub-refused" });
  });
});
