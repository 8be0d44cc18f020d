/** Some turns of a session are those that reading all of it tells, and of a long log little else is read for them. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Artifact } from "../../src/model/session/session.ts";
import type { Part, Turn } from "../../src/model/session/turns.ts";
import { showSession } from "../../src/query/show.ts";
import type { StoredPlaces } from "../../src/query/turn-range.ts";
import { MOST_TURNS, type TurnsRequest, turnsOf } from "../../src/query/turns.ts";
import type { Catalog } from "../../src/sources/catalog.ts";
import { findTurns } from "../../src/store/turn-ranges.ts";
import { claudeId, conversations, copilotId, type Step } from "../made-up-turns.ts";
import { nameOf, useCountedHomes } from "./counted-homes.ts";
import { FIXTURES } from "./fixtures.ts";

const homes = useCountedHomes();
const { bytes, index } = homes;
const withStore: StoredPlaces = {
  leastLog: 0,
  storedTurns: async (artifact, which) => findTurns(homes.store.db, artifact, homes.store.rowsVersion, which),
};

/** As `show` tells a session, each turn as it was when it was told. */
async function shown(catalog: Catalog, artifact: Artifact) {
  const [preamble, turns]: [Part[], Turn[]] = [[], []];
  await showSession(
    catalog,
    nameOf(artifact),
    {},
    {
      head: () => undefined,
      preamble: (parts) => void preamble.push(...structuredClone(parts)),
      turn: (turn) => void turns.push(structuredClone(turn)),
    },
  );
  return { preamble, turns };
}

/** All of it, and every few turns of it, with the store and without. */
async function expectSamePages(catalog: Catalog, step = 2): Promise<void> {
  await index(catalog);
  for (const artifact of (await catalog.scan()).artifacts) {
    const { preamble, turns } = await shown(catalog, artifact);
    const pages: TurnsRequest[] = [{}];
    for (let from = 0; from < turns.length + 2; from += step) pages.push({ from, to: from + 2 });
    for (const page of pages) {
      const { from = 0, to = turns.length } = page;
      const expected = {
        session: { source: artifact.source, id: artifact.id },
        total: turns.length,
        preamble: from === 0 ? preamble : [],
        turns: turns.slice(from, to + 1),
      };
      const about = `${artifact.path} ${JSON.stringify(page)}`;
      expect(await turnsOf(catalog, nameOf(artifact), page), about).toEqual(expected);
      expect(await turnsOf(catalog, nameOf(artifact), page, withStore), about).toEqual(expected);
    }
  }
}

it.each(FIXTURES.map((fixture) => [fixture.name, fixture] as const))(
  "%s is told the same, page by page",
  async (_name, fixture) => {
    await expectSamePages(homes.fixture(fixture));
  },
);

it("the demo is told the same, page by page", { timeout: 60_000 }, async () => {
  await expectSamePages(await homes.demo(), 5);
});

it("made-up sessions are told the same, page by page", { timeout: 60_000 }, async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(conversations, { minLength: 2, maxLength: 2 }), async (chats) => {
      await expectSamePages(homes.homes(chats, `home-${run++}`));
    }),
    { numRuns: 4 },
  );
});

const long = (turns: number): Step[] =>
  Array.from({ length: turns }, (): Step[] => [
    { does: "ask", text: "Look into it", attached: false },
    { does: "call" },
    { does: "answer" },
  ]).flat();
const TURNS = 500;

