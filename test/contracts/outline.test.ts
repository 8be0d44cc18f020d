/** An outline is told by the store as by the log, and by the store without a byte of the log. */
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDemo } from "../../src/demo/create.ts";
import { demoFolder, demoVars } from "../../src/demo/places.ts";
import { refresh } from "../../src/indexer/refresh.ts";
import { fixOf } from "../../src/model/problem.ts";
import type { Artifact } from "../../src/model/session/session.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import type { SessionFs } from "../../src/platform/fs/session-fs.ts";
import type { Database } from "../../src/platform/sqlite/sqlite.ts";
import { outlineOf, type SessionOutline } from "../../src/query/outline.ts";
import { locateSession, type Naming } from "../../src/query/resolve.ts";
import { turnsOf } from "../../src/query/turns.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import type { Source } from "../../src/sources/source.ts";
import { findArtifacts } from "../../src/store/known-artifacts.ts";
import { openStore } from "../../src/store/open.ts";
import { findOutline } from "../../src/store/outline.ts";
import { createSessionStore, type SessionStore } from "../../src/store/session-store.ts";
import { findTurns } from "../../src/store/turn-ranges.ts";
import { claudeFiles, copilotFiles, copilotId, type Step, vsCodeFiles } from "../made-up-turns.ts";
import { FIXTURES } from "./fixtures.ts";

const now = new Date("2026-11-15T12:00:00.000Z");
let folder: string;
let db: Database;
let store: SessionStore;
/** How many bytes of each file were read. */
let bytes: Map<string, number>;

const counting: SessionFs = {
  ...localFs,
  async *chunks(path, range) {
    for await (const chunk of localFs.chunks(path, range)) {
      bytes.set(path, (bytes.get(path) ?? 0) + chunk.length);
      yield chunk;
    }
  },
  async read(path, range) {
    const content = await localFs.read(path, range);
    bytes.set(path, (bytes.get(path) ?? 0) + content.length);
    return content;
  },
};

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-outline-")));
  db = openStore({ folder: join(folder, "data"), now: () => now, notice: () => undefined });
  store = createSessionStore(db);
  bytes = new Map();
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

const index = (catalog: Catalog) => refresh(catalog, store, { outputHead: 256, now: () => now });
const open = (sources: readonly Source[], vars: Record<string, string> = {}): Catalog =>
  openCatalog(sources, { platform: "linux", homeDir: join(folder, "nowhere"), vars }, counting);
const nameOf = ({ source, id }: Artifact): string => `${source}:${id}`;
const stored = async (artifact: Artifact) => findOutline(db, artifact, store.rowsVersion);

/** What only a look at all sessions tells, or at records that make no event, is not compared. */
const comparable = ({ session, turns, ...outline }: SessionOutline) => {
  const { parent: _, parentFrom: __, repository: ___, repositoryFrom: ____, ...own } = session;
  return { ...outline, turns: turns.map(({ estimatedTokens: _____, ...turn }) => turn), session: own };
};

/** Who skims knows how long a result is in the log, where some characters are written as two: the estimate is near. */
function expectNear(asked: SessionOutline, read: SessionOutline): void {
  for (const [at, { estimatedTokens }] of asked.turns.entries()) {
    const other = read.turns[at]?.estimatedTokens ?? 0;
    expect(Math.abs(estimatedTokens - other)).toBeLessThanOrEqual(Math.ceil(other * 0.15));
  }
}
const HIDDEN_DAMAGE = "dddddddd-0000-4000-8000-000000000008";

async function expectSameOutlines(catalog: Catalog): Promise<number> {
  await index(catalog);
  let known = 0;
  for (const artifact of (await catalog.scan()).artifacts) {
    if (artifact.id === HIDDEN_DAMAGE) continue;
    const read = await outlineOf(catalog, nameOf(artifact));
    bytes.clear();
    const asked = await outlineOf(catalog, nameOf(artifact), { stored });
    expect(comparable(asked), artifact.path).toEqual(comparable(read));
    expectNear(asked, read);
    expect(asked.turns, artifact.path).toHaveLength(asked.session.turns);
    if (asked.session.turns === 0) continue;
    known++;
    expect(bytes.get(artifact.path) ?? 0, artifact.path).toBe(0);
    const { preamble } = await turnsOf(catalog, nameOf(artifact), { to: 0 });
    expect(asked.hasPreamble, artifact.path).toBe(preamble.length > 0);
  }
  return known;
}

