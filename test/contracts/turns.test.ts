/** One rule says what a turn is: for the page, the index, the list, the search, and everything that cuts a session. */
import { randomUUID } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDemo } from "../../src/demo/create.ts";
import { demoFolder, demoVars } from "../../src/demo/places.ts";
import { createPlannedFs } from "../../src/edit/plan/planned-fs.ts";
import { refresh } from "../../src/indexer/refresh.ts";
import type { Draft } from "../../src/model/plan.ts";
import type { Artifact, Event } from "../../src/model/session/session.ts";
import { type Turn, toTurns } from "../../src/model/session/turns.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { type Database, openDatabase } from "../../src/platform/sqlite/sqlite.ts";
import { listSessions } from "../../src/query/list.ts";
import { tellSession } from "../../src/query/show.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { openStore, storePath } from "../../src/store/open.ts";
import { search } from "../../src/store/search/search.ts";
import { createSessionStore, type SessionStore } from "../../src/store/session-store.ts";
import { makeEarlierStore } from "../earlier-store.ts";
import {
  answerTo,
  claudeFiles,
  claudeId,
  conversations,
  copilotFiles,
  copilotId,
  PROMPTS,
  type Step,
  vsCodeFiles,
  vsCodeId,
} from "../made-up-turns.ts";
import { FIXTURES } from "./fixtures.ts";

const now = new Date("2026-11-15T12:00:00.000Z");
let folder: string;
let db: Database;
let store: SessionStore;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-turns-")));
  db = openStore({ folder: join(folder, "data"), now: () => now, notice: () => undefined });
  store = createSessionStore(db);
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

async function turnsShown(catalog: Catalog, artifact: Artifact): Promise<Turn[]> {
  const turns: Turn[] = [];
  const session = await catalog.read(artifact, { event: () => undefined, problem: () => undefined });
  await tellSession(
    catalog,
    { artifact, session, problems: [] },
    {},
    {
      head: () => undefined,
      preamble: () => undefined,
      turn: (turn) => void turns.push(turn),
    },
  );
  return turns;
}

const rowsOf = (artifact: Artifact) =>
  db
    .prepare(
      "SELECT t.* FROM turns t JOIN sessions s ON s.id = t.session_id WHERE s.source = ? AND s.path = ? ORDER BY turn_index",
    )
    .all(artifact.source, artifact.path);

/** The rows of every session against the turns that `show` tells of it; gives back how many turns there were. */
async function expectSameTurns(catalog: Catalog): Promise<number> {
  await refresh(catalog, store, { outputHead: 256, now: () => now });
  const { artifacts } = await catalog.scan();
  const listed = await listSessions(catalog, store, {});
  let count = 0;
  for (const artifact of artifacts) {
    const turns = await turnsShown(catalog, artifact);
    const rows = rowsOf(artifact);
    const name = artifact.path;
    expect(
      rows.map((row) => [row.turn_index, row.user_message, row.timestamp, row.ended_at]),
      name,
    ).toEqual(
      turns.map((turn) => [turn.index, turn.user.trim(), turn.startedAt ?? null, turn.endedAt ?? null]),
    );
    const inList = listed.sessions.find(({ path, source }) => path === name && source === artifact.source);
    expect(inList?.turns, name).toBe(turns.length);
    for (const [at, turn] of turns.entries())
      for (const part of turn.parts)
        if (part.kind === "text")
          expect(`${rows[at]?.assistant_response}\n${rows[at]?.more}`, name).toContain(part.text.trim());
    count += turns.length;
  }
  return count;
}

it.each(FIXTURES.map((fixture) => [fixture.name, fixture] as const))(
  "%s has the same turns in the store as on the page",
  async (_name, fixture) => {
    const home = join(folder, "home");
    cpSync(fixture.home, home, { recursive: true });
    const alone = { ...fixture.source, locate: () => [home] };
    const catalog = openCatalog([alone], { platform: "linux", homeDir: folder, vars: {} }, localFs);
    const expected = Object.values(fixture.expected.sessions).reduce((sum, { turns }) => sum + turns, 0);
    expect(await expectSameTurns(catalog)).toBe(expected);
  },
);

