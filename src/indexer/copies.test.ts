import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { countBothWays } from "../../test/stats/both-ways.ts";
import { everyRelative } from "../model/session/lineage.ts";
import { localFs } from "../platform/fs/local.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";
import { readHeads } from "../query/heads.ts";
import { overviewFromFiles, overviewOf } from "../query/overview.ts";
import { searchPage } from "../query/search.ts";
import { statsOf } from "../query/stats.ts";
import { treeOf } from "../query/tree.ts";
import { openCatalog } from "../sources/catalog.ts";
import { SOURCES } from "../sources/registry.ts";
import { openStore } from "../store/open.ts";
import { parentByTurns } from "../store/parents.ts";
import { createSessionStore } from "../store/session-store.ts";
import { findSessions } from "../store/sessions.ts";
import { rebuild } from "./rebuild.ts";
import { refresh } from "./refresh.ts";

const now = () => new Date("2026-11-15T12:00:00Z");
const options = { outputHead: 256, now, vanished: "remove" } as const;
let folder: string;
let db: Database;

const catalog = () =>
  openCatalog(
    SOURCES,
    {
      platform: "linux",
      homeDir: folder,
      vars: {
        COPILOT_HOME: join(folder, "copilot"),
        CLAUDE_CONFIG_DIR: join(folder, "claude"),
        VSCODE_STORAGE_PATH: join(folder, "code/workspaceStorage"),
      },
    },
    localFs,
  );
const index = () => refresh(catalog(), createSessionStore(db), options);
const put = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const lines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
const uuid = (name: string, at: number) => `${name}0000-0000-4000-8000-${String(at).padStart(12, "0")}`;
const time = (minute: number) => new Date(Date.UTC(2026, 10, 1, 10, minute)).toISOString();

/** Turns of these minutes: a prompt, a tool call, and an answer that took 1000 tokens. */
const claudePath = (id: string) => `claude/projects/-srv/${id}.jsonl`;
const claude = (id: string, minutes: readonly number[], works: readonly number[] = []) => {
  let parent: string | null = null;
  const rows = minutes.flatMap((at) => {
    const row = (type: string, part: number, message: object) => {
      const made = {
        ...{ type, uuid: uuid("aaaa", at * 10 + part), parentUuid: parent, sessionId: id, cwd: "/srv/shop" },
        ...{
          timestamp: time(at),
          version: "2.1.0",
          ...(type === "assistant" && { requestId: `req_${at}_${part}` }),
        },
        message,
      };
      parent = made.uuid;
      return made;
    };
    const usage = { input_tokens: 1000, output_tokens: 10 };
    const model = { role: "assistant", model: "claude-sonnet-4-5", usage };
    const call = { type: "tool_use", id: `toolu_${at}`, name: "Bash", input: { command: "ls" } };
    return [
      {
        ...row("user", 0, { role: "user", content: `Question ${at} about marmalade` }),
        ...(works[minutes.indexOf(at)] !== undefined && { handoff: { work: works[minutes.indexOf(at)] } }),
      },
      row("assistant", 1, { ...model, id: `msg_${at}_1`, content: [call] }),
      row("user", 2, {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: `toolu_${at}`, content: "x" }],
      }),
      row("assistant", 3, { ...model, id: `msg_${at}_3`, content: [{ type: "text", text: `Answer ${at}` }] }),
    ];
  });
  put(claudePath(id), lines(rows));
};
const [ORIGINAL, FORK, SECOND] = [uuid("bbbb", 1), uuid("bbbb", 2), uuid("bbbb", 3)];
const statsNow = () => statsOf(catalog(), { db }, {});
const copies = () =>
  db
    .prepare("SELECT session_id, turn_index, owner FROM turn_copies ORDER BY 1, 2")
    .all()
    .map((row) => `${row.session_id} ${row.turn_index} ${row.owner}`);
const parents = () => Object.fromEntries(findSessions(db, {}).map(({ id, parent }) => [id, parent?.id]));
const rows = () =>
  ["sessions", "turn_copies", "turns"].map((table) =>
    db
      .prepare(`SELECT * FROM ${table}`)
      .all()
      .map((row) => JSON.stringify({ ...row, number: 0, ...(table === "turns" && { id: 0 }) }))
      .sort(),
  );

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-copies-"));
  db = openStore({ folder, now, notice: () => undefined });
});
afterEach(() => {
  if (db.isOpen) {
    const { byTallies, byRows } = countBothWays(db, { filter: {}, cacheApart: ["claude-code"] });
    expect(byTallies).toEqual(byRows);
    db.close();
  }
  rmSync(folder, { recursive: true, force: true });
});

