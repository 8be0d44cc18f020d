/** One turn read by its bytes is the turn that reading everything tells, and hardly a byte more is read for it. */
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { AppError } from "../../src/model/errors.ts";
import type { Problem } from "../../src/model/problem.ts";
import type { Artifact, Session } from "../../src/model/session/session.ts";
import type { Turn } from "../../src/model/session/turns.ts";
import { type ShowOptions, type StoredPlaces, showSession } from "../../src/query/show.ts";
import type { Catalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { findTurns } from "../../src/store/turn-ranges.ts";
import { claudeId, conversations, copilotId, type Step } from "../made-up-turns.ts";
import { writeTranscript } from "../real/claude-rows.ts";
import { useCountedHomes } from "./counted-homes.ts";
import { FIXTURES } from "./fixtures.ts";

const homes = useCountedHomes();
const { bytes, index } = homes;

interface Answer {
  readonly session?: Session;
  readonly problems?: readonly Problem[];
  readonly turns: readonly Turn[];
  readonly failed?: string;
}

/** As a page has it: what changes after a turn was told is not in it any more. */
async function ask(
  catalog: Catalog,
  { source, id }: Artifact,
  options: ShowOptions & StoredPlaces,
): Promise<Answer> {
  const answer: { -readonly [K in keyof Answer]: Answer[K] } & { turns: Turn[] } = { turns: [] };
  try {
    await showSession(catalog, `${source}:${id}`, options, {
      head: (session, problems) => Object.assign(answer, { session, problems }),
      preamble: () => undefined,
      turn: (turn) => void answer.turns.push(structuredClone(turn)),
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    answer.failed = error.message;
  }
  return answer;
}

/** How often the store knew the place. */
let known = 0;
const withStore = (turn: number): ShowOptions & StoredPlaces => ({
  turn,
  leastLog: 0,
  storedTurns: async (artifact, which) => {
    const found = findTurns(homes.store.db, artifact, homes.store.rowsVersion, which);
    if (found?.turns[0]?.range) known++;
    return found;
  },
});

/** Its only damage is in a record that makes no event, which no index notices; `show` without a turn and `doctor` tell it. */
const HIDDEN_DAMAGE = "dddddddd-0000-4000-8000-000000000008";
const asIndexed = (answer: Answer): Answer =>
  answer.session ? { ...answer, session: { ...answer.session, problems: 0 }, problems: [] } : answer;

/** Every turn of every session, and one that is not there; gives back how many turns were read by their bytes alone. */
async function expectSameTurns(catalog: Catalog): Promise<{ turns: number; alone: number }> {
  await index(catalog);
  let [turns, alone] = [0, 0];
  for (const artifact of (await catalog.scan()).artifacts) {
    const count = Number(
      homes.store.db
        .prepare("SELECT turn_count AS n FROM sessions WHERE source = ? AND path = ?")
        .get(artifact.source, artifact.path)?.n,
    );
    for (let turn = 0; turn <= count; turn++) {
      const told = await ask(catalog, artifact, { turn });
      const whole = artifact.id === HIDDEN_DAMAGE ? asIndexed(told) : told;
      bytes.clear();
      const fast = await ask(catalog, artifact, withStore(turn));
      const found = artifact.id === HIDDEN_DAMAGE ? asIndexed(fast) : fast;
      expect(found, `${artifact.path} ${turn}`).toEqual(whole);
      turns++;
      // Who reads everything does so twice.
      if ((bytes.get(artifact.path) ?? 0) < artifact.fingerprint.size) alone++;
    }
  }
  return { turns, alone };
}

it.each(FIXTURES.map((fixture) => [fixture.name, fixture] as const))(
  "%s is told the same, turn by turn",
  async (_name, fixture) => {
    await expectSameTurns(homes.fixture(fixture));
  },
);

it("the demo is told the same, turn by turn, mostly by the bytes of the turns", async () => {
  const { turns, alone } = await expectSameTurns(
    await homes.demo(SOURCES.filter(({ id }) => id !== "vscode")),
  );
  expect(alone / turns).toBeGreaterThan(0.5);
});

it("made-up sessions are told the same, turn by turn", { timeout: 60_000 }, async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(conversations, { minLength: 4, maxLength: 4 }), async (chats) => {
      await expectSameTurns(homes.homes(chats, `home-${run++}`));
    }),
    { numRuns: 5 },
  );
});

const long = (turns: number): Step[] =>
  Array.from({ length: turns }, (): Step[] => [
    { does: "ask", text: "Look into it", attached: false },
    { does: "call" },
    { does: "answer" },
  ]).flat();
const TURNS = 400;

it.each([
  ["copilot-cli", copilotId(0)],
  ["claude-code", claudeId(0)],
])("reads one turn of a long log of %s, and little else", async (source, id) => {
  const catalog = homes.homes([long(TURNS)]);
  await index(catalog);
  const artifact = (await catalog.scan()).artifacts.find((each) => each.id === id) as Artifact;
  const { size } = artifact.fingerprint;
  expect(artifact.source).toBe(source);
  for (const turn of [0, 1, TURNS / 2, TURNS - 1]) {
    bytes.clear();
    const { turns } = await ask(catalog, artifact, withStore(turn));
    expect(turns.map((each) => each.index)).toEqual([turn]);
    expect(bytes.get(artifact.path)).toBeLessThan((size / TURNS) * 3);
  }
  // What was written since the store was brought up to date is read from the log itself.
  appendFileSync(artifact.path, "\n");
  bytes.clear();
  expect((await ask(catalog, artifact, withStore(1))).turns).toHaveLength(1);
  expect(bytes.get(artifact.path)).toBeGreaterThanOrEqual(size);
});

