/** Questions about sessions of the hub: answered as at home, of what one may see. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { teamStandup } from "../../src/app/hub/standup.ts";
import { makeStandup, readStandup } from "../../src/chronicle/standup/standup.ts";
import { deriveSession } from "../../src/hub/derive/derive.ts";
import { receivePush } from "../../src/hub/ingest/receive.ts";
import { hubSessionId } from "../../src/hub/protocol.ts";
import { hubBlame, hubFiles } from "../../src/hub/query/blame.ts";
import { createHomeCache, type HomeCache } from "../../src/hub/query/open-session.ts";
import { createSessionReader, type SessionReader } from "../../src/hub/query/read-session.ts";
import { listHubSessions } from "../../src/hub/query/sessions.ts";
import { hubStats, hubStatsBy } from "../../src/hub/query/stats/stats.ts";
import { share } from "../../src/hub/sharing/shares.ts";
import { createRedactor } from "../../src/model/redact/redact.ts";
import { formatKey } from "../../src/model/values/id.ts";
import { contextOf } from "../../src/query/context.ts";
import { findText } from "../../src/query/find.ts";
import { listSessions } from "../../src/query/list.ts";
import { outlineOf } from "../../src/query/outline.ts";
import { dividedStatsOf, STATS_BY, statsOf } from "../../src/query/stats.ts";
import { turnsOf } from "../../src/query/turns.ts";
import { hubEndpoints } from "../../src/server/hub/endpoints.ts";
import type { SessionFilter } from "../../src/store/filter.ts";
import { askingAt } from "./asking.ts";
import { DEMO_NOW, type DemoHub, demoHub } from "./demo-hub.ts";
import type { Person } from "./people.ts";
import { MACHINE, pushOf } from "./pushing.ts";
import { listenTo } from "./served.ts";

let demo: DemoHub;
let reader: SessionReader;
beforeAll(async () => {
  demo = await demoHub();
  reader = createSessionReader(demo.hub.db, demo.robin, createHomeCache());
});

/** Homes differ, and what lies in them does not. */
const withoutHome = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value).replaceAll(/\/(data\/demo|hub)\/[^"]*?\/(session-state|projects|User)\//g, "/$2/"),
  );

describe("the list of sessions", () => {
  const FILTERS: readonly SessionFilter[] = [
    {},
    { sources: ["claude-code", "vscode"] },
    { repository: "STOREFRONT" },
    { repository: "lumen-shop/storefront", exact: true },
    { branch: "main" },
    { model: "sonnet" },
    { workspace: "/data/demo/work/storefront" },
    { text: "login ci" },
    { since: "2026-11-10T00:00:00.000Z", until: "2026-11-14T00:00:00.000Z" },
    { copies: true },
    { problems: true },
  ];
  const SORTS = ["active", "created", "title", "turns", "size"] as const;
  /** Each filter in two orders, the next filter in the next ones; with RETHREAD_FULL=1 in all. */
  const sortsOf = (at: number) =>
    process.env.RETHREAD_FULL === undefined
      ? SORTS.filter((_, number) => (number + 2 * at) % SORTS.length < 2)
      : SORTS;
  it.each(FILTERS.map((filter, at) => [JSON.stringify(filter), filter, sortsOf(at)] as const))(
    "is that at home for %s",
    async (_, filter, sorts) => {
      for (const sort of sorts) {
        const here = await listSessions(demo.catalog, { db: demo.local }, filter, {
          sort,
          limit: 100,
          owners: false,
          facets: true,
        });
        const there = await listHubSessions(demo.hub.db, demo.robin, filter, {
          sort,
          limit: 100,
          facets: true,
        });
        expect(there.sessions.map(({ id }) => id)).toEqual(here.sessions.map(({ id }) => id));
        expect(there.total).toBe(here.total);
        const { people, teams, ...facets } = there.facets ?? {};
        expect(facets).toEqual(here.facets);
        expect(people).toEqual(here.total === 0 ? [] : [{ value: "robin", count: here.total }]);
        expect(teams).toEqual([]);
      }
    },
  );

  it("tells of each session what the list at home does, and whose it is", async () => {
    const { sessions: here } = await listSessions(demo.catalog, { db: demo.local }, {}, { owners: false });
    const { sessions: there } = await listHubSessions(demo.hub.db, demo.robin, {}, { limit: 100 });
    for (const [at, { path: _, ...session }] of here.entries()) {
      const { path: _path, account: _account, ...known } = there[at] ?? ({} as never);
      expect(known).toEqual({
        ...session,
        person: "robin",
        machine: "laptop",
        sharing: "private",
        isSealed: false,
        hubSession: hubSessionId(session.source, session.id, MACHINE.id),
      });
    }
  });

  it("comes in pages, in every order", async () => {
    for (const sort of ["active", "title", "turns"] as const) {
      const all = (await listHubSessions(demo.hub.db, demo.robin, {}, { sort, limit: 100 })).sessions;
      const paged: unknown[] = [];
      let cursor: string | undefined;
      do {
        const page = await listHubSessions(
          demo.hub.db,
          demo.robin,
          {},
          { limit: 7, ...(cursor === undefined ? { sort } : { cursor }) },
        );
        paged.push(...page.sessions);
        cursor = page.next;
      } while (cursor !== undefined);
      expect(paged).toEqual(all);
    }
  });
});

describe("a session", () => {
  it("reads the same on the hub as at home: every turn of every session of the demo", async () => {
    const { artifacts } = await demo.catalog.scan();
    let turns = 0;
    for (const key of artifacts) {
      const session = hubSessionId(key.source, key.id, MACHINE.id);
      const [here, there] = [
        await turnsOf(demo.catalog, formatKey(key), {}),
        await reader.turns({ session }, {}),
      ];
      expect(withoutHome(there)).toEqual(withoutHome(here));
      turns += there.turns.length;
    }
    expect(artifacts.length).toBeGreaterThan(35);
    expect(turns).toBeGreaterThan(140);
  });

  it("has the outline, the context and the text that it has at home", async () => {
    const { artifacts } = await demo.catalog.scan();
    for (const key of artifacts.filter((_, at) => at % 6 === 0)) {
      const named = { session: hubSessionId(key.source, key.id, MACHINE.id) };
      const name = formatKey(key);
      const [here, there] = [await outlineOf(demo.catalog, name), await reader.outline(named)];
      expect(withoutHome({ turns: there.turns, problems: there.problems })).toEqual(
        withoutHome({ turns: here.turns, problems: here.problems }),
      );
      expect(there.session).toMatchObject({
        title: here.session.title,
        turns: here.session.turns,
        person: "robin",
      });
      const context = await contextOf(demo.catalog, name);
      const { session: _, ...sent } = await reader.context(named);
      const { session: _local, ...known } = context;
      expect(withoutHome(sent)).toEqual(withoutHome(known));
      expect(withoutHome(await reader.find(named, { text: "the" }))).toEqual(
        withoutHome(await findText(demo.catalog, name, { text: "the" })),
      );
      const line = there.turns[0] ? 1 : 0;
      if (line > 0) expect((await reader.record(named, { line })).text.length).toBeGreaterThan(0);
    }
  });

  it("lists the files that it changed", async () => {
    const rows = demo.local
      .prepare(
        "SELECT session_id, count(*) AS n FROM session_files WHERE action <> 'read' GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
      )
      .all();
    const [of] = demo.local
      .prepare("SELECT source, vendor_id FROM sessions WHERE id = ?")
      .all(String(rows[0]?.session_id));
    const session = hubSessionId(String(of?.source), String(of?.vendor_id), MACHINE.id);
    const files = await reader.changedFiles({ session });
    expect(files.length).toBeGreaterThan(1);
    expect(files.every(({ path }) => path.startsWith("/"))).toBe(true);
  });

  it("is decompressed once, until it is pushed again", async () => {
    let reads = 0;
    const cache = createHomeCache(2, 1 << 30);
    const counting: HomeCache = {
      open: (session, read) =>
        cache.open(session, () => {
          reads++;
          return read();
        }),
    };
    const own = createSessionReader(demo.hub.db, demo.robin, counting);
    const [a, b, c] = (await listHubSessions(demo.hub.db, demo.robin, {}, { limit: 3 })).sessions.map(
      ({ hubSession: session }) => ({ session }),
    );
    if (!a || !b || !c) throw new Error("too few sessions");
    await Promise.all([own.turns(a, {}), own.turns(a, {}), own.outline(a)]);
    expect(reads).toBe(1);
    for (const each of [b, c, b, c]) await own.turns(each, {});
    expect(reads).toBe(3);
    await own.turns(a, {});
    expect(reads).toBe(4);
    const key = [demo.robin.account, a.session];
    await demo.people.ask(
      "UPDATE hub.sessions SET raw_version = raw_version + 1 WHERE account_id = $1 AND id = $2",
      key,
    );
    await own.turns(a, {});
    await demo.people.ask(
      "UPDATE hub.sessions SET raw_version = raw_version - 1 WHERE account_id = $1 AND id = $2",
      key,
    );
    expect(reads).toBe(5);
  });

  it("of somebody else is as unknown as one that does not exist", async () => {
    const stranger = await demo.people.add("stranger to sessions");
    const other = createSessionReader(demo.hub.db, stranger, createHomeCache());
    const [first] = (await listHubSessions(demo.hub.db, demo.robin, {}, { limit: 1 })).sessions;
    const session = first?.hubSession ?? "";
    const failures = await Promise.all(
      [session, session.replace(/@.*/, "@ffffffff"), "", "'; DROP TABLE x"].map((name) =>
        other.outline({ session: name }).catch(({ code, message }: { code: string; message: string }) => ({
          code,
          message: message.replace(name, ""),
        })),
      ),
    );
    expect(new Set(failures.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(failures[0]).toMatchObject({ code: "session-not-found" });
  });
});

describe("statistics", () => {
  const FILTERS: readonly SessionFilter[] = [
    {},
    { repository: "storefront" },
    { since: "2026-11-10T00:00:00.000Z" },
    { sources: ["vscode"] },
  ];
  it.each(FILTERS.map((filter) => [JSON.stringify(filter), filter] as const))(
    "are those at home for %s",
    async (_, filter) => {
      const { people, ...there } = await hubStats(demo.hub.db, demo.robin, filter);
      const here = statsOf(demo.catalog, { db: demo.local }, filter);
      expect({ ...there, files: new Set(there.files.map((file) => JSON.stringify(file))) }).toEqual({
        ...here,
        files: new Set(here.files.map((file) => JSON.stringify(file))),
      });
      expect(people).toEqual([{ key: "robin", ...here.totals }]);
    },
  );

  it.each(STATS_BY)("by %s are those at home", async (by) => {
    const [there, here] = [
      await hubStatsBy(demo.hub.db, demo.robin, {}, by, 5),
      dividedStatsOf(demo.catalog, { db: demo.local }, {}, by, { limit: 5 }),
    ];
    expect(there).toEqual(here);
  });

  it("are also told by person", async () => {
    const { rows, totals } = await hubStatsBy(demo.hub.db, demo.robin, {}, "person");
    expect(rows).toEqual([{ key: "robin", ...totals }]);
  });
});

describe("the standup of a team", () => {
  const WEEK = { from: new Date("2026-11-08T12:00:00Z"), to: new Date("2026-11-15T12:00:00Z") };

  it("is that at home, with whose each session is", async () => {
    const there = await teamStandup(demo.hub.db, demo.robin, WEEK, () => DEMO_NOW);
    const iso = { since: WEEK.from.toISOString(), until: WEEK.to.toISOString() };
    const here = makeStandup(readStandup(demo.local, { filter: {}, ...iso }), {
      ...{ since: WEEK.from, until: WEEK.to, now: DEMO_NOW, commits: new Map() },
      redact: createRedactor().text,
    });
    const strip = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value), (_, each: unknown) => {
        if (typeof each !== "object" || each === null || !("person" in each)) return each;
        const { person, hubSession, ...session } = each as Record<string, unknown>;
        expect({ person, hubSession }).toEqual({
          person: "robin",
          hubSession: hubSessionId(String(session.source), String(session.id), MACHINE.id),
        });
        return session;
      });
    const { isCut, ...standup } = there;
    expect(strip(standup)).toEqual(JSON.parse(JSON.stringify(here)));
    expect(isCut).toBe(false);
    expect(here.sessionCount).toBeGreaterThan(5);
  });

  it("tells nobody of what is not shared", async () => {
    const stranger = await demo.people.add("stranger to standups");
    expect((await teamStandup(demo.hub.db, stranger, WEEK, () => DEMO_NOW)).sessionCount).toBe(0);
  });
});

describe("the files of a team", () => {
  it("are those that sessions changed, by their place in the repository", async () => {
    const files = await hubFiles(demo.hub.db, demo.robin, { repository: "Lumen-Shop/storefront" });
    expect(files.length).toBeGreaterThan(5);
    expect(files.every(({ path, people }) => !path.startsWith("/") && people[0] === "robin")).toBe(true);
    const some = await hubFiles(demo.hub.db, demo.robin, { text: "RATE-limiter" });
    expect(some).toEqual([
      expect.objectContaining({ path: "src/api/rate-limiter.ts", repository: "lumen-shop/storefront" }),
    ]);
    expect(await hubFiles(demo.hub.db, await demo.people.add("stranger to files"), {})).toEqual([]);
  });

  it("have lines with the person, session and prompt that wrote them, as far as changes tell", async () => {
    const cache = createHomeCache();
    let lines = 0;
    for (const { path: file, repository } of await hubFiles(demo.hub.db, demo.robin, {})) {
      const blame = await hubBlame(demo.hub.db, demo.robin, cache, { repository, file });
      expect(blame.unread).toBe(0);
      for (const { written } of blame.lines) {
        if (!written) continue;
        lines++;
        expect(written.session.person).toBe("robin");
        expect(written.prompt).not.toBe("");
      }
    }
    expect(lines).toBeGreaterThan(100);
  });

  it("are the same file in every checkout, also for sessions that began in a folder of it", async () => {
    const { hub, people } = demo;
    const [ann, bo] = [await people.add("ann"), await people.add("bo")];
    await people.team("checkouts", ann, bo);
    const starts: readonly (readonly [Person, string, string])[] = [
      [ann, "/home/ann/shop", "/home/ann/shop/packages/web/src/cart.ts"],
      [bo, "D:\\work\\shop-2", "D:\\work\\shop-2\\packages\\web\\src\\cart.ts"],
      [bo, "/srv/bo/shop/packages/web", "src/cart.ts"],
      [ann, "/tmp/other", "/tmp/other/src/cart.ts"],
    ];
    for (const [at, [who, cwd, path]] of starts.entries()) {
      const event = (type: string, data: object): string =>
        `${JSON.stringify({ type, data, id: randomUUID(), timestamp: `2026-11-1${at}T12:00:00.000Z`, parentId: null })}\n`;
      const call = { toolCallId: "c", toolName: "create", arguments: { path, file_text: `line ${at}\n` } };
      const text = [
        event("session.start", {
          ...{ sessionId: "s", version: 1, producer: "copilot-agent" },
          context: { cwd, repository: "acme/checkouts", branch: "main" },
        }),
        event("user.message", { content: `write line ${at}` }),
        event("assistant.message", {
          ...{ messageId: "m", model: "gpt-5.4", content: "" },
          toolRequests: [{ toolCallId: "c", name: "create", arguments: call.arguments, type: "function" }],
        }),
        event("tool.execution_start", call),
        event("tool.execution_complete", { ...call, success: true, result: { content: "done" } }),
      ].join("");
      const id = `checkout-${at}`;
      const { header, bodies } = pushOf([{ path: `session-state/${id}/events.jsonl`, texts: [text] }], {
        id,
      });
      await receivePush(hub.db, who, header, bodies);
      const session = hubSessionId("copilot-cli", id, MACHINE.id);
      await deriveSession(hub.db, { account: who.account, session });
      await share(hub.db, who, { team: "checkouts", session });
    }
    const repository = "acme/checkouts";
    for (const who of [ann, bo]) {
      const files = await hubFiles(hub.db, who, { repository });
      expect(files.map(({ path, sessions, people: by }) => [path, sessions, by]).toSorted()).toEqual([
        ["packages/web/src/cart.ts", 3, ["ann", "bo"]],
        ["src/cart.ts", 1, ["ann"]],
      ]);
      const file = "packages/web/src/cart.ts";
      const { lines } = await hubBlame(hub.db, who, createHomeCache(), { repository, file });
      expect(lines.map(({ text, written }) => [text, written?.session.person])).toEqual([["line 2", "bo"]]);
    }
  });

  it("that nobody changed, or that one may not see, are unknown", async () => {
    const asked = { repository: "lumen-shop/storefront", file: "src/api/rate-limiter.ts" };
    const stranger = await demo.people.add("stranger to blame");
    for (const [who, wanted] of [
      [stranger, asked],
      [demo.robin, { ...asked, file: "nothing.ts" }],
      [demo.robin, { ...asked, repository: "other/place" }],
    ] as const)
      await expect(hubBlame(demo.hub.db, who, createHomeCache(), wanted)).rejects.toMatchObject({
        code: "file-not-found",
      });
  });
});

describe("over HTTP", () => {
  let served: Awaited<ReturnType<typeof listenTo>>;
  const reported: unknown[] = [];
  const { ask, post } = askingAt(() => served.port);
  beforeAll(async () => {
    served = await listenTo(demo.hub, { report: (error) => void reported.push(error) });
  });
  afterAll(async () => {
    await served.close(0);
    expect(reported).toEqual([]);
  });

  const session = async (): Promise<string> => {
    const { sessions } = await listHubSessions(demo.hub.db, demo.robin, { text: "flaky login" });
    return encodeURIComponent(sessions[0]?.hubSession ?? "");
  };
  const ADDRESSES: readonly string[] = [
    "/api/sessions?facets=true&limit=3&source=copilot-cli&person=robin&repo=storefront",
    "/api/sessions/{session}",
    "/api/sessions/{session}/turns?from=1&to=2",
    "/api/sessions/{session}/context",
    "/api/sessions/{session}/find?q=login",
    "/api/sessions/{session}/records/2",
    "/api/sessions/{session}/files",
    "/api/search?q=login&facets=true&since=2026-01-01&file=login&limit=2",
    "/api/schema",
    "/api/stats?repo=storefront",
    "/api/stats/person",
    "/api/stats/day?limit=3",
    "/api/chronicle/standup?since=2026-11-08T12:00:00Z&until=2026-11-15T12:00:00Z",
    "/api/files?repo=lumen-shop/storefront&q=limiter",
    "/api/blame?repo=lumen-shop/storefront&file=src/api/rate-limiter.ts",
    "/api/hub/shares",
    "/api/hub/people",
  ];

  it.each(ADDRESSES)("%s answers what it declares, and only with a token", async (address) => {
    const path = address.replace("{session}", await session());
    const { status, json } = await ask(path, {}, demo.robin.token);
    expect([status, json()]).toEqual([200, expect.objectContaining({ schemaVersion: 1 })]);
    const endpoint = hubEndpoints(z).find(
      (each) =>
        each.method === "GET" &&
        new RegExp(`^${each.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path.split("?")[0] ?? ""),
    );
    const { schemaVersion: _, ...answer } = json() as Record<string, unknown>;
    const declared = endpoint?.output?.(z) as z.ZodObject;
    expect(declared.strict().safeParse(answer).error?.issues).toBeUndefined();
    expect((await ask(path)).status).toBe(401);
  });

  it("runs SQL, and says what is wrong with it", async () => {
    const { status, json } = await post(
      "/api/sql",
      { sql: "SELECT count(*) AS n FROM sessions" },
      {},
      demo.robin.token,
    );
    expect([status, json()]).toEqual([
      200,
      { schemaVersion: 1, columns: ["n"], rows: [[40]], truncated: false },
    ]);
    const refused = await post("/api/sql", { sql: "SELECT pg_sleep(9)" }, {}, demo.robin.token);
    expect([refused.status, refused.json()]).toEqual([
      403,
      { error: expect.objectContaining({ code: "sql-refused" }), schemaVersion: 1 },
    ]);
  });

  it("comes in pages", async () => {
    const first = (await ask("/api/sessions?limit=2", {}, demo.robin.token)).json() as {
      nextCursor: string;
      sessions: unknown[];
    };
    const second = (
      await ask(`/api/sessions?limit=2&cursor=${first.nextCursor}`, {}, demo.robin.token)
    ).json() as { sessions: unknown[] };
    expect([first.sessions.length, second.sessions.length]).toEqual([2, 2]);
    expect(second.sessions).not.toEqual(first.sessions);
  });

  it("answers the same for a session that one may not see as for one that does not exist", async () => {
    const stranger = await demo.people.add("stranger to HTTP");
    const id = await session();
    for (const below of ["", "/turns", "/context", "/find?q=a", "/records/1", "/files"]) {
      const [hidden, missing] = [
        await ask(`/api/sessions/${id}${below}`, {}, stranger.token),
        await ask(
          `/api/sessions/${id.replace("@0", "@f").replace("%400", "%40f")}${below}`,
          {},
          stranger.token,
        ),
      ];
      expect([hidden.status, missing.status]).toEqual([404, 404]);
      const without = (text: string): string => text.replaceAll(/@[0f]0000001/g, "@");
      expect(without(JSON.stringify(hidden.json()))).toBe(without(JSON.stringify(missing.json())));
    }
  });

  it.each([
    "/api/sessions?limit=0",
    "/api/sessions?unknown=1",
    "/api/sessions?source=nothing",
    "/api/sessions?cursor=x",
    "/api/search?q=a&ref=nothing",
    "/api/search",
    "/api/stats/nothing",
    "/api/blame?repo=a",
  ])("refuses %s", async (path) => {
    const { status, json } = await ask(path, {}, demo.robin.token);
    expect([status, json()]).toEqual([
      400,
      expect.objectContaining({ error: expect.objectContaining({ code: "usage" }) }),
    ]);
  });

  it("shares, lists and takes back, with the scope push", async () => {
    const mate = await demo.people.add("mate over HTTP");
    await demo.people.team("http", demo.robin, mate);
    const name = decodeURIComponent(await session());
    const { status, json } = await post(
      "/api/hub/shares",
      { team: "http", session: name },
      {},
      demo.robin.token,
    );
    const { share, changed } = json() as { share: { id: string }; changed: number };
    expect([status, changed]).toEqual([200, 1]);
    const seen = (await ask("/api/sessions", {}, mate.token)).json() as {
      sessions: Record<string, unknown>[];
    };
    expect(seen.sessions).toEqual([
      expect.objectContaining({ person: "robin", sharing: "http", hubSession: name, isSealed: false }),
    ]);
    const taken = await ask(`/api/hub/shares/${share.id}`, { method: "DELETE" }, demo.robin.token);
    expect([taken.status, taken.json()]).toEqual([200, { schemaVersion: 1, changed: 1 }]);
    expect(((await ask("/api/sessions", {}, mate.token)).json() as { sessions: unknown[] }).sessions).toEqual(
      [],
    );
    const reader = await demo.people.add("reader over HTTP", ["read"]);
    expect((await post("/api/hub/shares", { team: "http", session: name }, {}, reader.token)).status).toBe(
      403,
    );
    expect((await ask("/api/hub/audit", {}, reader.token)).status).toBe(403);
  });

  it("shows the audit log to admins", async () => {
    const admin = await demo.people.add("admin over HTTP", ["admin"]);
    const { status, json } = await ask("/api/hub/audit?limit=2", {}, admin.token);
    const { entries, nextCursor } = json() as { entries: unknown[]; nextCursor: unknown };
    expect([status, entries.length, typeof nextCursor]).toEqual([200, 2, "string"]);
  });
});
