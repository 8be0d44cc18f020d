/** VS Code's folders with our writing commands on them, and ways to look at its lists by what they say. */
import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createEditApp, type EditApp } from "../../src/app/edit-app.ts";
import { type Disk, localDisk } from "../../src/platform/disk.ts";
import { resolveSession } from "../../src/query/resolve.ts";
import type { Catalog } from "../../src/sources/catalog.ts";
import { lookAtAll } from "./home.ts";
import { NOW, openVsCode } from "./source-homes.ts";

export const INDEX_KEY = "chat.ChatSessionStore.index";

export interface VsCodeEditing {
  readonly catalog: Catalog;
  edit(disk?: Disk): EditApp;
}

/** `user` is VS Code's `User` folder, `data` our own one. */
export function openEditing(user: string, data: string, now = NOW): VsCodeEditing {
  const catalog = openVsCode(user);
  return {
    catalog,
    edit: (disk = localDisk) =>
      createEditApp({
        catalog,
        home: data,
        now,
        folder: user,
        find: (name) => resolveSession(catalog, name),
        refresh: async () => undefined,
        disk,
      }),
  };
}

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
