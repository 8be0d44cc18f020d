/** Taking back what was put into a workspace in which VS Code has been at work since. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { recover } from "../../src/edit/undo/recover.ts";
import { localDisk } from "../../src/platform/disk/disk.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { dyingDisk } from "./dying-disk.ts";
import { NOW } from "./source-homes.ts";
import {
  createVsCodeHome,
  ELSEWHERE,
  ID,
  INDEX_KEY,
  lookAtUser,
  madeUpSession,
  OTHER,
  rowsOf,
  type VsCodeHome,
} from "./vscode-home.ts";

const THEIRS = "33333333-aaaa-4bbb-8ccc-000000000003";
const SET = "INSERT OR REPLACE INTO ItemTable (key, value) VALUES (?, ?)";
let home: VsCodeHome;
/** A folder that VS Code has never opened. */
let folder: string;
beforeEach(() => {
  home = createVsCodeHome();
  folder = join(dirname(home.user), "never opened");
  mkdirSync(folder);
});
afterEach(() => home.remove());

const undo = async () => home.edit().apply(await home.edit().planUndo());
const listIn = (database: string) =>
  (rowsOf(database)[INDEX_KEY] as { list: { entries: Record<string, unknown> } }).list;

/** A chat, and what VS Code notes of a window, written there as it does. */
function chatThere(store: string): void {
  const database = join(store, "state.vscdb");
  const list = listIn(database);
  const entry = { sessionId: THEIRS, title: "Theirs", lastMessageDate: 1, initialLocation: "panel" };
  const db = new DatabaseSync(database);
  db.prepare(SET).run(INDEX_KEY, JSON.stringify({ ...list, entries: { ...list.entries, [THEIRS]: entry } }));
  db.prepare(SET).run("memento/window", "theirs");
  db.close();
  const log = `${JSON.stringify({ kind: 0, v: madeUpSession(THEIRS, 1) })}\n`;
  writeFileSync(join(store, "chatSessions", `${THEIRS}.jsonl`), log);
}

it.each([
  ["that was made ready for it", () => folder],
  ["that had no chats", () => ELSEWHERE],
])("a clone goes from a workspace %s, and what VS Code put there since stays", async (_, to) => {
  const { plan } = await home.edit().apply(await home.edit().planClone(ID, { to: to() }));
  const store = dirname(dirname(plan.session.path));
  chatThere(store);
  await undo();
  expect(existsSync(plan.session.path)).toBe(false);
  expect(existsSync(join(store, "chatSessions", `${THEIRS}.jsonl`))).toBe(true);
  expect(Object.keys(listIn(join(store, "state.vscdb")).entries)).toEqual([THEIRS]);
  expect(rowsOf(join(store, "state.vscdb"))).toHaveProperty(["memento/window"], {
    type: "text",
    value: "theirs",
  });
  expect(existsSync(join(store, "workspace.json"))).toBe(true);
});

it("a clone that was undone and done again goes as well, and what VS Code put there since stays", async () => {
  const { plan } = await home.edit().apply(await home.edit().planClone(ID, { to: folder }));
  const undone = await undo();
  const redone = await home.edit().apply(await home.edit().planUndo(undone.operation));
  const store = dirname(dirname(plan.session.path));
  chatThere(store);
  await home.edit().apply(await home.edit().planUndo(redone.operation));
  expect(existsSync(plan.session.path)).toBe(false);
  expect(Object.keys(listIn(join(store, "state.vscdb")).entries)).toEqual([THEIRS]);
});

it("a moved chat comes back to where it was", async () => {
  const own = (): [string, unknown][] =>
    Object.entries(lookAtUser(home.user)).filter(([path]) => path.includes("0123456789abcdef"));
  const before = own();
  const request = { session: ID, to: folder, text: false };
  const { plan } = await home.edit().apply(await home.edit().planMove(request));
  const store = dirname(dirname(plan.session.path));
  chatThere(store);
  await undo();
  expect(own()).toEqual(before);
  expect(Object.keys(listIn(join(store, "state.vscdb")).entries)).toEqual([THEIRS]);
  expect(existsSync(join(store, "GitHub.copilot-chat", "transcripts", `${ID}.jsonl`))).toBe(false);
});

it("a chat that was gone on with stays as it is", async () => {
  const { plan } = await home.edit().apply(await home.edit().planClone(ID, { to: folder }));
  appendFileSync(plan.session.path, '{"kind":1,"k":["customTitle"],"v":"Mine now"}\n');
  const before = lookAtUser(home.user);
  await expect(undo()).rejects.toMatchObject({ code: "changed-since" });
  expect(lookAtUser(home.user)).toEqual(before);
});

