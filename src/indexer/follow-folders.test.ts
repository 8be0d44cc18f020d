import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { localFs } from "../platform/fs/local.ts";
import type { SessionFs } from "../platform/fs/session-fs.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";
import { listSessions } from "../query/list.ts";
import { statsOf } from "../query/stats.ts";
import { openCatalog } from "../sources/catalog.ts";
import { createFolderRepositories } from "../sources/machine/folder-repositories.ts";
import { SOURCES } from "../sources/registry.ts";
import { openStore } from "../store/open.ts";
import { createSessionStore } from "../store/session-store.ts";
import { rebuild } from "./rebuild.ts";
import { refresh } from "./refresh.ts";

const now = () => new Date("2026-11-15T12:00:00Z");
const options = { outputHead: 256, now };
let folder: string;
let db: Database;
let asked: string[];

/** Notes what is read of git. */
const noting: SessionFs = {
  ...localFs,
  read(path, range) {
    if (path.includes(".git")) asked.push(path.slice(folder.length + 1));
    return localFs.read(path, range);
  },
};
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
    noting,
  );
const index = () => refresh(catalog(), createSessionStore(db), options);
const put = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const claude = (id: string, cwd: string) =>
  put(
    `claude/projects/-srv/${id}.jsonl`,
    `${JSON.stringify({ type: "user", uuid: id, parentUuid: null, sessionId: id, cwd: join(folder, cwd), gitBranch: "fix/login", timestamp: "2026-11-01T10:00:00Z", message: { role: "user", content: "hello" } })}\n`,
  );
const remote = (url: string) => `[remote "origin"]\n\turl = ${url}\n`;
const repositories = () =>
  Object.fromEntries(
    db
      .prepare("SELECT vendor_id, repository FROM sessions ORDER BY vendor_id")
      .all()
      .map((row) => [row.vendor_id, row.repository]),
  );
const about = (word: string) =>
  db.prepare("SELECT count(*) AS n FROM search_index WHERE search_index MATCH ?").get(`"${word}"`)?.n;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-folders-")));
  db = openStore({ folder, now, notice: () => undefined });
  asked = [];
});
afterEach(() => {
  if (db.isOpen) db.close();
  rmSync(folder, { recursive: true, force: true });
});

it("gives sessions of every source the remote of their folder, reading it once for all of them", async () => {
  put("shop/.git/HEAD", "ref: refs/heads/main\n");
  put("shop/.git/config", remote("https://person:ghp_secret@github.com/Acme/Shop.git"));
  for (let at = 0; at < 40; at++) claude(`claude-${at}`, "shop");
  put("code/workspaceStorage/w/workspace.json", JSON.stringify({ folder: `file://${folder}/shop` }));
  const chat = { version: 3, sessionId: "chat", creationDate: 1, lastMessageDate: 1, requests: [] };
  put("code/workspaceStorage/w/chatSessions/chat.json", JSON.stringify(chat));
  const start = { type: "session.start", id: "e", timestamp: "2026-11-01T10:00:00Z", parentId: null };
  const data = { sessionId: "cop", version: 1, startTime: "2026-11-01T10:00:00Z" };
  const place = { cwd: join(folder, "shop"), repository: "team/tool", repositoryHost: "ghe.example.org" };
  put(
    "copilot/session-state/cop/events.jsonl",
    `${JSON.stringify({ ...start, data: { ...data, context: place } })}\n`,
  );
  await index();
  expect(repositories()).toEqual({
    ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`claude-${at}`, "Acme/Shop"])),
    chat: "Acme/Shop",
    cop: "ghe.example.org/team/tool",
  });
  expect(asked.filter((path) => path === "shop/.git/config")).toHaveLength(1);
  expect(JSON.stringify(db.prepare("SELECT * FROM sessions").all())).not.toMatch(/ghp_secret|person/);
  // The branch is what was recorded, never today's.
  expect(db.prepare("SELECT DISTINCT source, branch FROM sessions ORDER BY 1").all()).toEqual([
    { source: "claude-code", branch: "fix/login" },
    { source: "copilot-cli", branch: null },
    { source: "vscode", branch: null },
  ]);
  const found = { repository: "acme/shop" };
  expect((await listSessions(catalog(), { db }, found)).total).toBe(41);
  expect(statsOf(catalog(), { db }, found).totals.sessions).toBe(41);
  asked = [];
  expect(await index()).toMatchObject({ unchanged: 42, bytesRead: 0 });
  expect(asked).toEqual([]);
});

