/** VS Code's folders with our writing commands on them, and ways to look at its lists by what they say. */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { EditCore } from "../../src/app/edit/core.ts";
import { createEditCore } from "../../src/app/edit/core.ts";
import type { Disk } from "../../src/platform/disk/disk.ts";
import { toKeyValueDb } from "../../src/platform/sqlite/key-value-db.ts";
import { resolveSession } from "../../src/query/resolve.ts";
import type { Catalog } from "../../src/sources/catalog.ts";
import { lookAtAll } from "./home.ts";
import { quickDisk } from "./quick-disk.ts";
import { NOW, openVsCode } from "./source-homes.ts";

export const INDEX_KEY = "chat.ChatSessionStore.index";

export interface VsCodeEditing {
  readonly catalog: Catalog;
  edit(disk?: Disk): EditCore;
}

/** `user` is VS Code's `User` folder, `data` our own one. */
export function openEditing(user: string, data: string, now = NOW): VsCodeEditing {
  const catalog = openVsCode(user);
  return {
    catalog,
    edit: (disk = quickDisk) =>
      createEditCore({
        catalog,
        home: data,
        now: () => now,
        folder: user,
        find: (name) => resolveSession(catalog, name),
        refresh: async () => undefined,
        disk,
      }),
  };
}

export interface VsCodeHome extends VsCodeEditing {
  /** VS Code's `User` folder, and our own one, which may lie on another disk. */
  readonly user: string;
  readonly data: string;
  /** In the folder of the one workspace. */
  file(...names: string[]): string;
  remove(): void;
}

export const [ID, OTHER] = ["11111111-aaaa-4bbb-8ccc-000000000001", "22222222-aaaa-4bbb-8ccc-000000000002"];

/** A workspace without chats. */
export const ELSEWHERE = "fedcba9876543210fedcba9876543210";

/**
 * A workspace with a session and all that VS Code and the extension keep about it, another one, and what is not ours; and
 * one without sessions.
 */
