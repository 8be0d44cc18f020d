/** A folder with a home for every source, a few files in them, and the store that comes of it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { refresh } from "../src/indexer/refresh.ts";
import { localFs } from "../src/platform/fs/local.ts";
import { openCatalog } from "../src/sources/catalog.ts";
import { SOURCES } from "../src/sources/registry.ts";
import { openStore } from "../src/store/open.ts";
import { createSessionStore } from "../src/store/session-store.ts";

export interface TinyHome {
  /** Writes records as the lines of a file, below `copilot`, `claude` or `vscode`. */
  write(path: string, ...records: object[]): void;
  remove(path?: string): void;
  /** Brings the store up to date. */
  index(): Promise<void>;
  /** Rows of the store. */
  ask(sql: string): Record<string, unknown>[];
  /** The same with the columns of each row as words. */
  words(sql: string): string[];
}

export function createTinyHome(): TinyHome {
  const folder = mkdtempSync(join(tmpdir(), "rethread-tiny-"));
  const now = () => new Date("2026-11-15T12:00:00Z");
  const vars = {
    COPILOT_HOME: join(folder, "copilot"),
    CLAUDE_CONFIG_DIR: join(folder, "claude"),
    VSCODE_STORAGE_PATH: join(folder, "vscode"),
  };
  const db = openStore({ folder, now, notice: () => undefined });
  const home: TinyHome = {
    write(path, ...records) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    },
    remove(path) {
      if (path === undefined) db.close();
      rmSync(join(folder, path ?? ""), { recursive: true, force: true });
    },
    async index() {
      const catalog = openCatalog(SOURCES, { platform: "linux", homeDir: folder, vars }, localFs);
      await refresh(catalog, createSessionStore(db), { outputHead: 256, now, vanished: "remove" });
    },
    ask: (sql) => db.prepare(sql).all(),
    words: (sql) => home.ask(sql).map((row) => Object.values(row).join(" ")),
  };
  return home;
}
