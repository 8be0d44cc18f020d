/** Sessions that an application keeps on the hub are changed as those on a disk are: byte for byte, as a whole, and back. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operationOf } from "../../src/app/edit/kept-plans.ts";
import { createWriteContext } from "../../src/app/edit/recover.ts";
import { openRethread, type Rethread } from "../../src/app/library.ts";
import { providedFolder } from "../../src/app/provided.ts";
import { apply } from "../../src/edit/apply/apply.ts";
import { createScale } from "../../src/edit/apply/verify.ts";
import { toPlan } from "../../src/edit/plan/plan.ts";
import { planUndo } from "../../src/edit/undo/undo.ts";
import { type HubSessions, openHubSessions } from "../../src/hub/provider/contract.ts";
import { folderOf, PROVIDER_HOME } from "../../src/hub/provider/places.ts";
import { AppError } from "../../src/model/errors.ts";
import type { EditPlan } from "../../src/model/plan.ts";
import type { Artifact } from "../../src/model/session/session.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import type { SessionFs } from "../../src/platform/fs/session-fs.ts";
import type { Catalog } from "../../src/sources/catalog.ts";
import { askJournal } from "../../src/store/state/journal.ts";
import { type Draw, type DrawnKind, draws, ID as NEW_ID } from "../contracts/edit-draws.ts";
import { createEditHomes } from "../contracts/edit-homes.ts";
import { createEditHome, type EditHome, ID } from "../edit/home.ts";
import { recordFiles } from "../edit/recorded-files.ts";
import { newAccount, urlOf } from "./account.ts";
import { newHub, type TestHub } from "./cluster.ts";
import { lookAt, openProvided, putSessions } from "./provider-home.ts";

const NOW = new Date("2026-11-15T12:00:00.000Z");
const scale = createScale(
  () => 1,
  (messages) => messages.length,
);
const VIEWS = {
  session_overview:
    "source, session, title, workspace, repository, branch, started_at, turns, tool_calls, files_changed, input_tokens, models, problems, bytes, parent",
  turn_overview: "session, turn, started_at, prompt, answer, tool_calls",
  tool_use: "session, turn, tool, status, label, result_size",
  file_use: "session, path, action, tool, turn, lines_added",
};
let hub: TestHub;
let folder: string;
const open: HubSessions[] = [];

beforeAll(async () => {
  hub = await newHub();
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-provided-")));
});
afterAll(async () => {
  for (const each of open) await each.close();
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});

async function openSessions(token?: string): Promise<HubSessions & { readonly token: string }> {
  const known = token ?? (await newAccount(hub)).token;
  const opened = await openHubSessions({ url: urlOf(hub), token: known, holder: "a test" });
  open.push(opened);
  return { ...opened, token: known };
}

describe("sessions on the hub and on a disk", () => {
  interface Side {
    readonly fs: SessionFs;
    readonly home: string;
    readonly data: string;
    readonly catalog: Catalog;
    readonly artifacts: readonly Artifact[];
  }
  const pairs: { readonly disk: Side; readonly hub: Side }[] = [];
  /** Each kind of change is made to some sessions, the next kind to others; with RETHREAD_FULL=1 to all. */
  const STRIDE = process.env.RETHREAD_FULL === undefined ? 23 : 1;
  let kinds = 0;

  beforeAll(async () => {
    const homes = await createEditHomes(folder, NOW, "copilot-cli");
    for (const [number, { home, catalog, artifacts }] of homes.entries()) {
      const sessions = await openSessions();
      await putSessions(sessions, home);
      const provided = openProvided(sessions);
      const found = (await provided.scan()).artifacts;
      pairs.push({
        disk: {
          fs: localFs,
          home,
          data: join(folder, `data-${number}`),
          catalog,
          artifacts: artifacts.filter(({ path }) => path.endsWith("/events.jsonl")),
        },
        hub: {
          fs: sessions.fs,
          home: PROVIDER_HOME,
          data: join(folder, `hub-data-${number}`),
          catalog: provided,
          artifacts: found,
        },
      });
    }
  });

  const look = ({ fs, home }: Side, ids: readonly string[]): Promise<Record<string, string>> =>
    lookAt(fs, home, PROVIDER_HOME, ids);

  /** What is there after the change, and after it was undone. */
  async function change(side: Side, kind: DrawnKind, id: string, draw: Draw): Promise<unknown> {
    const { fs, data, catalog, artifacts } = side;
    const ids = [id, NEW_ID];
    const before = await look(side, ids);
    const artifact = artifacts.find((each) => each.id === id) as Artifact;
    const context = createWriteContext(data, () => NOW, { sessions: fs });
    try {
      const editing = await catalog.editing(artifact);
      const draft = await draw(editing.editor, fs, artifact);
      if (!draft || draft.steps.length === 0) return "nothing to do";
      const plan = await toPlan(editing, fs, artifact, draft, { kind, title: "", scale });
      const operation = randomUUID();
      await apply(context, catalog, operation, plan);
      const after = await look(side, ids);
      expect(after).not.toEqual(before);
      const undo = await askJournal(
        data,
        () => NOW,
        (journal) => {
          const entry = journal?.find(operation);
          return journal && entry ? planUndo(fs, entry, journal.backupOf(operation), NOW) : undefined;
        },
      );
      await apply(context, catalog, randomUUID(), undo as EditPlan);
      expect(await look(side, ids)).toEqual(before);
      return after;
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      expect(await look(side, ids)).toEqual(before);
      return { code: error.code };
    }
  }

  it.each(draws(NOW))("come out the same after a %s, and after its undo", async (_, kind, draw) => {
    const all = pairs.flatMap((pair) => pair.hub.artifacts.map((artifact) => ({ ...pair, artifact })));
    const first = kinds++;
    const sampled = all.filter((_, at) => (first + at) % STRIDE === 0);
    let done = 0;
    // Not every session takes every change; then the others are tried until one does.
    for (const [number, { disk, hub: kept, artifact }] of [...sampled, ...all].entries()) {
      if (number >= sampled.length && done > 0) break;
      const wanted = await change(disk, kind, artifact.id, draw);
      const found = await change(kept, kind, artifact.id, draw);
      expect(found, artifact.path).toEqual(wanted);
      if (typeof found === "object" && found !== null && !("code" in found)) done++;
    }
    expect(done).toBeGreaterThan(0);
  });

  // Last, as the one that grows has another time on each side.
  it("are indexed into the same rows, also when one grows", async () => {
    const { disk, hub: kept } = pairs.at(-1) as (typeof pairs)[number];
    const openOn = (side: Side, more: Parameters<typeof openRethread>[0]) =>
      openRethread({
        ...more,
        homeDir: folder,
        folder,
        vars: { COPILOT_HOME: disk.home, RETHREAD_HOME: side.data },
      });
    const sessions = open.find(({ fs }) => fs === kept.fs) as HubSessions;
    const apps = [await openOn(disk, {}), await openOn(kept, { sessions })];
    const rows = async (app: Rethread): Promise<string> => {
      const found: unknown[] = [];
      for (const [view, columns] of Object.entries(VIEWS))
        found.push((await app.sql({ sql: `SELECT ${columns} FROM ${view} ORDER BY ${columns}` })).rows);
      return JSON.stringify(found);
    };
    const [onDisk = "", onHub] = [await rows(apps[0] as Rethread), await rows(apps[1] as Rethread)];
    expect(onDisk.length).toBeGreaterThan(10_000);
    expect(onHub).toBe(onDisk);

    const { id, path } = disk.artifacts[0] as Artifact;
    const line = `{"type":"user.message","data":{"content":"One more thing"},"id":"${randomUUID()}","timestamp":"2026-11-15T11:00:00.000Z","parentId":null}\n`;
    await localFs.append(path, line);
    await sessions.provider({ sessionId: id }).appendFile("/session/events.jsonl", line);
    await sessions.release(id);
    const longer = await rows(apps[1] as Rethread);
    expect(longer).toContain("One more thing");
    expect(longer).toBe(await rows(apps[0] as Rethread));
  });
});

