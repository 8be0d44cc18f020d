/** workspaces as people type it: every kind of place, two editors, and the commands that take an id of one. */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { toKeyValueDb } from "../../src/platform/sqlite/key-value-db.ts";
import { widthOf } from "../../src/present/text/text.ts";
import { madeUpLog } from "../edit/vscode-home.ts";
import { createHome, type Home, line, linesOf, start } from "./home.ts";

const BEGAN = new Date("2026-11-01T10:00:00.000Z");
const CLI = "0b1c2d3e-0000-4000-8000-000000000001";
/** Ids as VS Code gives them, by what they stand for. */
const IDS = { shop: "aa", gone: "ab", list: "ac", remote: "ad", unused: "ae" };
const id = (name: keyof typeof IDS): string => IDS[name].repeat(16);
let home: Home;
let shop: string;
const json = (...words: string[]) => JSON.parse(home.rethread("workspaces", "--json", ...words).stdout);
const chat = (number: number): string => `11111111-aaaa-4bbb-8ccc-00000000000${number}`;

beforeAll(() => {
  home = createHome();
  shop = join(home.path, "shop");
  mkdirSync(shop);
  const put = (path: string, text: string | Uint8Array, days = 0): void => {
    const file = join(home.path, ".config", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    const time = new Date(BEGAN.getTime() + days * 86_400_000);
    utimesSync(file, time, time);
  };
  const workspace = (product: string, name: string, about: object, chats: readonly number[]): void => {
    const store = `${product}/User/workspaceStorage/${name}`;
    put(`${store}/workspace.json`, JSON.stringify(about));
    for (const number of chats) put(`${store}/chatSessions/${chat(number)}.jsonl`, madeUpLog(chat(number)));
  };
  const uri = (path: string): string => pathToFileURL(path).href;
  workspace("Code", id("shop"), { folder: uri(shop) }, [1, 2]);
  workspace("Code", id("gone"), { folder: uri(join(home.path, "old shop")) }, [3]);
  workspace("Code", id("list"), { workspace: uri(join(shop, "all.code-workspace")) }, [4]);
  workspace("Code - Insiders", id("remote"), { folder: "vscode-remote://ssh-remote%2Bbox/srv/app" }, [5]);
  workspace("Code", id("unused"), { folder: uri(home.path) }, []);
  // Later than any chat: that is when the window was closed.
  const database = toKeyValueDb("ItemTable", { "memento/other": "not ours" });
  put(`Code/User/workspaceStorage/${id("unused")}/state.vscdb`, database, 9);
  put(`Code/User/globalStorage/emptyWindowChatSessions/${chat(6)}.jsonl`, madeUpLog(chat(6)));
  // What a window without a folder leaves behind.
  put("Code/User/workspaceStorage/1780000000000/state.vscdb", "", 9);
  home.session(CLI, [start(CLI, BEGAN), line("user.message", { content: "Hello" }, BEGAN, 1)], { cwd: shop });
});
afterAll(() => home.remove());

it("lists every kind of workspace with its id, chats and last use, and says which folders are there", () => {
  const chatted = "2026-11-01T10:02:09.000Z";
  const [Code, exists] = [{ source: "vscode", editor: "Code" }, true];
  const { schemaVersion, workspaces } = json();
  expect(schemaVersion).toBe(1);
  expect(workspaces).toEqual([
    {
      ...Code,
      id: id("unused"),
      folder: home.path,
      kind: "folder",
      sessionCount: 0,
      sessions: 0,
      repository: null,
      lastUsedAt: "2026-11-10T10:00:00.000Z",
      exists,
    },
    {
      ...Code,
      id: null,
      folder: null,
      kind: "none",
      sessionCount: 1,
      sessions: 1,
      repository: null,
      lastUsedAt: chatted,
      exists: null,
    },
    {
      ...Code,
      id: id("gone"),
      folder: join(home.path, "old shop"),
      kind: "folder",
      sessionCount: 1,
      sessions: 1,
      repository: null,
      lastUsedAt: chatted,
      exists: false,
    },
    {
      ...Code,
      id: id("shop"),
      folder: shop,
      kind: "folder",
      sessionCount: 2,
      sessions: 2,
      repository: null,
      lastUsedAt: chatted,
      exists,
    },
    {
      ...Code,
      id: id("list"),
      folder: join(shop, "all.code-workspace"),
      kind: "workspace-file",
      sessionCount: 1,
      sessions: 1,
      repository: null,
      lastUsedAt: chatted,
      exists: false,
    },
    {
      source: "vscode",
      editor: "Code - Insiders",
      id: id("remote"),
      folder: "vscode-remote://ssh-remote%2Bbox/srv/app",
      kind: "remote",
      sessionCount: 1,
      sessions: 1,
      repository: null,
      lastUsedAt: chatted,
      exists: null,
    },
    {
      source: "copilot-cli",
      editor: null,
      id: null,
      folder: shop,
      kind: "folder",
      sessionCount: 1,
      sessions: 1,
      repository: null,
      lastUsedAt: "2026-11-01T10:01:00.000Z",
      exists,
    },
  ]);
});

it("answers the same from the files when the store cannot be used, and for one source", () => {
  const blocked = home.with({ RETHREAD_HOME: join(home.path, "blocked") });
  mkdirSync(join(home.path, "blocked/session-store.db"), { recursive: true });
  const { stdout, stderr } = blocked.rethread("workspaces", "--json");
  expect(stderr).toContain("reading the agents' own files instead");
  expect(JSON.parse(stdout)).toEqual({ ...json(), notices: [stderr.trim()] });
  expect(json("--source", "copilot-cli").workspaces).toMatchObject([{ folder: shop, id: null }]);
});

it.each([80, 140])("is an aligned table of at most %i columns, with short ids", (columns) => {
  const lines = linesOf(home.with({ COLUMNS: String(columns) }).rethread("workspaces"));
  for (const each of lines) expect(widthOf(each), each).toBeLessThanOrEqual(columns);
  const [head = "", ...rows] = lines;
  const at = head.indexOf("FOLDER");
  const folders = rows.slice(0, 7).map((row) => row.slice(at).trimEnd());
  expect(folders).toEqual([
    "~",
    "(no folder)",
    expect.stringMatching(/^~\/old shop +gone$/),
    "~/shop",
    expect.stringMatching(/^~\/shop\/all.code-workspace +gone$/),
    "/srv/app on ssh-remote+box",
    "~/shop",
  ]);
  expect(rows[3]?.slice(0, head.indexOf("USED"))).toBe(`${id("shop").slice(0, 8)}  `);
  expect(rows.join("\n").includes("Code - Insiders")).toBe(columns === 140);
});

it("says that there are none", () => {
  const { stdout } = home.rethread("workspaces", "--source", "claude-code");
  expect(stdout).toBe("No workspace matches. See all: rethread workspaces\n");
});

it("is what clone and move name for an id that they do not know, and its ids are what they take", () => {
  const wrong = home.again("clone", chat(1), "--to", "0".repeat(32), "--json");
  expect(JSON.parse(wrong.stdout).error).toMatchObject({
    code: "usage",
    message: `${"0".repeat(32)} is neither a folder nor the id of a workspace`,
    hint: "See the workspaces and their ids: rethread workspaces",
  });
  const moved = home.again("move", chat(1), "--to", "0".repeat(32), "--json");
  expect(JSON.parse(moved.stdout).error.hint).toContain("rethread workspaces --source vscode");
  const clone = home.again("clone", chat(1), "--to", id("unused").slice(0, 8), "--dry-run", "--json");
  expect(JSON.parse(clone.stdout).plan.steps[0].path).toContain(id("unused"));
});
