/** Chats of a folder that was created again or renamed follow it when VS Code's chats are rescued. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { localFs } from "../../src/platform/fs/local.ts";
import { toKeyValueDb } from "../../src/platform/sqlite/key-value-db.ts";
import { idOf } from "../../src/sources/vscode/edit/copy/target.ts";
import { log, sessionOf, turn } from "../vscode-log.ts";
import { INDEX_KEY, lookAtUser, openEditing, rowsOf, type VsCodeEditing } from "./vscode-home.ts";

const OLD = "0123456789abcdef0123456789abcdef";
const REMOTE = "git@github.com:owner/shop.git";
const ENTRY = { lastMessageDate: 1_780_000_000_000, initialLocation: "panel", future: { kept: true } };
let root: string;
let editing: VsCodeEditing;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "rethread-adopt-"));
  editing = openEditing(user(), join(root, "data"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const user = (): string => join(root, "User");
const storeOf = (id: string, ...names: string[]): string => join(user(), "workspaceStorage", id, ...names);
function put(path: string, content: string | Uint8Array = ""): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** About one file of the folder, and with what the extension and VS Code keep beside it. */
function chat(
  store: string,
  id: string,
  folder: string,
  more: { remote?: string; tail?: string } = {},
): void {
  const uri = { $mid: 1, scheme: "file", path: join(root, folder, "src/a.ts") };
  const about = turn(`Ask ${id}`, [{ kind: "textEditGroup", uri, edits: [] }, { value: "Done." }]);
  const session = { ...sessionOf(about), sessionId: id, customTitle: `Chat ${id}` };
  const repoData = more.remote === undefined ? {} : { repoData: { remoteUrl: more.remote } };
  const text = log({ kind: 0, v: { ...session, ...repoData } });
  put(storeOf(store, "chatSessions", `${id}.jsonl`), `${text}${more.tail ?? ""}`);
  put(storeOf(store, "GitHub.copilot-chat", "transcripts", `${id}.jsonl`), '{"type":"session.start"}\n');
  put(storeOf(store, "chatEditingSessions", id, "state.json"), '{"version":2}');
}

function workspace(store: string, folder: string, listed: readonly string[]): void {
  put(storeOf(store, "workspace.json"), JSON.stringify({ folder: `file://${join(root, folder)}` }));
  const entries = Object.fromEntries(
    listed.map((id) => [id, { ...ENTRY, sessionId: id, title: `Chat ${id}` }]),
  );
  const list = JSON.stringify({ version: 1, entries });
  put(storeOf(store, "state.vscdb"), toKeyValueDb("ItemTable", { [INDEX_KEY]: list, other: "kept" }));
}

const repository = (folder: string): void =>
  put(join(root, folder, ".git", "config"), `[remote "origin"]\n\turl = https://github.com/owner/shop\n`);

const listIn = (store: string): Record<string, object> =>
  (rowsOf(storeOf(store, "state.vscdb"))[INDEX_KEY] as { list: { entries: Record<string, object> } }).list
    .entries;

const plan = (adopt = true) => editing.edit().planRescueAll("vscode", { adopt });

it("takes the chats of a folder that was created again to where VS Code looks for them, as one undo", async () => {
  put(join(root, "shop", "src", "a.ts"));
  const now = await idOf(localFs, join(root, "shop"));
  workspace(OLD, "shop", ["a", "torn"]);
  chat(OLD, "a", "shop");
  chat(OLD, "torn", "shop", { tail: '{"kind":1' });
  chat(OLD, "unlisted", "shop");
  workspace(now, "shop", ["new"]);
  chat(now, "new", "shop");
  const before = lookAtUser(user());

  const made = await plan();
  expect(made.adoptions).toEqual([
    {
      from: join(root, "shop"),
      to: join(root, "shop"),
      sessions: 3,
      why: "the folder was deleted and created again",
    },
  ]);
  await editing.edit().apply(made);
  expect(Object.keys(listIn(now)).sort()).toEqual(["a", "new", "torn", "unlisted"]);
  // As VS Code had it in its old list.
  expect(listIn(now).a).toMatchObject({ ...ENTRY, title: "Chat a" });
  expect(listIn(OLD)).toEqual({});
  for (const beside of [
    ["chatSessions", "a.jsonl"],
    ["GitHub.copilot-chat", "transcripts", "a.jsonl"],
    ["chatEditingSessions", "a", "state.json"],
  ]) {
    expect(existsSync(storeOf(OLD, ...beside))).toBe(false);
    expect(existsSync(storeOf(now, ...beside))).toBe(true);
  }
  expect(readFileSync(storeOf(now, "chatSessions", "torn.jsonl"), "utf8")).not.toContain('{"kind":1');
  expect((await plan()).steps).toEqual([]);
  expect(await editing.catalog.diagnose()).toEqual([]);

  await editing.edit().apply(await editing.edit().planUndo());
  expect(lookAtUser(user())).toEqual(before);
});

it("takes the chats of a renamed folder to the only one with its git remote, with their paths", async () => {
  workspace(OLD, "shop", ["a"]);
  chat(OLD, "a", "shop", { remote: REMOTE });
  repository("storefront");
  const now = await idOf(localFs, join(root, "storefront"));
  const before = lookAtUser(user());
  const { plan: made } = await editing.edit().apply(await plan());
  expect(made.adoptions).toMatchObject([
    { from: join(root, "shop"), to: join(root, "storefront"), sessions: 1 },
  ]);
  expect(made.losses).toEqual([
    "the states for undoing edits in VS Code, because the files have other paths now",
  ]);
  expect(Object.keys(listIn(now))).toEqual(["a"]);
  const text = readFileSync(storeOf(now, "chatSessions", "a.jsonl"), "utf8");
  expect(text).toContain(join(root, "storefront", "src/a.ts"));
  expect(text).not.toContain(join(root, "shop", "src/a.ts"));
  await editing.edit().apply(await editing.edit().planUndo());
  expect(lookAtUser(user())).toEqual(before);
});