export function createVsCodeHome(dataParent = tmpdir()): VsCodeHome {
  const folder = mkdtempSync(join(tmpdir(), "rethread-vscode-"));
  const ours = mkdtempSync(join(dataParent, "rethread-data-"));
  const [user, data] = [join(folder, "User"), join(ours, "data")];
  const store = join(user, "workspaceStorage", "0123456789abcdef0123456789abcdef");
  const put = (name: string, content: string | Uint8Array, at = store): void => {
    const path = join(at, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    utimesSync(path, BEGAN, BEGAN);
  };
  put("workspace.json", '{"folder":"file:///srv/shop"}');
  put(`chatSessions/${ID}.jsonl`, madeUpLog(ID));
  put(`chatSessions/${OTHER}.jsonl`, madeUpLog(OTHER));
  put(`chatSessions/${ID}.json`, JSON.stringify(madeUpSession(ID, 1)));
  put(`chatEditingSessions/${ID}/state.json`, '{"version":2,"initialFileContents":[],"timeline":{}}');
  put(`chatEditingSessions/${ID}/contents/0beec7b`, "foo\n");
  put(`GitHub.copilot-chat/transcripts/${ID}.jsonl`, '{"type":"session.start"}\n');
  const external = { sessionId: "x", title: "Elsewhere", lastMessageDate: 1, isExternal: true, future: [1] };
  const entries = { "copilotcli:/x": external, [ID]: entryOf(ID, "First"), [OTHER]: entryOf(OTHER, "Other") };
  put(
    "state.vscdb",
    toKeyValueDb("ItemTable", {
      [INDEX_KEY]: JSON.stringify({ version: 1, entries, future: { number: 1 } }),
      "memento/other": "not ours",
    }),
  );
  const elsewhere = join(user, "workspaceStorage", ELSEWHERE);
  put("workspace.json", '{"folder":"file:///srv/elsewhere"}', elsewhere);
  put("state.vscdb", toKeyValueDb("ItemTable", { "memento/other": "not ours either" }), elsewhere);
  return {
    ...openEditing(user, data),
    user,
    data,
    file: (...names) => join(store, ...names),
    remove() {
      for (const path of [folder, ours]) rmSync(path, { recursive: true, force: true });
    },
  };
}

const BEGAN = new Date("2026-11-01T10:00:00.000Z");

const entryOf = (sessionId: string, title: string) => ({
  sessionId,
  title,
  lastMessageDate: BEGAN.getTime(),
  initialLocation: "panel",
  isEmpty: false,
  future: { kept: true },
});

const turnOf = (number: number) => ({
  requestId: `request_${number}`,
  timestamp: BEGAN.getTime() + number * 60_000,
  message: {
    text: `Prompt ${number}`,
    parts: [{ kind: "text", text: `Prompt ${number}`, range: { start: 0, endExclusive: 8 } }],
  },
  response: [{ value: `Answer ${number}` }, { kind: "fromTheFuture", deep: { number: 1 } }],
  responseId: `response_${number}`,
  result: {
    metadata: {
      sessionId: "the session",
      toolCallRounds: [
        { id: `round_${number}`, response: `Answer ${number}`, toolCalls: [], statefulMarker: "server" },
      ],
    },
  },
  modelState: { value: 1, completedAt: BEGAN.getTime() + number * 60_000 + 9000 },
});

export const madeUpSession = (id: string, turns: number) => ({
  version: 3,
  sessionId: id,
  creationDate: BEGAN.getTime(),
  responderUsername: "GitHub Copilot",
  initialLocation: "panel",
  customTitle: "First",
  future: 1.5,
  requests: Array.from({ length: turns }, (_, number) => turnOf(number)),
});

/** Three turns, the last two of them pushed and changed later; numbers that a parser would write otherwise. */
export const madeUpLog = (id: string): string =>
  [
    JSON.stringify({ kind: 0, v: madeUpSession(id, 1) }).replace('"future":1.5', '"future":1.50'),
    JSON.stringify({ kind: 2, k: ["requests"], v: [turnOf(1)] }),
    JSON.stringify({ kind: 2, k: ["requests"], v: [turnOf(2)], i: 2 }),
    JSON.stringify({ kind: 2, k: ["requests", 1, "response"], v: [{ value: "Answer 1, mended" }], i: 0 }),
    JSON.stringify({ kind: 1, k: ["hasPendingEdits"], v: true }),
    "",
  ].join("\n");

/** All rows, with the list of sessions as what it means: VS Code may write its members in any order. */
export function rowsOf(database: string): Record<string, unknown> {
  const db = new DatabaseSync(database, { readOnly: true });
  try {
    const rows = db.prepare("SELECT key, value, typeof(value) AS type FROM ItemTable").all();
    return Object.fromEntries(
      rows.map(({ key, value, type }) => [key, { type, ...(key === INDEX_KEY ? toList(value) : { value }) }]),
    );
  } finally {
    db.close();
  }
}

function toList(value: unknown): { list: unknown } | { value: unknown } {
  try {
    return { list: JSON.parse(String(value)) };
  } catch {
    return { value }; // a damaged one is nothing but its text
  }
}

const HEADER = "SQLite format 3";

/** Everything below a folder, databases as their rows, without the copies of them that writes leave behind. */
export function lookAtUser(folder: string): Record<string, unknown> {
  const seen: Record<string, unknown> = lookAtAll(folder);
  for (const name of Object.keys(seen)) if (/\.rethread-[^/]+$/.test(name)) delete seen[name];
  for (const name of globSync("**/state.vscdb", { cwd: folder })) {
    const path = join(folder, name);
    if (readFileSync(path).toString("latin1", 0, HEADER.length) === HEADER) seen[name] = rowsOf(path);
  }
  return seen;
}

export const copiesBeside = (folder: string): string[] =>
  globSync("**/state.vscdb.rethread-*", { cwd: folder })
    .map((path) => relative(folder, join(folder, path)))
    .sort();

export const textOf = (path: string): string => readFileSync(path, "utf8");