describe("a program that reads sessions on the hub", () => {
  let home: EditHome;
  let sessions: HubSessions & { readonly token: string };
  let app: Rethread;
  beforeAll(async () => {
    home = createEditHome();
    sessions = await openSessions();
    await putSessions(sessions, home.copilot);
    app = await openApp();
  });
  afterAll(() => home.remove());

  const openApp = (told: string[] = []): Promise<Rethread> =>
    openRethread({
      sessions,
      vars: { RETHREAD_HOME: home.data },
      homeDir: home.data,
      folder: home.data,
      notice: (sentence) => told.push(sentence),
    });
  const look = () => lookAt(sessions.fs, PROVIDER_HOME);

  it("finds, shows and searches them, and they cannot be continued here", async () => {
    const { sessions: found } = await app.list();
    expect(found).toMatchObject([{ id: ID, source: "copilot-cli", turns: 3 }]);
    expect(found[0]).not.toHaveProperty("resume");
    expect((await app.search({ text: "three", limit: 9 })).sessions).toMatchObject([{ session: { id: ID } }]);
    expect((await app.context(ID)).messages.at(-1)?.text).toBe("Answer to three");
    await expect(app.chat()).rejects.toMatchObject({ code: "not-supported" });
  });

  it("forks, rewinds, renames and deletes them, each undone to the byte", async () => {
    const before = await look();
    const edit = await app.edit();
    const plans = [
      () => edit.planFork(ID, { at: 1, name: "Another way" }),
      () => edit.planRewind(ID, { to: 0 }),
      () => edit.planRename(ID, "Another name"),
      () => edit.planDelete(ID),
    ];
    const seen: string[][] = [];
    for (const plan of plans) {
      await edit.apply((await plan()).fingerprint);
      seen.push((await app.list()).sessions.map(({ title, turns }) => `${title}: ${turns}`));
      await edit.apply((await edit.planUndo()).fingerprint);
      expect(await look()).toEqual(before);
    }
    expect(seen).toEqual([["Another way: 2", 'Say "one": 3'], ['Say "one": 1'], ["Another name: 3"], []]);
    expect((await edit.history()).map(({ kind, state }) => `${kind} ${state}`)).toEqual(
      ["delete", "rename", "rewind", "fork"].flatMap((kind) => ["undo done", `${kind} undone`]),
    );
  });

  it("gets an earlier state as a new session, when an application has continued the one that it changed", async () => {
    const before = await look();
    const edit = await app.edit();
    const { operation } = await edit.apply((await edit.planRewind(ID, { to: 0 })).fingerprint);
    await sessions.provider({ sessionId: ID }).appendFile("/session/plan.md", "more\n");
    const log = `${folderOf(ID)}/events.jsonl`;
    await sessions.provider({ sessionId: ID }).appendFile("/session/events.jsonl", "{}\n");
    await sessions.release(ID);
    expect((await edit.history())[0]).toMatchObject({ operation, isConfirmed: true });
    await expect(edit.planUndo(operation)).rejects.toMatchObject({ code: "changed-since" });
    const { plan } = await edit.apply((await edit.planBackupCopy(operation)).fingerprint);
    expect((await app.context(plan.session.id)).messages.at(-1)?.text).toBe("Answer to three");
    await edit.apply((await edit.planUndo()).fingerprint);
    // As it was, for the next test.
    await sessions.fs.transactions?.run(randomUUID(), [log], async (fs) => {
      await fs.rm(folderOf(ID));
    });
    await putSessions(sessions, home.copilot, "again");
    expect(await look()).toEqual(before);
  });

  it("is refused while an application holds the lease, and leaves no trace of that", async () => {
    const other = await openSessions(sessions.token);
    await other.take(ID);
    const before = await look();
    const edit = await app.edit();
    const writes = (await edit.history()).length;
    for (const plan of [
      await edit.planRewind(ID, { to: 0 }),
      await edit.planRename(ID, "Another"),
      await edit.planDelete(ID),
    ])
      await expect(edit.apply(plan.fingerprint)).rejects.toMatchObject({
        code: "session-busy",
        message: `Session ${ID} is being written by a test`,
      });
    expect(await edit.history()).toHaveLength(writes);
    expect(await look()).toEqual(before);
    // Copies leave the original alone, even the number of its forks.
    for (const plan of [await edit.planClone(ID, {}), await edit.planFork(ID, { at: 1 })]) {
      await edit.apply(plan.fingerprint);
      expect(await look()).toMatchObject(before);
      await edit.apply((await edit.planUndo()).fingerprint);
    }
    await other.release(ID);
    await edit.apply((await edit.planRename(ID, "Another")).fingerprint);
    await edit.apply((await edit.planUndo()).fingerprint);
    expect(await look()).toEqual(before);
  });

  it("leaves the files of workspaces alone, which are on another machine", async () => {
    const there = createEditHome();
    recordFiles(there);
    const kept = await openSessions();
    await putSessions(kept, there.copilot);
    const edit = await (await openRethread({ sessions: kept, vars: { RETHREAD_HOME: there.data } })).edit();
    const plan = await edit.planRewind(ID, { to: 0, files: true, outside: true });
    expect(plan.steps.some(({ path }) => path.startsWith(there.copilot))).toBe(true);
    await expect(edit.apply(plan.fingerprint)).rejects.toMatchObject({ code: "not-supported" });
    await edit.apply((await edit.planRewind(ID, { to: 0 })).fingerprint);
    there.remove();
  });

  it("is not misled by a write of another machine that has the same name", async () => {
    const before = await look();
    const edit = await app.edit();
    const { fingerprint } = await edit.planRename(ID, "Another");
    const operation = operationOf(fingerprint);
    await sessions.fs.transactions?.run(operation, [], async () => undefined);
    await edit.apply(fingerprint);
    expect(await look()).not.toEqual(before);
    await edit.apply((await edit.planUndo(operation)).fingerprint);
    expect(await look()).toEqual(before);
  });

  it("notices what an application has done since the plan was made", async () => {
    const edit = await app.edit();
    const plan = await edit.planRewind(ID, { to: 0 });
    await sessions.provider({ sessionId: ID }).appendFile("/session/events.jsonl", "{}\n");
    await sessions.release(ID);
    await expect(edit.apply(plan.fingerprint)).rejects.toMatchObject({ code: "session-changed" });
  });

  it("keeps its own records of them apart from those of the machine", async () => {
    expect(await localFs.exists(join(providedFolder(home.data, sessions), "state.db"))).toBe(true);
    const own = await openRethread({
      vars: { RETHREAD_HOME: home.data, COPILOT_HOME: home.copilot },
      homeDir: home.data,
    });
    expect(await (await own.edit()).history()).toEqual([]);
    await expect((await own.edit()).planUndo()).rejects.toBeInstanceOf(AppError);
  });
});