it("follows linked work trees and submodules to the settings they share", async () => {
  put("shop/.git/HEAD", "ref: refs/heads/main\n");
  put("shop/.git/config", remote("git@gitlab.com:group/sub/shop.git"));
  put("shop/.git/worktrees/two/HEAD", "ref: refs/heads/two\n");
  put("shop/.git/worktrees/two/commondir", "../..\n");
  put("two/.git", `gitdir: ${folder}/shop/.git/worktrees/two\n`);
  put("shop/.git/modules/lib/HEAD", "ref: refs/heads/main\n");
  put("shop/.git/modules/lib/config", remote("git://git.example.org/team/lib.git"));
  put("shop/lib/.git", "gitdir: ../.git/modules/lib\n");
  claude("deep", "shop/src/deep");
  claude("two", "two");
  claude("lib", "shop/lib");
  claude("none", "elsewhere");
  await index();
  expect(repositories()).toEqual({
    deep: "gitlab.com/group/sub/shop",
    two: "gitlab.com/group/sub/shop",
    lib: "git.example.org/team/lib",
    none: null,
  });
});

it("notices a remote that is added or changed later, and keeps the one of a folder that is gone", async () => {
  mkdirSync(join(folder, "shop"));
  claude("a", "shop");
  await index();
  expect(repositories()).toEqual({ a: null });

  put("shop/.git/HEAD", "ref: refs/heads/main\n");
  put("shop/.git/config", remote("git@github.com:acme/shop.git"));
  const added = await index();
  expect(added).toMatchObject({ indexed: 0, unchanged: 1, bytesRead: 0 });
  expect(added.sessions.changed).toEqual([{ source: "claude-code", id: "a" }]);
  expect([repositories(), about("acme")]).toEqual([{ a: "acme/shop" }, 1]);

  put("shop/.git/config", remote("git@github.com:other/store.git"));
  await index();
  expect([repositories(), about("acme"), about("store")]).toEqual([{ a: "other/store" }, 0, 1]);

  rmSync(join(folder, "shop"), { recursive: true });
  await index();
  claude("b", "shop");
  await index();
  expect(repositories()).toEqual({ a: "other/store", b: "other/store" });
  db.close();
  await rebuild(catalog(), folder, options);
  db = openStore({ folder, now, notice: () => undefined });
  expect(repositories()).toEqual({ a: "other/store", b: "other/store" });

  // A folder that is there and is no clone says so.
  mkdirSync(join(folder, "shop"));
  await index();
  expect(repositories()).toEqual({ a: null, b: null });
});

it("notices a repository that appears above a folder, or nearer to it, as a new store would", async () => {
  mkdirSync(join(folder, "shop/lib/deep"), { recursive: true });
  claude("a", "shop/lib/deep");
  claude("gone", "shop/gone");
  const indexed = async () => {
    await index();
    asked = [];
    await index();
    return repositories();
  };
  expect(await indexed()).toEqual({ a: null, gone: null });
  put("shop/.git/config", remote("git@github.com:acme/shop.git"));
  expect(await indexed()).toEqual({ a: "acme/shop", gone: "acme/shop" });
  expect(asked).toEqual([]);
  put("shop/.git/modules/lib/config", remote("git@github.com:acme/lib.git"));
  put("shop/lib/.git", "gitdir: ../.git/modules/lib\n");
  expect(await indexed()).toEqual({ a: "acme/lib", gone: "acme/shop" });
  put("shop/lib/deep/.git/config", remote("git@github.com:acme/deep.git"));
  expect(await indexed()).toEqual({ a: "acme/deep", gone: "acme/shop" });
  rmSync(join(folder, "shop/lib/deep"), { recursive: true });
  const last = await indexed();
  db.close();
  await rebuild(catalog(), folder, options);
  db = openStore({ folder, now, notice: () => undefined });
  expect([last, repositories()]).toEqual([
    { a: "acme/lib", gone: "acme/shop" },
    { a: "acme/lib", gone: "acme/shop" },
  ]);
});

it("asks nothing of a network share, which may answer never", async () => {
  const looked: string[] = [];
  const fs: SessionFs = {
    ...localFs,
    statEach: async (paths) => {
      looked.push(...paths);
      return paths.map(() => undefined);
    },
  };
  const folders = createFolderRepositories(fs);
  const share = "//server/share/shop";
  expect(await folders.of(share)).toBeUndefined();
  expect(await folders.stamps([share])).toEqual([{ mtimeMs: null, size: null }]);
  expect(await folders.nearest([share])).toEqual([undefined]);
  expect(looked).toEqual([]);
});
