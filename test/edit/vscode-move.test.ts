/** Where VS Code's chats may move to, what comes along, and what is refused. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { EditCore } from "../../src/app/edit/core.ts";
import { createEditCore } from "../../src/app/edit/core.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { toKeyValueDb } from "../../src/platform/sqlite/key-value-db.ts";
import { resolveSession } from "../../src/query/resolve.ts";
import { openCatalog } from "../../src/sources/catalog.ts";
import vscode from "../../src/sources/vscode/index.ts";
import { NOW } from "./source-homes.ts";
import {
  createVsCodeHome,
  ELSEWHERE,
  ID,
  INDEX_KEY,
  lookAtUser,
  OTHER,
  rowsOf,
  type VsCodeHome,
} from "./vscode-home.ts";

/** Of an editor whose user-data folder that is. */
const UNTITLED = "file:///home/dev/.config/Code/Workspaces/1780000000000/workspace.json";
let home: VsCodeHome;
beforeEach(() => {
  home = createVsCodeHome();
});
afterEach(() => home.remove());

const elsewhere = (...names: string[]): string => join(home.user, "workspaceStorage", ELSEWHERE, ...names);
const listed = (database: string): string[] => {
  const row = rowsOf(database)[INDEX_KEY] as { list: { entries: object } } | undefined;
  return Object.keys(row?.list.entries ?? {});
};
const codeOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: { code: string }) => error.code,
  );
const moveTo = async (edit: EditCore, to: string, more: { editor?: string } = {}) =>
  edit.apply(await edit.planMove({ session: ID, to, text: false, ...more }));

it("takes along what the extension keeps, but no states of files that have other paths now", async () => {
  const before = lookAtUser(home.user);
  const { plan } = await moveTo(home.edit(), ELSEWHERE);
  expect(plan.losses).toEqual([
    "the states for undoing edits in VS Code, because the files have other paths now",
  ]);
  expect(listed(elsewhere("state.vscdb"))).toEqual([ID]);
  expect(listed(home.file("state.vscdb"))).toEqual(["copilotcli:/x", OTHER]);
  expect(existsSync(elsewhere("GitHub.copilot-chat", "transcripts", `${ID}.jsonl`))).toBe(true);
  expect(existsSync(elsewhere("chatEditingSessions"))).toBe(false);
  expect(Object.keys(lookAtUser(home.user)).filter((path) => path.includes(ID))).not.toContain(
    expect.stringContaining("0123456789abcdef"),
  );
  await home.edit().apply(await home.edit().planUndo());
  expect(lookAtUser(home.user)).toEqual(before);
});

it("keeps an entry as VS Code wrote it, with its date and what it may know in future", async () => {
  const row = (): { list: { entries: Record<string, object> } } =>
    rowsOf(home.file("state.vscdb"))[INDEX_KEY] as never;
  const entry = row().list.entries[ID] as object;
  await moveTo(home.edit(), ELSEWHERE);
  const moved = (rowsOf(elsewhere("state.vscdb"))[INDEX_KEY] as ReturnType<typeof row>).list.entries[ID];
  expect(moved).toMatchObject(entry);
});

it("takes the place of the copy that VS Code left in a workspace that the window became", async () => {
  writeFileSync(elsewhere("workspace.json"), '{"workspace":"file:///srv/all.code-workspace"}');
  mkdirSync(elsewhere("chatSessions"));
  cpSync(home.file("chatSessions", `${ID}.jsonl`), elsewhere("chatSessions", `${ID}.jsonl`));
  const before = lookAtUser(home.user);
  const { plan } = await moveTo(home.edit(), ELSEWHERE);
  expect(plan.losses).toEqual([]);
  expect(listed(elsewhere("state.vscdb"))).toEqual([ID]);
  // The folders in it are where they were, so the states of their files still fit.
  expect(existsSync(elsewhere("chatEditingSessions", ID, "contents", "0beec7b"))).toBe(true);
  await home.edit().apply(await home.edit().planUndo());
  expect(lookAtUser(home.user)).toEqual(before);
});

it("is refused where the same session goes on in another way", async () => {
  mkdirSync(elsewhere("chatSessions"));
  writeFileSync(elsewhere("chatSessions", `${ID}.jsonl`), "something else\n");
  expect(await codeOf(moveTo(home.edit(), ELSEWHERE))).toBe("session-exists");
});

it("is refused where the list lives in a browser, or nobody knows the folder", async () => {
  rmSync(elsewhere("state.vscdb"));
  expect(await codeOf(moveTo(home.edit(), ELSEWHERE))).toBe("not-supported");
  expect(await codeOf(moveTo(home.edit(), "/srv/nowhere"))).toBe("usage");
});