describe.each([
  ["copilot-cli", copilotId(0)],
  ["claude-code", claudeId(0)],
])("a long log of %s", (_source, id) => {
  const opened = async (): Promise<{ catalog: Catalog; artifact: Artifact }> => {
    const catalog = homes.homes([long(TURNS)]);
    await index(catalog);
    const artifact = (await catalog.scan()).artifacts.find((each) => each.id === id) as Artifact;
    return { catalog, artifact };
  };
  const read = ({ path, fingerprint }: Artifact): number => (bytes.get(path) ?? 0) / fingerprint.size;

  it("is read only where the turns stand", async () => {
    const { catalog, artifact } = await opened();
    for (const [from, to] of [
      [0, 4],
      [1, 5],
      [TURNS - 5, TURNS - 1],
    ] as const) {
      bytes.clear();
      const page = await turnsOf(catalog, nameOf(artifact), { from, to }, withStore);
      expect(page.turns.map((turn) => turn.index)).toEqual([from, from + 1, from + 2, from + 3, to]);
      expect(page.total).toBe(TURNS);
      expect(read(artifact), `${from}`).toBeLessThan(0.02);
    }
  });

  it("is read the same way where something is wrong with the session elsewhere in the log", async () => {
    const { catalog, artifact: before } = await opened();
    appendFileSync(before.path, "{ not a record }\n");
    await index(catalog);
    const artifact = (await catalog.scan()).artifacts.find((each) => each.id === id) as Artifact;
    expect(
      homes.store.db.prepare("SELECT problem_count FROM sessions WHERE path = ?").get(artifact.path),
    ).toEqual({
      problem_count: 1,
    });
    bytes.clear();
    const page = await turnsOf(catalog, nameOf(artifact), { from: 3, to: 5 }, withStore);
    expect(page).toEqual(await turnsOf(catalog, nameOf(artifact), { from: 3, to: 5 }));
    bytes.clear();
    await turnsOf(catalog, nameOf(artifact), { from: 3, to: 5 }, withStore);
    expect(read(artifact)).toBeLessThan(0.02);
  });

  it("is read whole where it has changed since it was indexed", async () => {
    const { catalog, artifact } = await opened();
    appendFileSync(artifact.path, "\n");
    bytes.clear();
    expect((await turnsOf(catalog, nameOf(artifact), { from: 1, to: 2 }, withStore)).turns).toHaveLength(2);
    expect(read(artifact)).toBeGreaterThanOrEqual(1);
  });

  it("comes in answers of a bounded length, each of which says where the next one begins", async () => {
    const { catalog, artifact } = await opened();
    for (const places of [withStore, {}]) {
      const indexes: number[] = [];
      let from: number | undefined = 0;
      while (from !== undefined) {
        const page = await turnsOf(catalog, nameOf(artifact), { from }, places);
        expect(page.turns.length).toBeLessThanOrEqual(MOST_TURNS);
        indexes.push(...page.turns.map((turn) => turn.index));
        from = page.next;
      }
      expect(indexes).toEqual(Array.from({ length: TURNS }, (_, at) => at));
    }
  });

  it("has no turns beyond its end, and none before its first", async () => {
    const { catalog, artifact } = await opened();
    for (const places of [withStore, {}]) {
      const beyond = await turnsOf(catalog, nameOf(artifact), { from: TURNS, to: TURNS + 5 }, places);
      expect(beyond).toMatchObject({ turns: [], total: TURNS });
      expect(beyond.next).toBeUndefined();
      const across = await turnsOf(catalog, nameOf(artifact), { from: TURNS - 1, to: TURNS + 5 }, places);
      expect(across.turns).toHaveLength(1);
    }
    await expect(turnsOf(catalog, nameOf(artifact), { from: 2, to: 1 })).rejects.toMatchObject({
      code: "usage",
    });
  });
});

it("does not take bytes for turns that they are not", async () => {
  const catalog = homes.homes([long(6)]);
  await index(catalog);
  const name = `copilot-cli:${copilotId(0)}`;
  const whole = await turnsOf(catalog, name, { from: 1, to: 3 });
  homes.store.db.exec("UPDATE turns SET byte_end = byte_end - 1 WHERE turn_index = 3");
  expect(await turnsOf(catalog, name, { from: 1, to: 3 }, withStore)).toEqual(whole);
  homes.store.db.exec("UPDATE turns SET digest = digest + 1 WHERE turn_index = 2");
  expect(await turnsOf(catalog, name, { from: 1, to: 3 }, withStore)).toEqual(whole);
});

it("cuts an answer before it is too large to hold, and tells a turn alone that is", {
  timeout: 60_000,
}, async () => {
  const catalog = homes.homes([long(4)]);
  const log = join(homes.folder, "home/copilot/session-state", copilotId(0), "events.jsonl");
  const text = "x".repeat(3_000_000);
  for (let turn = 4; turn < 20; turn++)
    for (const [type, data] of [
      ["user.message", { content: text, attachments: [] }],
      ["assistant.message", { messageId: `m${turn}`, content: "Done", model: "gpt-5.4", toolRequests: [] }],
    ] as const) {
      const id = `fee10000-0000-4000-8000-0000000${type === "user.message" ? 1 : 2}00${turn + 10}`;
      const record = { type, data, id, timestamp: "2026-11-01T11:00:00.000Z", parentId: null };
      appendFileSync(log, `${JSON.stringify(record)}\n`);
    }
  await index(catalog);
  const name = `copilot-cli:${copilotId(0)}`;
  for (const places of [withStore, {}]) {
    const { turns, total, next } = await turnsOf(catalog, name, {}, places);
    expect([turns.length, total, next]).toEqual([15, 20, 15]);
    expect((await turnsOf(catalog, name, { from: 15 }, places)).turns).toHaveLength(5);
  }
});
