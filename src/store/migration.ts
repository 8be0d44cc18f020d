/** One numbered schema migration with a one-line reason; never edited once released. */
import type { Database } from "../platform/sqlite/sqlite.ts";

export interface Migration {
  readonly id: string;
  readonly why: string;
  up(db: Database): void;
}

export const defineMigration = (migration: Migration): Migration => migration;