it("goes to the same folder in another editor, with the states of its files", async () => {
  const config = dirname(home.user);
  const folder = join(config, "shop");
  mkdirSync(folder);
  writeFileSync(home.file("workspace.json"), JSON.stringify({ folder: `file://${folder}` }));
  const insiders = join(config, "Code - Insiders", "User");
  for (const name of ["globalStorage", "workspaceStorage"])
    mkdirSync(join(insiders, name), { recursive: true });
  writeFileSync(join(insiders, "globalStorage", "state.vscdb"), toKeyValueDb("ItemTable", {}));
  const env = { platform: process.platform, homeDir: config, vars: {} };
  const catalog = openCatalog([{ ...vscode, locate: () => [home.user, insiders] }], env, localFs);
  const edit = createEditCore({
    catalog,
    home: home.data,
    now: () => NOW,
    folder: config,
    find: (name) => resolveSession(catalog, name),
    refresh: async () => undefined,
  });
  const [before, text] = [lookAtUser(config), readFileSync(home.file("chatSessions", `${ID}.jsonl`), "utf8")];
  expect(await codeOf(moveTo(edit, folder, { editor: "emacs" }))).toBe("usage");
  const { plan } = await moveTo(edit, folder, { editor: "insiders" });
  const store = dirname(dirname(plan.session.path));
  expect(dirname(store)).toBe(join(insiders, "workspaceStorage"));
  expect(readFileSync(join(store, "chatSessions", `${ID}.jsonl`), "utf8")).toBe(text);
  expect(listed(join(store, "state.vscdb"))).toEqual([ID]);
  expect(existsSync(join(store, "chatEditingSessions", ID, "contents", "0beec7b"))).toBe(true);
  expect(JSON.parse(readFileSync(join(store, "workspace.json"), "utf8"))).toEqual({
    folder: `file://${folder}`,
  });
  expect(basename(store)).toMatch(/^[0-9a-f]{32}$/);
  await edit.apply(await edit.planUndo());
  expect(lookAtUser(config)).toEqual(before);
});

it("takes several along by their names, as one operation", async () => {
  const before = lookAtUser(home.user);
  const edit = home.edit();
  const { plan } = await edit.apply(
    await edit.planMove({ session: [OTHER, ID], to: ELSEWHERE, text: false }),
  );
  expect(plan.move).toMatchObject({ from: "/srv/shop", to: "/srv/elsewhere" });
  expect(listed(elsewhere("state.vscdb"))).toEqual([OTHER, ID]);
  expect(listed(home.file("state.vscdb"))).toEqual(["copilotcli:/x"]);
  expect(await codeOf(edit.planMove({ session: [OTHER, OTHER], to: home.user, text: false }))).toBe("usage");
  await edit.apply(await edit.planUndo());
  expect(lookAtUser(home.user)).toEqual(before);
});

it.each([
  ["a list of folders", "file:///srv/shop", "file:///srv/all.code-workspace"],
  ["the list that VS Code makes when a folder is added", "file:///srv/shop", UNTITLED],
  ["that list as somebody saved it", UNTITLED, "file:///srv/all.code-workspace"],
  ["a list of another name", "file:///srv/all.code-workspace", "file:///srv/every.code-workspace"],
])("leaves addresses and states of files as they are in %s", async (_, from, to) => {
  const placeOf = (uri: string) => JSON.stringify({ [uri.endsWith("/shop") ? "folder" : "workspace"]: uri });
  writeFileSync(home.file("workspace.json"), placeOf(from));
  writeFileSync(elsewhere("workspace.json"), placeOf(to));
  const address = { path: "/srv/shop/a.ts", scheme: "file" };
  const log = readFileSync(home.file("chatSessions", `${ID}.jsonl`), "utf8");
  const text = `${log}${JSON.stringify({ kind: 1, k: ["at"], v: [address, { path: `${from}/a.ts`.slice(7), scheme: "file" }] })}\n`;
  writeFileSync(home.file("chatSessions", `${ID}.jsonl`), text);
  const edit = home.edit();
  const all = { from: from.slice("file://".length), to: ELSEWHERE, text: false };
  for (const request of [{ session: ID, to: ELSEWHERE, text: false }, all]) {
    const { plan } = await edit.apply(await edit.planMove(request));
    expect([plan.losses, readFileSync(elsewhere("chatSessions", `${ID}.jsonl`), "utf8")]).toEqual([[], text]);
    expect(existsSync(elsewhere("chatEditingSessions", ID, "state.json"))).toBe(true);
    await edit.apply(await edit.planUndo());
  }
});
