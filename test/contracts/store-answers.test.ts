/** The store tells of sessions what their files tell: the same lists and overviews, without opening one. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDemo } from "../../src/demo/create.ts";
import { demoFolder, demoVars } from "../../src/demo/places.ts";
import { refresh } from "../../src/indexer/refresh.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import type { SessionFs } from "../../src/platform/fs/session-fs.ts";
import type { Database } from "../../src/platform/sqlite/sqlite.ts";
import { listFromFiles, listSessions } from "../../src/query/list.ts";
import { overviewFromFiles, overviewOf } from "../../src/query/overview.ts";
import { resolveSession, titlesInStore } from "../../src/query/resolve.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import type { SessionFilter } from "../../src/store/filter.ts";
import { openStore } from "../../src/store/open.ts";
import { createSessionStore, type SessionStore } from "../../src/store/session-store.ts";
import { pidLike } from "../lookalike.ts";
import { copilotFiles, copilotId } from "../made-up-turns.ts";
import { FIXTURES } from "./fixtures.ts";

const now = new Date("2026-11-15T12:00:00.000Z");
let folder: string;
let db: Database;
let store: SessionStore;
const opened: string[] = [];
const counting: SessionFs = {
  ...localFs,
  chunks(path, range) {
    opened.push(path);
    return localFs.chunks(path, range);
  },
  read(path, range) {
    opened.push(path);
    return localFs.read(path, range);
  },
};

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-answers-")));
  db = openStore({ folder: join(folder, "data"), now: () => now, notice: () => undefined });
  store = createSessionStore(db);
  opened.length = 0;
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

const catalogIn = (vars: Record<string, string>): Catalog =>
  openCatalog(SOURCES, { platform: "linux", homeDir: join(folder, "nowhere"), vars }, counting);
const index = (catalog: Catalog) => refresh(catalog, store, { outputHead: 256, now: () => now });

/** Every fixture of a source in one home; where two have a file of the same name, the first one's stays. */
function homeOf(source: string): string {
  const home = join(folder, source);
  for (const fixture of FIXTURES.filter((each) => each.source.id === source))
    cpSync(fixture.home, home, { recursive: true, force: false });
  return home;
}

async function expectSameAnswers(catalog: Catalog): Promise<number> {
  await index(catalog);
  const list = await listSessions(catalog, store, {}, { facets: true });
  expect(list).toEqual(await listFromFiles(catalog, {}, { facets: true }));
  expect(await overviewOf(catalog, store, now)).toEqual(await overviewFromFiles(catalog, now));
  return list.total;
}

describe.each(FIXTURES.map((fixture) => [fixture.name, fixture] as const))("%s", (_name, fixture) => {
  it("is told by the store as by its files", async () => {
    const home = join(folder, "home");
    cpSync(fixture.home, home, { recursive: true });
    const alone = { ...fixture.source, locate: () => [home] };
    const environment = { platform: "linux", homeDir: folder, vars: {} } as const;
    const catalog = openCatalog([alone], environment, counting);
    expect(await expectSameAnswers(catalog)).toBe(Object.keys(fixture.expected.sessions).length);
  });
});

