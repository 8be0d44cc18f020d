/** A numbered step from one schema to the next, explained in a line, never edited once released. */
import type { Database } from "../platform/sqlite/sqlite.ts";

export interface Migration {
  readonly id: string;
  readonly why: string;
  up(db: Database): void;
}

export const defineMigration = (migration: Migration): Migration => migration;