it.each(FIXTURES.map((fixture) => [fixture.name, fixture] as const))(
  "%s is told by the store as by its files",
  async (_name, { source, home: from }) => {
    const home = join(folder, "home");
    cpSync(from, home, { recursive: true });
    await expectSameOutlines(open([{ ...source, locate: () => [home] }]));
  },
);

it("the demo is told by the store as by its files", { timeout: 60_000 }, async () => {
  await createDemo({ fs: localFs, sources: SOURCES, home: folder, now });
  const catalog = open(SOURCES, demoVars(demoFolder(folder)));
  expect(await expectSameOutlines(catalog)).toBeGreaterThan(35);
  const all = [];
  for (const artifact of (await catalog.scan()).artifacts)
    all.push(...(await outlineOf(catalog, nameOf(artifact), { stored })).turns);
  expect(all.some(({ failedCalls, toolCalls }) => failedCalls > 0 && toolCalls > failedCalls)).toBe(true);
  expect(all.some(({ filesChanged }) => filesChanged > 1)).toBe(true);
  expect(all.some(({ hasCheckpoint }) => hasCheckpoint)).toBe(true);
  expect(all.every(({ prompt }) => prompt.length <= 201 && !prompt.includes("\n"))).toBe(true);
});

function homeWith(steps: readonly Step[]): Catalog {
  const home = join(folder, "home");
  const files = {
    ...prefixed("copilot", copilotFiles(0, steps)),
    ...prefixed("claude", claudeFiles(0, steps)),
    ...prefixed("vscode", vsCodeFiles([steps])),
  };
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), content);
  }
  return open(SOURCES, {
    COPILOT_HOME: join(home, "copilot"),
    CLAUDE_CONFIG_DIR: join(home, "claude"),
    VSCODE_STORAGE_PATH: join(home, "vscode"),
  });
}
const prefixed = (below: string, files: Record<string, string | Uint8Array>) =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [join(below, name), content]));

const log = (): string => join(folder, "home/copilot/session-state", copilotId(0), "events.jsonl");
let records = 10;
const append = (type: string, data: object): void => {
  const id = `fee10000-0000-4000-8000-0000000003${records++}`;
  const record = { type, data, id, timestamp: "2026-11-01T11:00:00.000Z", parentId: null };
  appendFileSync(log(), `${JSON.stringify(record)}\n`);
};
const edit = (toolCallId: string, path: string): void => {
  const args = { path, old_str: "a", new_str: "b" };
  const request = { toolCallId, name: "edit", arguments: args };
  append("assistant.message", {
    messageId: toolCallId,
    content: "",
    model: "gpt-5.4",
    toolRequests: [request],
  });
  append("tool.execution_start", { toolCallId, toolName: "edit", arguments: args });
  append("tool.execution_complete", { toolCallId, success: true, result: { content: "ok" } });
};

it("counts the files of a turn once, however its log was read", async () => {
  const catalog = homeWith([{ does: "ask", text: "Change them", attached: false }]);
  edit("call_a", "/srv/shop/a.ts");
  await index(catalog);
  edit("call_b", "/srv/shop/a.ts");
  edit("call_c", "/srv/shop/b.ts");
  expect((await index(catalog)).indexed).toBe(1);
  const name = `copilot-cli:${copilotId(0)}`;
  const asked = await outlineOf(catalog, name, { stored });
  expect(asked.turns).toMatchObject([{ toolCalls: 3, failedCalls: 0, filesChanged: 2 }]);
  expect(comparable(asked)).toEqual(comparable(await outlineOf(catalog, name)));
});

it("tells the start of a prompt on one line, whatever it is made of", async () => {
  const prompts = [`  two\n\tlines  `, "😀".repeat(300), `begins${" ".repeat(500)}ends`, "x".repeat(5000)];
  const catalog = homeWith(prompts.map((text) => ({ does: "ask", text, attached: false })));
  await index(catalog);
  for (const artifact of (await catalog.scan()).artifacts) {
    const { turns } = await outlineOf(catalog, nameOf(artifact), { stored });
    expect(turns.map(({ prompt }) => prompt)).toEqual([
      "two lines",
      `${"😀".repeat(100)}…`,
      "begins",
      `${"x".repeat(200)}…`,
    ]);
    expect(turns).toEqual((await outlineOf(catalog, nameOf(artifact))).turns);
  }
});