it("counts the work of Claude Code's own forks once, and knows what they came from", async () => {
  claude(ORIGINAL, [0, 1, 2]);
  await index();
  const alone = statsNow().totals;
  claude(FORK, [0, 1, 2, 5]);
  await index();
  claude(SECOND, [0, 1, 2, 5, 7]);
  await index();

  const { totals, models, tools, days } = statsNow();
  expect(alone).toMatchObject({ sessions: 1, turns: 3, toolCalls: 3, modelCalls: 6, inputTokens: 6000 });
  // By message id and request id there are ten model calls.
  expect(totals).toMatchObject({ sessions: 3, turns: 5, toolCalls: 5, modelCalls: 10, inputTokens: 10_000 });
  expect([models[0]?.inputTokens, tools[0]?.toolCalls, days[0]?.turns]).toEqual([10_000, 5, 5]);
  expect(parents()).toEqual({ [ORIGINAL]: undefined, [FORK]: ORIGINAL, [SECOND]: FORK });
  expect([ORIGINAL, FORK].map((id) => parentByTurns(db, { source: "claude-code", id }))).toEqual([
    undefined,
    { id: ORIGINAL, kind: "fork" },
  ]);
  const [family] = treeOf({ db }, []).families;
  expect(family && [...everyRelative(family)].map(({ key, kind }) => [key.id, kind])).toEqual([
    [ORIGINAL, undefined],
    [FORK, "fork"],
    [SECOND, "fork"],
  ]);
  // Each has the turns that it has.
  expect(
    findSessions(db, {})
      .map(({ turns }) => turns)
      .sort(),
  ).toEqual([3, 4, 5]);
  for (const overview of [
    await overviewOf(catalog(), { db }, now()),
    await overviewFromFiles(catalog(), now()),
  ])
    expect([
      overview.sessions,
      overview.turns,
      overview.weeks.reduce((sum, week) => sum + week.turns, 0),
    ]).toEqual([3, 5, 5]);
});

it("leaves an original what it is when its file is made anew, as changes of ours make it, also in a rebuild", async () => {
  claude(ORIGINAL, [0, 1, 2]);
  await index();
  claude(FORK, [0, 1, 2]);
  await index();
  const made = [
    { [ORIGINAL]: undefined, [FORK]: ORIGINAL },
    [0, 1, 2].map((turn) => `${FORK} ${turn} ${ORIGINAL}`),
  ];
  expect([parents(), copies()]).toEqual(made);
  const anew = (minutes: readonly number[]) => {
    // Some disks give the number and the moment of a file that is gone to the next one.
    renameSync(join(folder, claudePath(ORIGINAL)), join(folder, `before-${minutes.length}`));
    claude(ORIGINAL, minutes);
  };
  anew([0, 1]);
  await index();
  anew([0, 1, 2]);
  await index();
  expect([parents(), copies()]).toEqual(made);
  claude(ORIGINAL, [0, 1, 2, 3]);
  await index();
  db.close();
  await rebuild(catalog(), folder, options);
  db = openStore({ folder, now, notice: () => undefined });
  expect([parents(), copies()]).toEqual(made);
});

it("finds a turn once, and names the sessions that have it, too", async () => {
  claude(ORIGINAL, [0, 1]);
  await index();
  claude(FORK, [0, 1, 5]);
  claude(SECOND, [0, 1]);
  await index();
  const search = (text: string, filter = {}) => searchPage(db, { text, filter, limit: 20, now: now() }).hits;
  const found = search("question marmalade").filter(({ where }) => where === "turn");
  expect(found.map(({ session, turn, alsoIn = [] }) => [session.id, turn, alsoIn.length]).sort()).toEqual([
    [ORIGINAL, 0, 2],
    [ORIGINAL, 1, 2],
    [FORK, 2, 0],
  ]);
  expect(
    search("answer 1")[0]
      ?.alsoIn?.map(({ id }) => id)
      .sort(),
  ).toEqual([FORK, SECOND]);
  // What is asked of a copy alone is found there.
  db.prepare("UPDATE sessions SET branch = 'only' WHERE id = ?").run(SECOND);
  const inCopy = search("question marmalade", { branch: "only" }).filter(({ where }) => where === "turn");
  expect(inCopy.map(({ session }) => session.id)).toEqual([SECOND, SECOND]);
});