it("reads on for a result that comes turns later", async () => {
  const catalog = homes.homes([long(40)]);
  const t = writeTranscript();
  t.prompt("Start it");
  t.call("late");
  for (let turn = 0; turn < 3; turn++) {
    t.prompt(`And ${turn}`);
    t.answer(`Done ${turn}`);
  }
  t.result("late");
  for (let turn = 3; turn < 30; turn++) {
    t.prompt(`And ${turn}`);
    t.answer(`Done ${turn}`);
  }
  const id = claudeId(1);
  writeFileSync(join(homes.folder, "home/claude/projects/-srv-shop", `${id}.jsonl`), t.text());
  await index(catalog);
  const artifact = (await catalog.scan()).artifacts.find((each) => each.id === id) as Artifact;
  bytes.clear();
  const answer = await ask(catalog, artifact, withStore(0));
  expect(answer.turns[0]?.parts).toMatchObject([{ kind: "tool", status: "ok" }]);
  expect(bytes.get(artifact.path)).toBeLessThan(artifact.fingerprint.size);
  expect(answer).toEqual(await ask(catalog, artifact, { turn: 0 }));
});

it("leaves the work of a sub-agent to the turn that started it", async () => {
  const catalog = homes.homes([
    [
      { does: "ask", text: "Delegate it", attached: false },
      { does: "agent" },
      { does: "ask", text: "And meanwhile", attached: false },
      { does: "answer" },
    ],
  ]);
  const log = join(homes.folder, "home/copilot/session-state", copilotId(0), "events.jsonl");
  const late = { messageId: "late", content: "Still at it", model: "gpt-5.4", toolRequests: [] };
  const envelope = {
    id: "fee10000-0000-4000-8000-0000000000ff",
    timestamp: "2026-11-15T12:00:00.000Z",
    parentId: null,
  };
  for (const more of [{ parentToolCallId: "call_1" }, { parentToolCallId: "call_of_nobody" }]) {
    const record = { type: "assistant.message", data: { ...late, ...more }, ...envelope };
    appendFileSync(log, `${JSON.stringify(record)}\n`);
    await index(catalog);
    const artifact = (await catalog.scan()).artifacts.find(({ id }) => id === copilotId(0)) as Artifact;
    const whole = await ask(catalog, artifact, { turn: 1 });
    expect(whole.turns[0]?.parts).toHaveLength(more.parentToolCallId === "call_1" ? 1 : 2);
    expect(await ask(catalog, artifact, withStore(1))).toEqual(whole);
  }
});

it("lets a turn end as the whole log tells, where a fork repeats what its parent used", async () => {
  const catalog = homes.homes([[{ does: "ask", text: "Begin", attached: false }]]);
  const log = join(homes.folder, "home/copilot/session-state", copilotId(0), "events.jsonl");
  let second = 10;
  const append = (type: string, data: object): void => {
    const id = `fee10000-0000-4000-8000-0000000001${second}`;
    const timestamp = `2026-11-01T11:00:${second++}.000Z`;
    appendFileSync(log, `${JSON.stringify({ type, data, id, timestamp, parentId: null })}\n`);
  };
  const used = { model: "gpt-5.4", inputTokens: 1, outputTokens: 1 };
  append("session.usage_record", { usage: { ...used, accounting: { sourceSessionId: "another" } } });
  append("user.message", { content: "Go on", attachments: [] });
  append("assistant.message", { messageId: "m", content: "Done", model: "gpt-5.4", toolRequests: [] });
  append("session.usage_record", { usage: used });
  await index(catalog);
  const artifact = (await catalog.scan()).artifacts.find(({ id }) => id === copilotId(0)) as Artifact;
  const whole = await ask(catalog, artifact, { turn: 1 });
  expect(whole.turns[0]?.endedAt).toBe("2026-11-01T11:00:12.000Z");
  expect(await ask(catalog, artifact, withStore(1))).toEqual(whole);
});

it("does not take bytes for a turn that they are not", async () => {
  const catalog = homes.homes([long(4)]);
  await index(catalog);
  const artifact = (await catalog.scan()).artifacts.find(({ id }) => id === copilotId(0)) as Artifact;
  const whole = await ask(catalog, artifact, { turn: 1 });
  homes.store.db.exec("UPDATE turns SET byte_start = 0, log_line = 1 WHERE turn_index = 1");
  known = 0;
  expect(await ask(catalog, artifact, withStore(1))).toEqual(whole);
  expect(known).toBe(1);
});

it("knows no ranges of VS Code's chats, of which a turn may stand in many lines", async () => {
  await index(homes.homes([long(3)]));
  const ranges =
    "SELECT s.source, count(t.byte_start) AS n FROM turns t JOIN sessions s ON s.id = t.session_id";
  expect(homes.store.db.prepare(`${ranges} GROUP BY 1 ORDER BY 1`).all().map(Object.values)).toEqual([
    ["claude-code", 3],
    ["copilot-cli", 3],
    ["vscode", 0],
  ]);
});