describe("what is typed to filter a list", () => {
  const odd = [
    "100% done_now",
    "100 done now",
    "ÜBUNG macht's",
    'a "quoted" name\\',
    "%_%",
    "x'; DROP TABLE sessions",
  ];
  const found = async (catalog: Catalog, text: string): Promise<number[]> => {
    const { sessions } = await listSessions(catalog, store, { text });
    expect(sessions, text).toEqual((await listFromFiles(catalog, { text })).sessions);
    return sessions.map(({ id }) => Number(id.at(-1))).sort();
  };

  it("is taken as it is, in any case, and looked for where a session is known by", async () => {
    const home = join(folder, "copilot");
    for (const [number, steps] of odd
      .map((text) => [{ does: "ask", text, attached: false }] as const)
      .entries())
      for (const [file, content] of Object.entries(copilotFiles(number, steps))) {
        mkdirSync(dirname(join(home, file)), { recursive: true });
        writeFileSync(join(home, file), content);
      }
    const catalog = catalogIn({ COPILOT_HOME: home });
    await index(catalog);
    const last = (...numbers: number[]) => numbers.map((number) => Number(copilotId(number).at(-1))).sort();
    expect(await found(catalog, "%")).toEqual(last(0, 4));
    expect(await found(catalog, "_")).toEqual(last(0, 4));
    expect(await found(catalog, "übung")).toEqual(last(2));
    expect(await found(catalog, "DONE 100")).toEqual(last(0, 1));
    expect(await found(catalog, '"quoted" \\')).toEqual(last(3));
    expect(await found(catalog, "'; drop")).toEqual(last(5));
    expect(await found(catalog, "  ")).toHaveLength(odd.length);
    expect(await found(catalog, "nowhere to be found")).toEqual([]);
  });

  it("does not go beyond the start of the first prompt", async () => {
    const home = join(folder, "copilot");
    const text = `${"far ".repeat(60)}needle`;
    const steps = [
      { does: "ask", text, attached: false },
      { does: "ask", text: "thimble", attached: false },
    ] as const;
    for (const [file, content] of Object.entries(copilotFiles(0, steps))) {
      mkdirSync(dirname(join(home, file)), { recursive: true });
      writeFileSync(join(home, file), content);
    }
    const catalog = catalogIn({ COPILOT_HOME: home });
    await index(catalog);
    expect(await found(catalog, "far")).toHaveLength(1);
    expect(await found(catalog, "needle")).toEqual([]);
    expect(await found(catalog, "thimble")).toEqual([]);
  });
});

describe("the demo", () => {
  const demo = async (): Promise<Catalog> => {
    await createDemo({ fs: localFs, sources: SOURCES, home: folder, now });
    return catalogIn(demoVars(demoFolder(folder)));
  };

  it("is told by the store as by its files, however the question is narrowed", async () => {
    const catalog = await demo();
    expect(await expectSameAnswers(catalog)).toBeGreaterThan(35);
    for (const filter of [
      { sources: ["vscode", "claude-code"] },
      { workspace: "storefront" },
      { workspace: join(demoFolder(folder), "work") },
      { repository: "LUMEN-SHOP/" },
      { branch: "main" },
      { since: "2026-10-01T00:00:00.000Z", until: "2026-11-01T00:00:00.000Z" },
      { text: "LOGIN  flaky" },
      { text: "storefront main" },
      { problems: true },
      { copies: true },
      { copies: true, recordedCopies: [await unrelated(catalog)] },
      { model: "gpt-5", exact: false },
      { branch: "main", repository: "lumen-shop/storefront", exact: true },
      { text: "storefront", sources: ["copilot-cli"], copies: true },
    ] as const) {
      const page = { limit: 3, facets: true };
      const list = await listSessions(catalog, store, filter, page);
      expect(list.total, JSON.stringify(filter)).toBeGreaterThan(0);
      expect(list, JSON.stringify(filter)).toEqual(await listFromFiles(catalog, filter, page));
    }
  });

  /** One that is no copy. */
  const unrelated = async (catalog: Catalog): Promise<string> => {
    const { sessions } = await listSessions(catalog, store, {});
    const found = sessions.find(({ parent }) => parent === undefined);
    return found ? `${found.source}:${found.id}` : "";
  };

  it("has as many sessions of each kind as its facets say, with the other filters as they are", async () => {
    const catalog = await demo();
    await index(catalog);
    const count = async (filter: SessionFilter) => (await listSessions(catalog, store, filter)).total;
    for (const filter of [{}, { text: "e", branch: "main", exact: true }] as const) {
      const { facets } = await listSessions(catalog, store, filter, { facets: true });
      expect(facets?.source.length).toBeGreaterThan(1);
      for (const { value, count: n } of facets?.source ?? [])
        expect(await count({ ...filter, sources: [value] }), value).toBe(n);
      for (const name of ["repository", "branch", "model", "workspace"] as const) {
        const values = facets?.[name] ?? [];
        expect(values.length, name).toBeGreaterThan(1);
        expect(
          values.map((each) => each.count),
          name,
        ).toEqual(values.map((each) => each.count).toSorted((a, b) => b - a));
        for (const { value, count: n } of values)
          expect(await count({ ...filter, [name]: value, exact: true }), value).toBe(n);
      }
      expect(await count({ ...filter, problems: true })).toBe(facets?.problems);
      expect(await count({ ...filter, copies: true })).toBe(facets?.copies);
    }
  });

  it("is filtered and counted by tags as by what its files say", async () => {
    const catalog = await demo();
    await index(catalog);
    const { sessions } = await listSessions(catalog, store, {});
    const [first, second, third] = sessions;
    if (!first || !second || !third) throw new Error("the demo has too few sessions");
    const given = [
      [first, ["bug", "to review"]],
      [second, ["bug"]],
      [{ source: "vscode", id: "not here" }, ["lost"]],
    ] as const;
    const tags = new Map(given.map(([session, own]) => [`${session.source}:${session.id}`, own]));
    store.begin();
    store.keepTags({
      mark: "1",
      rows: given.flatMap(([{ source, id }, own]) =>
        own.map((tag) => ({ source, session: id, tag, taggedAt: now.toISOString() })),
      ),
    });
    const page = { facets: true };
    for (const [filter, found] of [
      [{ tags: ["bug"] }, [first, second]],
      [{ tags: ["bug", "to review"] }, [first]],
      [{ tags: ["lost"] }, []],
      [{ tags: ["bug"], sources: ["nowhere"] }, []],
      [{}, sessions],
    ] as const) {
      const list = await listSessions(catalog, store, filter, page);
      expect(list.sessions.map(({ id }) => id)).toEqual(found.map(({ id }) => id));
      expect(list).toEqual(await listFromFiles(catalog, filter, page, undefined, tags));
    }
    const { sessions: shown, facets } = await listSessions(catalog, store, { tags: ["to review"] }, page);
    expect(shown.map((each) => each.tags)).toEqual([["bug", "to review"]]);
    // Each tag with how many sessions would have it, too; of sessions that are there.
    expect(facets?.tag).toEqual([
      { value: "bug", count: 1 },
      { value: "to review", count: 1 },
    ]);
    expect((await listSessions(catalog, store, {}, page)).facets?.tag).toEqual([
      { value: "bug", count: 2 },
      { value: "to review", count: 1 },
    ]);
    expect(facets?.source).toEqual([{ value: first.source, count: 1 }]);
  });

  it("opens no session for a list, an overview or a title once it is indexed", async () => {
    const catalog = await demo();
    await index(catalog);
    opened.length = 0;
    await index(catalog);
    await listSessions(catalog, store, {});
    await overviewOf(catalog, store, now);
    const title = "Terraform state is locked";
    const { artifact } = await resolveSession(catalog, title, undefined, {
      titles: async (artifacts) => titlesInStore(store, artifacts),
    });
    const sessions = new Set((await catalog.scan()).artifacts.map((each) => each.path));
    expect(opened.filter((path) => sessions.has(path))).toEqual([]);
    expect((await resolveSession(catalog, title)).artifact).toEqual(artifact);
  });
});

