/** VS Code's list of sessions as something to be changed: checked whole, and touched in our own entries only. */
import { AppError } from "../../../model/errors.ts";
import type { Cell, SetStep } from "../../../model/plan.ts";
import { newCopy } from "../../../platform/database-copies.ts";
import { readValues } from "../../../platform/key-values.ts";
import { reasonOf, type SessionFs } from "../../../platform/session-fs.ts";
import { SQLITE, sqliteCode } from "../../../platform/sqlite.ts";
import { asObject, isObject, type JsonObject } from "../../jsonl.ts";
import { INDEX_KEY, TABLE, toIndex } from "../state-db.ts";
import { inUse } from "./running.ts";

/** Where VS Code kept all sessions before it had files; it moves them over as long as there is no list. */
export const LEGACY_KEY = "interactive.sessions";
export const EMPTY = '{"version":1,"entries":{}}';
/** Beyond these, in versions of the past and of today, VS Code drops what is oldest from its list. */
export const LIMITS = { once: [25, 50], today: 400 };

export interface List {
  readonly database: string;
  /** By their keys, as they are. */
  readonly entries: ReadonlyMap<string, JsonObject>;
  /** Whether there is a list at all. */
  readonly isThere: boolean;
}

/** Throws where there is none that could be changed safely. */
export async function readList(fs: SessionFs, database: string): Promise<List> {
  if (!(await fs.exists(database))) throw inBrowser(database);
  const { index, legacy } = readBoth(database);
  if (index === null) {
    if (legacy !== null) throw notMovedYet(database);
    return { database, entries: new Map(), isThere: false };
  }
  const objection = objectionTo(database, INDEX_KEY, index);
  if (objection) throw objection;
  const { entries } = JSON.parse(String(index)) as { entries: Record<string, JsonObject> };
  return { database, entries: new Map(Object.entries(entries)), isThere: true };
}

function readBoth(database: string): { index: unknown; legacy: unknown } {
  try {
    const values = readValues(database, TABLE, [INDEX_KEY, LEGACY_KEY]);
    return { index: values.get(INDEX_KEY) ?? null, legacy: values.get(LEGACY_KEY) ?? null };
  } catch (error) {
    const code = sqliteCode(error);
    if (code === undefined) throw error;
    throw code === SQLITE.BUSY ? inUse() : damaged(database, reasonOf(error), error);
  }
}

export function objectionTo(database: string, key: string, value: unknown): AppError | undefined {
  if (key !== INDEX_KEY) return undefined;
  if (typeof value !== "string") return notText(database);
  const index = toIndex({ value, type: "text" });
  return index.state === "invalid" ? damaged(database, index.reason) : undefined;
}

export const toSet = (list: List, cells: readonly Cell[], now: Date): SetStep => ({
  does: "set",
  path: list.database,
  table: TABLE,
  cells,
  copy: newCopy(list.database, now),
});

/** In the place of one that named a session which is not there. */
export function addEntry(list: List, entry: JsonObject & { readonly sessionId: string }): Cell {
  const local = [...list.entries.values()].filter(({ isExternal }) => isExternal !== true);
  if (local.length >= LIMITS.today) throw full(list.database, local.length);
  const ghost = list.entries.get(entry.sessionId);
  return {
    key: INDEX_KEY,
    at: ["entries", entry.sessionId],
    before: ghost === undefined ? null : JSON.stringify(ghost),
    after: JSON.stringify(entry),
    ...(!list.isThere && { around: EMPTY }),
  };
}

/** What an older VS Code does with one entry more than it lists. */
export function warningAbout({ entries }: List): string[] {
  const local = [...entries.values()].filter(({ isExternal }) => isExternal !== true);
  if (!LIMITS.once.includes(local.length)) return [];
  const oldest = local.sort((a, b) => Number(a.lastMessageDate) - Number(b.lastMessageDate))[0];
  const title = JSON.stringify(oldest?.title ?? "");
  return [`the place of ${title} in VS Code's list, should it be a version that lists ${local.length} chats`];
}

/** Nothing where the session is not listed. */
export function removeEntry({ entries }: List, id: string): Cell[] {
  const entry = entries.get(id);
  return entry ? [{ key: INDEX_KEY, at: ["entries", id], before: JSON.stringify(entry), after: null }] : [];
}

/** Of one field of an entry; nothing where the session is not listed. */
export function changeEntry({ entries }: List, id: string, field: string, value: unknown): Cell[] {
  const entry = entries.get(id);
  if (!isObject(entry) || entry[field] === value) return [];
  const before = entry[field] === undefined ? null : JSON.stringify(entry[field]);
  return [{ key: INDEX_KEY, at: ["entries", id, field], before, after: JSON.stringify(value) }];
}

export interface EntryFacts {
  readonly id: string;
  readonly title: string;
  readonly now: Date;
  readonly created: number;
  readonly started?: number | undefined;
  readonly ended?: number | undefined;
  readonly turns: number;
  /** How the last turn ended. */
  readonly state: number;
}

/** As VS Code itself would note it, were it written now: one with an old date could leave the list at once. */
export function toEntry(facts: EntryFacts, original: unknown): JsonObject & { readonly sessionId: string } {
  const { stats: _, hasPendingEdits: __, inputState: ___, ...rest } = asObject(original) ?? {};
  return {
    ...rest,
    sessionId: facts.id,
    title: facts.title,
    lastMessageDate: facts.now.getTime(),
    timing: {
      created: facts.created,
      ...(facts.started !== undefined && { lastRequestStarted: facts.started }),
      ...(facts.ended !== undefined && { lastRequestEnded: facts.ended }),
    },
    initialLocation: "panel",
    hasPendingEdits: false,
    isEmpty: facts.turns === 0,
    isExternal: false,
    lastResponseState: facts.state,
  };
}

export const inBrowser = (database: string): AppError =>
  new AppError(
    "not-supported",
    `There is no ${database}: code-server and other editors in a browser keep their list of chats there`,
    "Take a copy to another editor: rethread export <session> --format bundle --out chat.tgz, then rethread import chat.tgz --to <folder>",
  );

const notMovedYet = (database: string): AppError =>
  new AppError(
    "not-supported",
    `${database} holds chats of an early VS Code that it has yet to move into files`,
    "Open that folder in VS Code once, close it, and run the command again",
  );

/** What is there could not be put back as it was. */
const notText = (database: string): AppError =>
  new AppError(
    "list-damaged",
    `VS Code's list of sessions in ${database} is not stored as text, so VS Code would not take it`,
    "Open that folder in VS Code once, which starts a new list, close it, and put the chats there: rethread rescue --vscode",
  );

const damaged = (database: string, reason: string, cause?: unknown): AppError =>
  new AppError(
    "list-damaged",
    `VS Code's list of sessions in ${database} is damaged (${reason}), and a write would cost all of it`,
    "Repair it: rethread rescue --vscode",
    cause,
  );

const full = (database: string, count: number): AppError =>
  new AppError(
    "list-full",
    `VS Code's list of sessions in ${database} has ${count} chats, and would drop the oldest for one more`,
    "Delete one first: rethread list --source vscode",
  );