it("gives the turns to a copy when the original is deleted, as a rebuild would", async () => {
  claude(ORIGINAL, [0, 1, 2]);
  await index();
  claude(FORK, [0, 1, 2, 5]);
  claude(SECOND, [0, 1, 6]);
  await index();
  const sameAsRebuilt = async () => {
    const before = rows();
    db.close();
    await rebuild(catalog(), folder, options);
    db = openStore({ folder, now, notice: () => undefined });
    expect(rows()).toEqual(before);
  };
  await sameAsRebuilt();
  expect(copies()).toEqual([
    ...[0, 1, 2].map((turn) => `${FORK} ${turn} ${ORIGINAL}`),
    ...[0, 1].map((turn) => `${SECOND} ${turn} ${ORIGINAL}`),
  ]);
  rmSync(join(folder, claudePath(ORIGINAL)));
  await index();
  expect(copies()).toEqual([0, 1].map((turn) => `${SECOND} ${turn} ${FORK}`));
  expect(parents()).toEqual({ [FORK]: undefined, [SECOND]: FORK });
  expect(statsNow().totals).toMatchObject({ sessions: 2, turns: 5, inputTokens: 10_000 });
  await sameAsRebuilt();
  // A fork that goes on adds what is its own.
  claude(SECOND, [0, 1, 6, 8]);
  await index();
  expect(statsNow().totals).toMatchObject({ turns: 6, inputTokens: 12_000 });
  await sameAsRebuilt();
});

it("recognises copies in VS Code by moment and words, and Copilot CLI's by ids", async () => {
  const chat = (id: string, asked: readonly [string, number][]) => {
    const requests = asked.map(([text, at]) => ({
      ...{ requestId: `request_${id}_${at}`, timestamp: Date.parse(time(at)), response: [{ value: "fine" }] },
      message: { text, parts: [] },
    }));
    put(
      `code/workspaceStorage/w/chatSessions/${id}.json`,
      JSON.stringify({ version: 3, sessionId: id, creationDate: Date.parse(time(0)), requests }),
    );
  };
  const copilot = (id: string, asked: readonly number[], from?: string) => {
    const data = { sessionId: id, version: 1, startTime: time(from ? 30 : 0), context: { cwd: "/srv/shop" } };
    const start = { type: "session.start", id: uuid("cccc", 0), timestamp: time(0), parentId: null, data };
    const asks = asked.map((at) => ({
      ...{ type: "user.message", id: uuid("cccc", at), timestamp: time(at), parentId: null },
      data: { content: `Ask ${at}` },
    }));
    const message = `Forked from "A" (${from}) as "B" (${id})`;
    const info = {
      ...start,
      type: "session.info",
      id: uuid("cccc", 999),
      data: { infoType: "fork", message },
    };
    put(`copilot/session-state/${id}/events.jsonl`, lines([start, ...asks, ...(from ? [info] : [])]));
  };
  put("code/workspaceStorage/w/workspace.json", JSON.stringify({ folder: "file:///srv/shop" }));
  chat("one", [
    ["Fix /srv/shop/a.ts now", 1],
    ["And the rest", 2],
  ]);
  copilot("cop-1", [3, 4]);
  await index();
  chat("two", [
    ["Fix /srv/other/a.ts now", 1],
    ["Something else", 2],
  ]);
  copilot("cop-2", [3, 4, 9], "cop-1");
  await index();
  expect(copies()).toEqual(["cop-2 0 cop-1", "cop-2 1 cop-1", "two 0 one"]);
  expect(parents()).toEqual({ "cop-1": undefined, "cop-2": "cop-1", one: undefined, two: "one" });
  expect(statsNow().totals).toMatchObject({ sessions: 4, turns: 3 + 3 });
});

it("takes what was handed over for no fork of another program's session, and forks of it for forks of it", async () => {
  const asked = [1, 2].map((at) => ({
    ...{ type: "user.message", id: uuid("cccc", at), timestamp: time(at), parentId: null },
    data: { content: `Ask ${at}` },
  }));
  put("copilot/session-state/cop-1/events.jsonl", lines(asked));
  await index();
  const works = db
    .prepare("SELECT work FROM turns ORDER BY turn_index")
    .all()
    .map(({ work }) => Number(work));
  claude(FORK, [3, 4, 5], works);
  await index();
  claude(SECOND, [3, 4], works);
  await index();
  const settled = () => [statsNow().totals.turns, parents(), copies()];
  const expected = [
    3,
    { "cop-1": undefined, [FORK]: undefined, [SECOND]: FORK },
    [FORK, SECOND].flatMap((id) => [0, 1].map((turn) => `${id} ${turn} cop-1`)),
  ];
  expect(settled()).toEqual(expected);
  const { heads } = await readHeads(catalog());
  expect(Object.fromEntries(heads.map(({ session }) => [session.id, session.parent?.id]))).toEqual(
    expected[1],
  );
  db.close();
  await rebuild(catalog(), folder, options);
  db = openStore({ folder, now, notice: () => undefined });
  expect(settled()).toEqual(expected);
});