it("tells what helps against a problem, from the store", async () => {
  const catalog = homeWith([{ does: "ask", text: "Begin", attached: false }]);
  appendFileSync(log(), "{ not a record }\n");
  await index(catalog);
  const name = `copilot-cli:${copilotId(0)}`;
  const asked = await outlineOf(catalog, name, { stored });
  expect(asked.problems).toMatchObject([{ code: "record-unreadable", remedy: { action: "rescue" } }]);
  expect(asked.problems.map(fixOf)).toEqual([`rethread rescue copilot-cli:${copilotId(0)}`]);
  expect(asked.problems).toEqual((await outlineOf(catalog, name)).problems);
});

it("reads the log where it has changed since it was indexed", async () => {
  const catalog = homeWith([{ does: "ask", text: "Begin", attached: false }]);
  await index(catalog);
  append("user.message", { content: "Go on", attachments: [] });
  bytes.clear();
  const { turns } = await outlineOf(catalog, `copilot-cli:${copilotId(0)}`, { stored });
  expect(turns.map(({ prompt }) => prompt)).toEqual(["Begin", "Go on"]);
  expect(bytes.get(log())).toBeGreaterThan(0);
});

it("is told, and turns are found, without the pages of the store that hold what was said", async () => {
  const catalog = homeWith([{ does: "ask", text: "Begin", attached: false }]);
  await index(catalog);
  const [artifact] = (await catalog.scan(["copilot-cli"])).artifacts;
  if (!artifact) throw new Error("no session");
  const asked: string[] = [];
  const listening = new Proxy(db, {
    get: (_, name) =>
      name === "prepare"
        ? (sql: string) => {
            asked.push(sql);
            return db.prepare(sql);
          }
        : Reflect.get(db, name),
  });
  expect(findOutline(listening, artifact, store.rowsVersion)?.turns).toHaveLength(1);
  expect(findTurns(listening, artifact, store.rowsVersion, { first: 0, count: 9 })?.turns).toHaveLength(1);
  const plans = asked
    .filter((sql) => /FROM (turns|tool_calls)/.test(sql))
    .map((sql) =>
      db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => String(detail)),
    );
  const lookups = plans.flat().filter((detail) => /^SEARCH (t|turns|tool_calls) /.test(detail));
  expect(lookups).toHaveLength(3);
  for (const lookup of lookups) expect(lookup).toContain("USING COVERING INDEX");
});

describe("a session that is named by its whole key", () => {
  let scans = 0;
  const naming: Naming = { recall: async (key) => findArtifacts(db, key) };
  const counted = (catalog: Catalog): Catalog => ({
    ...catalog,
    scan(only) {
      scans++;
      return catalog.scan(only);
    },
  });

  it("is found where it was indexed, without a scan of all others", { timeout: 60_000 }, async () => {
    await createDemo({ fs: localFs, sources: SOURCES, home: folder, now });
    const catalog = counted(open(SOURCES, demoVars(demoFolder(folder))));
    await index(catalog);
    for (const artifact of (await catalog.scan()).artifacts) {
      const name = nameOf(artifact);
      const scanned = await outlineOf(catalog, name, { stored });
      if (scanned.session.turns === 0) continue;
      scans = 0;
      expect(await outlineOf(catalog, name, { stored, naming }), name).toEqual(scanned);
      expect(await locateSession(catalog, name, undefined, naming)).toEqual(artifact);
      expect(scans, name).toBe(0);
    }
  });

  it("is looked for everywhere when it is not there any more, or in two places", async () => {
    const catalog = counted(homeWith([{ does: "ask", text: "Begin", attached: false }]));
    await index(catalog);
    const name = `copilot-cli:${copilotId(0)}`;
    scans = 0;
    await locateSession(catalog, name, undefined, naming);
    expect(scans).toBe(0);
    for (const other of [name.slice(0, -1), copilotId(0), "latest"])
      await locateSession(catalog, other, undefined, naming);
    expect(scans).toBe(3);
    rmSync(dirname(log()), { recursive: true });
    await expect(locateSession(catalog, name, undefined, naming)).rejects.toMatchObject({
      code: "session-not-found",
    });
    const two = async () => [{ path: log() }, { path: `${log()}.copy` }];
    await expect(locateSession(catalog, name, undefined, { recall: two })).rejects.toThrow();
    const outside = async () => [{ path: join(folder, "elsewhere.jsonl") }];
    writeFileSync(join(folder, "elsewhere.jsonl"), "{}");
    await expect(locateSession(catalog, name, undefined, { recall: outside })).rejects.toThrow();
  });
});
