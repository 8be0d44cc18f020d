/** A store in a folder of its own, filled from any catalog. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RefreshResult, refresh } from "../src/indexer/refresh.ts";
import type { Catalog } from "../src/sources/catalog.ts";
import { openStore } from "../src/store/open.ts";
import { createSessionStore } from "../src/store/session-store.ts";

export interface TinyStore {
  index(catalog: Catalog): Promise<RefreshResult>;
  /** Rows with the columns of each as words. */
  words(sql: string): string[];
  clear(): void;
  remove(): void;
}

export function createTinyStore(): TinyStore {
  const folder = mkdtempSync(join(tmpdir(), "rethread-store-"));
  const now = () => new Date("2026-11-15T12:00:00Z");
  const db = openStore({ folder, now, notice: () => undefined });
  const words = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map((row) => Object.values(row).join(" "));
  return {
    index: (catalog) => refresh(catalog, createSessionStore(db), { outputHead: 256, now }),
    words,
    clear() {
      const store = createSessionStore(db);
      store.begin();
      for (const id of words("SELECT id FROM sessions")) store.remove(id);
      store.commit();
    },
    remove() {
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
