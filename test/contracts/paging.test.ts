/** Pages of lists and searches: together they are the whole answer, and sessions that come meanwhile disturb none. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDemo } from "../../src/demo/create.ts";
import { demoFolder, demoVars } from "../../src/demo/places.ts";
import { refresh } from "../../src/indexer/refresh.ts";
import type { Session } from "../../src/model/session/session.ts";
import {
  comparePlaces,
  placeOf,
  SESSION_ORDERS,
  type SessionOrder,
} from "../../src/model/session/session-order.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import type { Database } from "../../src/platform/sqlite/sqlite.ts";
import { type ListPage, listFromFiles, listSessions, type SessionList } from "../../src/query/list.ts";
import { type SearchPage, searchPage } from "../../src/query/search.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { openStore } from "../../src/store/open.ts";
import { type Hit, search } from "../../src/store/search/search.ts";
import { createSessionStore, type SessionStore } from "../../src/store/session-store.ts";
import { copilotFiles } from "../made-up-turns.ts";

const now = new Date("2026-11-15T12:00:00.000Z");
let folder: string;
let db: Database;
let store: SessionStore;
let catalog: Catalog;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-paging-")));
  db = openStore({ folder: join(folder, "data"), now: () => now, notice: () => undefined });
  store = createSessionStore(db);
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

const index = () => refresh(catalog, store, { outputHead: 256, now: () => now });
async function openDemo(): Promise<void> {
  await createDemo({ fs: localFs, sources: SOURCES, home: folder, now });
  const vars = demoVars(demoFolder(folder));
  catalog = openCatalog(SOURCES, { platform: "linux", homeDir: join(folder, "nowhere"), vars }, localFs);
  await index();
}
/** Sessions among the others that say what is looked for. */
async function addSessions(first: number): Promise<void> {
  for (let number = first; number < first + 3; number++)
    for (const [name, content] of Object.entries(
      copilotFiles(number, [
        { does: "ask", text: "Why do the tests fail?", attached: false },
        { does: "answer" },
      ]),
    )) {
      const path = join(demoFolder(folder), "copilot", name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    }
  await index();
}

const names = (sessions: readonly Session[]): string[] => sessions.map(({ source, id }) => `${source}:${id}`);

async function allPages(
  ask: (page: ListPage) => Promise<SessionList>,
  page: ListPage,
  between: () => Promise<void> = async () => undefined,
): Promise<Session[]> {
  const sessions: Session[] = [];
  let cursor: string | undefined;
  do {
    const list = await ask({ ...page, ...(cursor !== undefined && { cursor }) });
    sessions.push(...list.sessions);
    cursor = list.next;
    await between();
  } while (cursor !== undefined);
  return sessions;
}

describe("a list", () => {
  it("is the same page by page, in every order, from the store and from the files", async () => {
    await openDemo();
    const fromStore = (page: ListPage) => listSessions(catalog, store, {}, page);
    const fromFiles = (page: ListPage) => listFromFiles(catalog, {}, page);
    for (const sort of SESSION_ORDERS) {
      const whole = await fromStore({ sort });
      expect(whole.next).toBeUndefined();
      expect(await fromFiles({ sort })).toEqual(whole);
      expect(names(await allPages(fromStore, { sort, limit: 7 })), sort).toEqual(names(whole.sessions));
      const [first, second] = [await fromFiles({ sort, limit: 30 }), await fromStore({ sort, limit: 30 })];
      expect(first).toEqual(second);
      expect(await fromFiles({ limit: 5, cursor: first.next })).toEqual(
        await fromStore({ limit: 5, cursor: second.next }),
      );
    }
  });

  it("tells on every page how many there are, and after the last that there is no other", async () => {
    await openDemo();
    const whole = await listSessions(catalog, store, {});
    const first = await listSessions(catalog, store, {}, { limit: whole.total - 1 });
    expect([first.sessions.length, first.total]).toEqual([whole.total - 1, whole.total]);
    const last = await listSessions(catalog, store, {}, { limit: 1, cursor: first.next });
    expect([last.sessions.length, last.total, last.next]).toEqual([1, whole.total, undefined]);
  });

  it.each(SESSION_ORDERS)(
    "by %s leaves out and repeats none when sessions are added meanwhile",
    async (sort) => {
      await openDemo();
      const before = names((await listSessions(catalog, store, {}, { sort })).sessions);
      let round = 0;
      const pages = names(
        await allPages(
          (page) => listSessions(catalog, store, {}, page),
          { sort, limit: 9 },
          async () => (round++ < 2 ? addSessions(round * 10) : undefined),
        ),
      );
      expect(new Set(pages).size).toBe(pages.length);
      expect(pages.filter((name) => before.includes(name))).toEqual(before);
    },
  );

  it("refuses what is no cursor, and one of another order", async () => {
    await openDemo();
    const { next } = await listSessions(catalog, store, {}, { sort: "title", limit: 1 });
    const ask = (page: ListPage) => listSessions(catalog, store, {}, page);
    await expect(ask({ cursor: "nonsense" })).rejects.toMatchObject({ code: "usage" });
    await expect(ask({ cursor: next, sort: "size" })).rejects.toMatchObject({ code: "usage" });
    const { next: ofSearch } = searchPage(db, { text: "test", filter: {}, limit: 1, now });
    await expect(ask({ cursor: ofSearch })).rejects.toMatchObject({ code: "usage" });
    expect((await ask({ cursor: next, sort: "title" })).sessions.length).toBeGreaterThan(0);
  });

  it("is in order whatever sessions have in common or lack", async () => {
    catalog = openCatalog([], { platform: "linux", homeDir: folder, vars: {} }, localFs);
    const times = fc.option(fc.constantFrom("2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"), {
      nil: null,
    });
    const row = fc.record({
      updated: times,
      created: times,
      title: fc.constantFrom("", "a", "A", "b", "ä", "Z"),
      turns: fc.nat(2),
      bytes: fc.nat(2),
    });
    const orders = fc.constantFrom<SessionOrder>(...SESSION_ORDERS);
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 12 }),
        orders,
        fc.integer({ min: 1, max: 5 }),
        async (rows, sort, limit) => {
          db.exec("DELETE FROM sessions");
          const insert = db.prepare(
            "INSERT INTO sessions (id, source, vendor_id, title, path, turn_count, problem_count, bytes, models, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, 0, ?, '[]', ?, ?)",
          );
          for (const [at, each] of rows.entries())
            insert.run(
              `s${at}`,
              at % 2 ? "vscode" : "copilot-cli",
              `id${at % 3}`,
              each.title,
              `/p${at}`,
              each.turns,
              each.bytes,
              each.created,
              each.updated,
            );
          const ask = (page: ListPage) => listSessions(catalog, store, {}, page);
          const sorted = (await ask({})).sessions.toSorted((a, b) =>
            comparePlaces(placeOf(sort, a), placeOf(sort, b)),
          );
          expect((await allPages(ask, { sort, limit })).map(({ path }) => path)).toEqual(
            sorted.map(({ path }) => path),
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});

const keyOf = ({ session, where, turn, snippet }: Hit): string =>
  [session.source, session.id, where, turn ?? snippet].join(" ");

async function allHits(
  page: Omit<SearchPage, "cursor">,
  between = async (): Promise<void> => undefined,
): Promise<Hit[]> {
  const hits: Hit[] = [];
  let cursor: string | undefined;
  do {
    const report = searchPage(db, { ...page, ...(cursor !== undefined && { cursor }) });
    hits.push(...report.hits);
    cursor = report.next;
    await between();
  } while (cursor !== undefined);
  return hits;
}

describe("a search", () => {
  const asked = { text: "test", filter: {}, now } as const;

  it("gives every hit once, page by page, the first page as ever", async () => {
    await openDemo();
    const whole = search(db, { ...asked, limit: 400 });
    expect(whole.hits.length).toBeGreaterThan(20);
    expect(whole.isMore).toBe(false);
    for (const sort of ["relevance", "newest"] as const) {
      const pages = (await allHits({ ...asked, sort, limit: 6 })).map(keyOf);
      expect(new Set(pages).size).toBe(pages.length);
      expect(pages.toSorted()).toEqual(whole.hits.map(keyOf).toSorted());
    }
    const first = searchPage(db, { ...asked, limit: 6 });
    expect(first.hits).toEqual(search(db, { ...asked, limit: 6 }).hits);
  });

  it("puts the sessions that were active last first, if that is asked for", async () => {
    await openDemo();
    const hits = await allHits({ ...asked, sort: "newest", limit: 7 });
    const times = hits.map(({ session }) => session.updatedAt ?? "");
    expect(times).toEqual(times.toSorted().reverse());
    const turns = Object.values(Object.groupBy(hits, ({ session }) => session.id)).map((all) =>
      (all ?? []).flatMap(({ turn }) => turn ?? []),
    );
    for (const each of turns) expect(each).toEqual(each.toSorted((a, b) => b - a));
  });

  it.each(["relevance", "newest"] as const)(
    "by %s leaves out and repeats none when sessions are added meanwhile",
    async (sort) => {
      await openDemo();
      const before = search(db, { ...asked, limit: 400 }).hits.map(keyOf);
      let round = 0;
      const pages = (
        await allHits({ ...asked, sort, limit: 8 }, async () =>
          round++ < 2 ? addSessions(round * 10) : undefined,
        )
      ).map(keyOf);
      expect(new Set(pages).size).toBe(pages.length);
      expect(before.filter((key) => !pages.includes(key))).toEqual([]);
    },
  );

  it("refuses a cursor of another question", async () => {
    await openDemo();
    const { next } = searchPage(db, { ...asked, limit: 2 });
    const ask = (page: Partial<SearchPage>) => () => searchPage(db, { ...asked, limit: 2, ...page });
    for (const page of [
      { cursor: "nonsense" },
      { cursor: next, text: "other" },
      { cursor: next, role: "user" },
      { cursor: next, sort: "newest" },
    ] as Partial<SearchPage>[])
      expect(ask(page)).toThrow(expect.objectContaining({ code: "usage" }));
    expect(ask({ cursor: next, sort: "relevance" } as Partial<SearchPage>)().hits).toHaveLength(2);
  });
});