const setEntry = (id: string, entry: object): void => {
  const database = home.file("state.vscdb");
  const list = listIn(database);
  const db = new DatabaseSync(database);
  db.prepare(SET).run(INDEX_KEY, JSON.stringify({ ...list, entries: { ...list.entries, [id]: entry } }));
  db.close();
};

it("a deleted chat comes back over the empty one that VS Code put in its place, which comes back in turn", async () => {
  const before = lookAtUser(home.user);
  await home.edit().apply(await home.edit().planDelete(ID));
  const stub = {
    sessionId: ID,
    title: "New Chat",
    lastMessageDate: 2,
    initialLocation: "panel",
    isEmpty: true,
  };
  setEntry(ID, stub);
  const log = home.file("chatSessions", `${ID}.jsonl`);
  writeFileSync(log, `${JSON.stringify({ kind: 0, v: madeUpSession(ID, 0) })}\n`);
  const plan = await home.edit().planUndo();
  expect(plan.losses).toEqual([
    `what was put at ${log} since then; it is kept, and undoing this operation restores it`,
  ]);
  const { operation } = await home.edit().apply(plan);
  expect(lookAtUser(home.user)).toEqual(before);
  await home.edit().apply(await home.edit().planUndo(operation));
  expect(listIn(home.file("state.vscdb")).entries[ID]).toEqual(stub);
  expect(readFileSync(log, "utf8")).toContain('"requests":[]');
});

it("what a rewind took is had as a new, listed chat once VS Code has continued the old one", async () => {
  const log = home.file("chatSessions", `${ID}.jsonl`);
  const { operation } = await home.edit().apply(await home.edit().planRewind(ID, 0, { inPlace: true }));
  appendFileSync(log, `${JSON.stringify({ kind: 1, k: ["hasPendingEdits"], v: false })}\n`);
  await expect(home.edit().planUndo(operation)).rejects.toMatchObject({
    code: "changed-since",
    hint: `Get the earlier state as a new session: rethread undo ${operation} --as-copy`,
  });
  const { session, stats } = (await home.edit().apply(await home.edit().planBackupCopy(operation))).plan;
  expect(stats?.clonedTurns).toBe(3);
  expect(listIn(home.file("state.vscdb")).entries[session.id]).toMatchObject({
    title: `First (before rewind ${operation})`,
  });
});

it("a damaged chat comes out of a backup as it was, where VS Code does not look for it", async () => {
  const log = home.file("chatSessions", `${ID}.jsonl`);
  const torn = readFileSync(log, "utf8").slice(0, -20);
  writeFileSync(log, torn);
  const { operation } = await home.edit().apply(await home.edit().planDelete(ID));
  const { session, losses } = (await home.edit().apply(await home.edit().planBackupCopy(operation))).plan;
  expect(readFileSync(session.path, "utf8")).toBe(torn);
  expect(losses.join()).toContain(`rethread rescue vscode:${session.id}`);
  expect(Object.keys(listIn(home.file("state.vscdb")).entries)).not.toContain(session.id);
});

it("a move of two chats that was killed is completed when one of them was continued at its new place", async () => {
  let isListed = false;
  const disk = dyingDisk(({ verb }) => {
    if (verb === "changeValues") isListed = true;
    return isListed && verb === "rename";
  });
  const edit = home.edit(disk);
  const plan = await edit.planMove({ session: [ID, OTHER], to: ELSEWHERE, text: false });
  await expect(edit.apply(plan)).rejects.toMatchObject({ code: "write-interrupted" });
  const sessions = join(dirname(home.file()), ELSEWHERE, "chatSessions");
  const continued = join(sessions, `${ID}.jsonl`);
  appendFileSync(continued, `${JSON.stringify({ kind: 1, k: ["customTitle"], v: "Continued" })}\n`);
  const [recovered] = await recover(
    { home: home.data, now: () => NOW, fs: localFs, disk: localDisk },
    home.catalog,
  );
  expect(recovered?.sessions.map(({ became }) => became)).toEqual(["new", "new"]);
  expect(readFileSync(continued, "utf8")).toContain("Continued");
  expect(existsSync(join(sessions, `${OTHER}.jsonl`))).toBe(true);
  for (const id of [ID, OTHER]) expect(existsSync(home.file("chatSessions", `${id}.jsonl`))).toBe(false);
  const lists = [home.file("state.vscdb"), join(dirname(home.file()), ELSEWHERE, "state.vscdb")].map(
    (database) => Object.keys(listIn(database).entries),
  );
  expect(lists).toEqual([["copilotcli:/x"], [ID, OTHER]]);
});
