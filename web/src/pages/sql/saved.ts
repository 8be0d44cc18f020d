/** Queries that the person gave a name, remembered in this browser. */
import { createStore } from "../../lib/store.ts";
import type { NamedQuery } from "./examples.ts";

const KEY = "rethread.sql.saved";
const DRAFT = "rethread.sql.draft";

export const saved = createStore<readonly NamedQuery[]>(read());

/** A query of the same name is replaced. */
export function save(query: NamedQuery): void {
  const others = saved.get().filter(({ name }) => name !== query.name);
  write([...others, query].toSorted((a, b) => a.name.localeCompare(b.name)));
}

export const forget = (name: string): void => write(saved.get().filter((each) => each.name !== name));

/** What stood in the editor last, so that a reload loses nothing. */
export const readDraft = (): string | undefined => attempt(() => sessionStorage.getItem(DRAFT)) ?? undefined;
export const keepDraft = (sql: string): void => void attempt(() => sessionStorage.setItem(DRAFT, sql));

function write(all: readonly NamedQuery[]): void {
  saved.set(all);
  attempt(() => localStorage.setItem(KEY, JSON.stringify(all)));
}

function read(): readonly NamedQuery[] {
  const kept: unknown = attempt(() => JSON.parse(localStorage.getItem(KEY) ?? "[]"));
  return Array.isArray(kept) ? kept.filter(isQuery) : [];
}

function isQuery(value: unknown): value is NamedQuery {
  const { name, sql } = (value ?? {}) as Record<string, unknown>;
  return typeof name === "string" && typeof sql === "string";
}

/** Storage may be off, full, or hold something else. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