it("the demo has the same turns in the store as on the page", async () => {
  await createDemo({ fs: localFs, sources: SOURCES, home: folder, now });
  const vars = demoVars(demoFolder(folder));
  const catalog = openCatalog(
    SOURCES,
    { platform: "linux", homeDir: join(folder, "nowhere"), vars },
    localFs,
  );
  expect(await expectSameTurns(catalog)).toBeGreaterThan(100);
});

/** A home for each source with the same conversations in it. */
function homesWith(chats: readonly (readonly Step[])[]): Catalog {
  const home = join(folder, randomUUID());
  const write = (below: string, files: Record<string, string | Uint8Array>): void => {
    for (const [name, content] of Object.entries(files)) {
      const path = join(home, below, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    }
  };
  for (const [number, steps] of chats.entries()) {
    write("copilot", copilotFiles(number, steps));
    write("claude", claudeFiles(number, steps));
  }
  write("vscode", vsCodeFiles(chats));
  const vars = {
    COPILOT_HOME: join(home, "copilot"),
    CLAUDE_CONFIG_DIR: join(home, "claude"),
    VSCODE_STORAGE_PATH: join(home, "vscode"),
  };
  return openCatalog(SOURCES, { platform: "linux", homeDir: home, vars }, localFs);
}

/** The turns of the session that a draft makes. */
async function turnsAfter(artifact: Artifact, { session, steps }: Draft): Promise<Turn[]> {
  const source = SOURCES.find(({ id }) => id === artifact.source);
  const events: Event[] = [];
  const fs = createPlannedFs(localFs, steps);
  const { size } = await fs.stat(session.path);
  const planned = { ...artifact, ...session, fingerprint: { size, mtimeMs: 0, ino: 0 } };
  await source?.read(fs, planned, {
    event: (event) => void events.push(event),
    problem: () => undefined,
  });
  return toTurns(events);
}

const startsOne = (step: Extract<Step, { does: "ask" }>): boolean => step.attached || step.text.trim() !== "";
const said = (turns: readonly Turn[]) => turns.map(({ user, assistant }) => [user, assistant]);

it("an older store is read anew", async () => {
  const catalog = homesWith([PROMPTS]);
  await refresh(catalog, store, { outputHead: 256, now: () => now });
  const path = storePath(join(folder, "data"));
  db.close();
  // As the store was left before prompts with attachments alone had rows, and turns their ranges.
  renameSync(path, `${path}-new`);
  const earlier = openDatabase(path);
  await makeEarlierStore(earlier, "0009");
  earlier.prepare("ATTACH ? AS new").run(`${path}-new`);
  for (const table of ["sessions", "fingerprints"]) {
    const columns = earlier.prepare(
      `SELECT group_concat(name, ', ') AS names FROM pragma_table_info('${table}')`,
    );
    const { names } = columns.get() as { names: string };
    earlier.exec(`INSERT INTO ${table} (${names}) SELECT ${names} FROM new.${table}`);
  }
  earlier.exec("UPDATE fingerprints SET version = 9");
  earlier.close();
  db = openStore({ folder: join(folder, "data"), now: () => now, notice: () => undefined });
  store = createSessionStore(db);
  expect((await refresh(catalog, store, { outputHead: 256, now: () => now })).indexed).toBe(3);
  await expectSameTurns(catalog);
  const known = "SELECT count(*) AS n FROM turns WHERE byte_start IS NOT NULL";
  expect(db.prepare(known).get()?.n).toBe(6);
});

describe("made-up sessions", () => {
  it("have the same turns in the store as on the page, and are cut between them", { timeout: 60_000 }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(conversations, { minLength: 6, maxLength: 6 }), async (chats) => {
        const catalog = homesWith(chats);
        await expectSameTurns(catalog);
        for (const artifact of (await catalog.scan()).artifacts) {
          const turns = await turnsShown(catalog, artifact);
          const number = Number.parseInt(artifact.id.slice(-12), 16);
          const asked = chats[number]?.filter((step) => step.does === "ask" && startsOne(step)).length;
          // VS Code keeps commands as requests, too.
          if (artifact.source !== "vscode") expect(turns, artifact.path).toHaveLength(asked ?? -1);
          const editor = SOURCES.find(({ id }) => id === artifact.source)?.editor;
          if (!editor) continue;
          const at = Math.floor(turns.length / 2);
          if (at + 1 >= turns.length) continue;
          const { fork, rewind, clone, summaries } = await editor();
          const request = { id: randomUUID(), now };
          const kept = said(turns.slice(0, at + 1));
          const recordId = randomUUID();
          expect(
            said(await turnsAfter(artifact, await fork(localFs, artifact, { ...request, at, recordId }))),
          ).toEqual(kept);
          expect(
            said(
              await turnsAfter(
                artifact,
                await rewind(localFs, artifact, { ...request, to: at, inPlace: true }),
              ),
            ),
          ).toEqual(kept);
          const reduce = { reduction: { dropOldest: { count: at + 1 } }, count: () => 1 };
          const smaller = await clone(localFs, artifact, { ...request, reduce });
          expect(said(await turnsAfter(artifact, smaller))).toEqual(said(turns.slice(at + 1)));
          expect(smaller.ledger?.turns).toEqual({ kept: turns.length - at - 1, cut: 0, dropped: at + 1 });
          const fitting = await clone(localFs, artifact, {
            ...request,
            reduce: { reduction: { budget: 8 }, count: (text) => Math.ceil(text.length / 4) },
          });
          expect(await turnsAfter(artifact, fitting)).toHaveLength(fitting.ledger?.turns.kept ?? -1);
          if (!summaries) continue;
          const compacted = await summaries.compact(localFs, artifact, { keep: turns.length - at - 1, now });
          // Claude Code keeps what a summary stands for in the file, where people still see it.
          const left = artifact.source === "claude-code" ? turns : turns.slice(at + 1);
          expect(said(await turnsAfter(artifact, compacted))).toEqual(said(left));
        }
      }),
      { numRuns: 8 },
    ),
  );

  it.each([
    ["copilot-cli", copilotId(0)],
    ["claude-code", claudeId(0)],
    ["vscode", vsCodeId(0)],
  ])("of %s: list, store, search, show and fork mean the same turn", async (source, id) => {
    const catalog = homesWith([PROMPTS]);
    await refresh(catalog, store, { outputHead: 256, now: () => now });
    const artifact = (await catalog.scan()).artifacts.find((each) => each.id === id) as Artifact;
    const { sessions } = await listSessions(catalog, store, { sources: [source] });
    expect(sessions.map(({ turns }) => turns)).toEqual([3]);
    expect(rowsOf(artifact)).toHaveLength(3);
    const turns = await turnsShown(catalog, artifact);
    // The answers to: a prompt, an attachment alone, a blank prompt, another prompt.
    for (const [at, turn] of [
      [1, 0],
      [3, 1],
      [5, 1],
      [7, 2],
    ] as const) {
      const { hits } = search(db, {
        text: answerTo(at),
        filter: { sources: [artifact.source] },
        limit: 5,
        now,
      });
      expect(hits.map((hit) => hit.turn)).toEqual([turn]);
      expect(turns[turn]?.assistant).toContain(answerTo(at));
    }
    expect(turns[1]).toMatchObject({ user: "", attachments: [{}] });
    const { fork } = (await SOURCES.find((each) => each.id === source)?.editor?.()) ?? {};
    if (!fork) return;
    const request = { id: randomUUID(), now, at: 1, recordId: randomUUID() };
    const forked = await turnsAfter(artifact, await fork(localFs, artifact, request));
    expect(said(forked)).toEqual(said(turns.slice(0, 2)));
  });
});