it.each([
  ["two folders have it", ["one", "two"], REMOTE, /^2 folders have its git remote: .*one, .*two$/],
  ["none has it", [], REMOTE, /^no folder with its git remote was found$/],
  ["no chat recorded it", ["one"], undefined, /^its chats do not say which git remote it had$/],
])("leaves the chats of a missing folder alone where %s, and says so", async (_, folders, remote, why) => {
  workspace(OLD, "shop", ["a"]);
  chat(OLD, "a", "shop", remote === undefined ? {} : { remote });
  for (const folder of folders) repository(folder);
  const made = await plan();
  expect(made.steps).toEqual([]);
  expect(made.adoptions).toEqual([
    {
      from: join(root, "shop"),
      sessions: 1,
      why: expect.stringMatching(why),
      remedy: { action: "move", args: { from: join(root, "shop") }, asks: { to: "folder" } },
    },
  ]);
});

it("takes chats once from a storage folder that has a second name", async () => {
  put(join(root, "shop", "src", "a.ts"));
  const now = await idOf(localFs, join(root, "shop"));
  workspace(now, "shop", []);
  workspace(OLD, "shop", ["torn"]);
  chat(OLD, "torn", "shop", { tail: '{"kind":1' });
  for (const other of ["0000", "ffff"]) symlinkSync(storeOf(OLD), storeOf(`${other}${OLD.slice(4)}`));
  const made = await plan();
  expect(made.adoptions?.map(({ to, sessions }) => ({ to, sessions }))).toEqual([
    { to: join(root, "shop"), sessions: 1 },
  ]);
  await editing.edit().apply(made);
  expect([Object.keys(listIn(now)), Object.keys(listIn(OLD))]).toEqual([["torn"], []]);
});

it("knows only the sources that there are", async () => {
  await expect(editing.edit().planRescueAll("__proto__")).rejects.toMatchObject({ exitCode: 2 });
});

it("leaves them alone when told to, and one that went on differently in both workspaces", async () => {
  put(join(root, "shop", "src", "a.ts"));
  const now = await idOf(localFs, join(root, "shop"));
  workspace(OLD, "shop", ["a", "b"]);
  workspace(now, "shop", ["a"]);
  chat(OLD, "a", "shop");
  chat(OLD, "b", "shop");
  chat(now, "a", "shop", { remote: REMOTE });
  const none = await plan(false);
  expect([none.steps, none.adoptions]).toEqual([[], undefined]);
  const { plan: made } = await editing.edit().apply(await plan());
  expect(made.adoptions).toMatchObject([
    { sessions: 1, to: join(root, "shop") },
    { sessions: 1, why: '"Chat a": the new workspace has a chat of that id with different content' },
  ]);
  expect(Object.keys(listIn(now))).toEqual(["a", "b"]);
  expect(Object.keys(listIn(OLD))).toEqual(["a"]);
});

it("moves into a damaged list, and out of one that is gone", async () => {
  put(join(root, "shop", "src", "a.ts"));
  const now = await idOf(localFs, join(root, "shop"));
  workspace(OLD, "shop", ["a"]);
  rmSync(storeOf(OLD, "state.vscdb"));
  chat(OLD, "a", "shop");
  workspace(now, "shop", ["new"]);
  put(storeOf(now, "state.vscdb"), toKeyValueDb("ItemTable", { [INDEX_KEY]: "not a list" }));
  chat(now, "new", "shop");
  await editing.edit().apply(await plan());
  expect(Object.keys(listIn(now)).sort()).toEqual(["a", "new"]);
  expect(existsSync(storeOf(OLD, "chatSessions", "a.jsonl"))).toBe(false);
});

it("repairs a list that is stored as bytes, and brings the bytes back", async () => {
  workspace(OLD, "shop", ["a"]);
  mkdirSync(join(root, "shop"));
  chat(OLD, "a", "shop");
  chat(OLD, "unlisted", "shop");
  const db = new DatabaseSync(storeOf(OLD, "state.vscdb"));
  db.exec("UPDATE ItemTable SET value = CAST(value AS BLOB)");
  db.close();
  const before = lookAtUser(user());
  const { plan: made } = await editing.edit().apply(await plan());
  expect(made.repairs?.map(({ what }) => what)).toEqual([
    "VS Code would discard its list, which is stored as bytes: stored as text",
    "not in the list: added",
  ]);
  const row = rowsOf(storeOf(OLD, "state.vscdb"))[INDEX_KEY] as { type: string };
  expect(row.type).toBe("text");
  expect(Object.keys(listIn(OLD))).toEqual(["a", "unlisted"]);
  expect(listIn(OLD).a).toMatchObject(ENTRY);
  const undone = await editing.edit().apply(await editing.edit().planUndo());
  expect(lookAtUser(user())).toEqual(before);
  await editing.edit().apply(await editing.edit().planUndo(undone.operation));
  expect(Object.keys(listIn(OLD))).toEqual(["a", "unlisted"]);
});