it("asks who has a session open each time, as no log tells", async () => {
  const [copilot, claude] = [homeOf("copilot-cli"), homeOf("claude-code")];
  const catalog = catalogIn({ COPILOT_HOME: copilot, CLAUDE_CONFIG_DIR: claude });
  await index(catalog);
  const { sessions } = await listSessions(catalog, store, {});
  const openNow = async () =>
    (await listSessions(catalog, store, {})).sessions.flatMap(({ id, openIn }) =>
      openIn ? [[id, openIn]] : [],
    );
  const pick = (source: string) => {
    const found = sessions.find((session) => session.source === source && session.resume !== undefined);
    if (!found) throw new Error(`no session of ${source}`);
    return found;
  };
  expect(await openNow()).toEqual([]);
  const [first, second] = [pick("copilot-cli"), pick("claude-code")];
  const [copilotCli, claudeCode] = [pidLike("copilot"), pidLike("claude")];
  writeFileSync(join(dirname(first.path), `inuse.${copilotCli}.lock`), `${copilotCli}\n`);
  mkdirSync(join(claude, "sessions"), { recursive: true });
  writeFileSync(
    join(claude, "sessions", `${claudeCode}.json`),
    JSON.stringify({ pid: claudeCode, sessionId: second.id }),
  );
  expect((await openNow()).sort()).toEqual(
    [
      [first.id, copilotCli],
      [second.id, claudeCode],
    ].sort(),
  );
  expect(await listSessions(catalog, store, {})).toEqual(await listFromFiles(catalog, {}));
});

it("has fixtures of every source to compare", () => {
  expect(readdirSync(join(import.meta.dirname, "../fixtures")).sort()).toEqual(
    SOURCES.map((source) => source.id).sort(),
  );
});
