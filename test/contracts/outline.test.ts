/** An outline is told by the store as by the log, and by the store without a byte of the log. */
import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixOf } from "../../src/model/problem.ts";
import type { Artifact } from "../../src/model/session/session.ts";
import { outlineOf, type SessionOutline } from "../../src/query/outline.ts";
import { locateSession, type Naming } from "../../src/query/resolve.ts";
import { turnsOf } from "../../src/query/turns.ts";
import type { Catalog } from "../../src/sources/catalog.ts";
import { findArtifacts } from "../../src/store/known-artifacts.ts";
import { findOutline } from "../../src/store/outline.ts";
import { findTurns } from "../../src/store/turn-ranges.ts";
import { copilotId } from "../made-up-turns.ts";
import { nameOf, useCountedHomes } from "./counted-homes.ts";
import { FIXTURES } from "./fixtures.ts";

const homes = useCountedHomes();
const { bytes, index } = homes;
const stored = async (artifact: Artifact) => findOutline(homes.store.db, artifact, homes.store.rowsVersion);

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
  async (_name, fixture) => {
    await expectSameOutlines(homes.fixture(fixture));
  },
);

it("the demo is told by the store as by its files", { timeout: 60_000 }, async () => {
  const catalog = await homes.demo();
  expect(await expectSameOutlines(catalog)).toBeGreaterThan(35);
  const all = [];
  for (const artifact of (await catalog.scan()).artifacts)
    all.push(...(await outlineOf(catalog, nameOf(artifact), { stored })).turns);
  expect(all.some(({ failedCalls, toolCalls }) => failedCalls > 0 && toolCalls > failedCalls)).toBe(true);
  expect(all.some(({ filesChanged }) => filesChanged > 1)).toBe(true);
  expect(all.some(({ hasCheckpoint }) => hasCheckpoint)).toBe(true);
  expect(all.every(({ prompt }) => prompt.length <= 201 && !prompt.includes("\n"))).toBe(true);
});

const log = (): string => join(homes.folder, "home/copilot/session-state", copilotId(0), "events.jsonl");
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
  const catalog = homes.homes([[{ does: "ask", text: "Change them", attached: false }]]);
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
  const catalog = homes.homes([prompts.map((text) => ({ does: "ask", text, attached: false }))]);
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
  const catalog = homes.homes([[{ does: "ask", text: "Begin", attached: false }]]);
  appendFileSync(log(), "{ not a record }\n");
  await index(catalog);
  const name = `copilot-cli:${copilotId(0)}`;
  const asked = await outlineOf(catalog, name, { stored });
  expect(asked.problems).toMatchObject([{ code: "record-unreadable", remedy: { action: "rescue" } }]);
  expect(asked.problems.map(fixOf)).toEqual([`rethread rescue copilot-cli:${copilotId(0)}`]);
  expect(asked.problems).toEqual((await outlineOf(catalog, name)).problems);
});

it("reads the log where it has changed since it was indexed", async () => {
  const catalog = homes.homes([[{ does: "ask", text: "Begin", attached: false }]]);
  await index(catalog);
  append("user.message", { content: "Go on", attachments: [] });
  bytes.clear();
  const { turns } = await outlineOf(catalog, `copilot-cli:${copilotId(0)}`, { stored });
  expect(turns.map(({ prompt }) => prompt)).toEqual(["Begin", "Go on"]);
  expect(bytes.get(log())).toBeGreaterThan(0);
});

it("is told, and turns are found, without the pages of the store that hold what was said", async () => {
  const catalog = homes.homes([[{ does: "ask", text: "Begin", attached: false }]]);
  await index(catalog);
  const [artifact] = (await catalog.scan(["copilot-cli"])).artifacts;
  if (!artifact) throw new Error("no session");
  const asked: string[] = [];
  const listening = new Proxy(homes.store.db, {
    get: (_, name) =>
      name === "prepare"
        ? (sql: string) => {
            asked.push(sql);
            return homes.store.db.prepare(sql);
          }
        : Reflect.get(homes.store.db, name),
  });
  expect(findOutline(listening, artifact, homes.store.rowsVersion)?.turns).toHaveLength(1);
  expect(findTurns(listening, artifact, homes.store.rowsVersion, { first: 0, count: 9 })?.turns).toHaveLength(
    1,
  );
  const plans = asked
    .filter((sql) => /FROM (turns|call_rows)/.test(sql))
    .map((sql) =>
      homes.store.db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => String(detail)),
    );
  const lookups = plans.flat().filter((detail) => /^SEARCH (t|turns|call_rows) /.test(detail));
  expect(lookups).toHaveLength(3);
  for (const lookup of lookups) expect(lookup).toContain("USING COVERING INDEX");
});

describe("a session that is named by its whole key", () => {
  let scans = 0;
  const naming: Naming = { recall: async (key) => findArtifacts(homes.store.db, key) };
  const counted = (catalog: Catalog): Catalog => ({
    ...catalog,
    scan(only) {
      scans++;
      return catalog.scan(only);
    },
  });

  it("is found where it was indexed, without a scan of all others", { timeout: 60_000 }, async () => {
    const catalog = counted(await homes.demo());
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
    const catalog = counted(homes.homes([[{ does: "ask", text: "Begin", attached: false }]]));
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
    const outside = async () => [{ path: join(homes.folder, "elsewhere.jsonl") }];
    writeFileSync(join(homes.folder, "elsewhere.jsonl"), "{}");
    await expect(locateSession(catalog, name, undefined, { recall: outside })).rejects.toThrow();
  });
});
