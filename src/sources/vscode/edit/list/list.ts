/** Changes VS Code's list of sessions: validates all of it, and changes only our own entries. */
import { AppError } from "../../../../model/errors.ts";
import type { Cell, SetStep } from "../../../../model/plan.ts";
import { newerThanKnown } from "../../../../model/session/newer.ts";
import { reasonOf, type SessionFs } from "../../../../platform/fs/session-fs.ts";
import { memberText, neighboursOf } from "../../../../platform/json/members.ts";
import { newCopy } from "../../../../platform/sqlite/copy-name.ts";
import { readUserVersionIn, readValuesIn } from "../../../../platform/sqlite/key-values-in.ts";
import { SQLITE, sqliteCode } from "../../../../platform/sqlite/sqlite.ts";
import { asNumber, asObject, isObject, type JsonObject } from "../../../log/jsonl.ts";
import { INDEX_KEY, readIndexRow, TABLE, toIndex, whyNewerDatabase } from "../../index-db/state-db.ts";
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
  /** The JSON of it, with everything that parsing does not keep. */
  readonly text: string;
  /** Whether there is a list at all. */
  readonly isThere: boolean;
}

/** Throws where there is none that could be changed safely. */
export async function readList(fs: SessionFs, database: string): Promise<List> {
  if (!(await fs.exists(database))) throw inBrowser(database);
  const { index, legacy } = await readBoth(fs, database);
  if (index === null) {
    if (legacy !== null) throw notMovedYet(database);
    return { database, entries: new Map(), text: EMPTY, isThere: false };
  }
  if (typeof index !== "string") throw await notReadable(fs, database);
  const rejection = whyRejected(database, INDEX_KEY, index);
  if (rejection) throw rejection;
  const { entries } = JSON.parse(index) as { entries: Record<string, JsonObject> };
  return { database, entries: new Map(Object.entries(entries)), text: index, isThere: true };
}

async function readBoth(fs: SessionFs, database: string): Promise<{ index: unknown; legacy: unknown }> {
  try {
    const newer = whyNewerDatabase(await readUserVersionIn(fs, database));
    if (newer !== undefined) throw newerList(database, newer);
    const values = await readValuesIn(fs, database, TABLE, [INDEX_KEY, LEGACY_KEY]);
    return { index: values.get(INDEX_KEY) ?? null, legacy: values.get(LEGACY_KEY) ?? null };
  } catch (error) {
    const code = sqliteCode(error);
    if (code === undefined) throw error;
    throw code === SQLITE.BUSY ? inUse() : damaged(database, reasonOf(error), error);
  }
}

export function whyRejected(database: string, key: string, value: unknown): AppError | undefined {
  if (key !== INDEX_KEY) return undefined;
  if (typeof value !== "string") return notText(database);
  const index = toIndex({ value, type: "text" });
  if (index.state === "newer") return newerList(database, index.reason);
  return index.state === "invalid" ? damaged(database, index.reason) : undefined;
}

/** A change of one member of the list, told by its own text: numbers in it may be more than JavaScript can hold. */
export function toCell(list: string, at: readonly string[], after: string | null): Cell {
  const before = memberText(list, at) ?? null;
  const between = before !== null && after === null ? neighboursOf(list, at) : undefined;
  return { key: INDEX_KEY, at, before, after, ...(between && { between }) };
}

export const toSet = async (
  fs: SessionFs,
  list: Pick<List, "database">,
  cells: readonly Cell[],
  now: Date,
): Promise<SetStep> => ({
  does: "set",
  path: list.database,
  table: TABLE,
  cells,
  copy: await newCopy(fs, list.database, now),
});

/** In the place of one that named a session which is not there. */
export function addEntry(list: List, entry: JsonObject & { readonly sessionId: string }): Cell {
  const local = [...list.entries.values()].filter(({ isExternal }) => isExternal !== true);
  if (local.length >= LIMITS.today) throw full(list.database, local.length);
  return {
    ...toCell(list.text, ["entries", entry.sessionId], JSON.stringify(entry)),
    ...(!list.isThere && { around: EMPTY }),
  };
}

/** What an older VS Code does with one entry more than it lists. */
export function warningAbout({ entries }: List): string[] {
  const local = [...entries.values()].filter(({ isExternal }) => isExternal !== true);
  if (!LIMITS.once.includes(local.length)) return [];
  const dateOf = ({ lastMessageDate }: JsonObject): number => asNumber(lastMessageDate) ?? 0;
  const oldest = local.sort((a, b) => dateOf(a) - dateOf(b))[0];
  const title = JSON.stringify(oldest?.title ?? "");
  return [
    `the entry of ${title} in VS Code's list, in versions of VS Code that list only ${local.length} chats`,
  ];
}

/** Nothing where the session is not listed. */
export const removeEntry = ({ entries, text }: List, id: string): Cell[] =>
  entries.has(id) ? [toCell(text, ["entries", id], null)] : [];

/** Of one field of an entry; nothing where the session is not listed. */
export function changeEntry(
  { entries, text }: List,
  id: string,
  field: "title" | "lastResponseState",
  value: string | number | undefined,
): Cell[] {
  const entry = entries.get(id);
  if (!isObject(entry) || entry[field] === value) return [];
  return [toCell(text, ["entries", id, field], value === undefined ? null : JSON.stringify(value))];
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
    `${database} does not exist: code-server and other browser-based editors keep their list of chats in the browser`,
    {
      say: "Copy the chat to another editor",
      remedy: { action: "export", args: { format: "bundle", out: "chat.tgz" }, asks: { session: "session" } },
      after: ", then rethread import chat.tgz --to <folder>",
    },
  );

const newerList = (database: string, reason: string): AppError =>
  newerThanKnown(`VS Code's list of sessions in ${database} (${reason})`);

const notMovedYet = (database: string): AppError =>
  new AppError(
    "not-supported",
    `${database} has chats of an early VS Code that have not been moved into files yet`,
    "Open that folder in VS Code once, close it, then run the command again",
  );

/** Bytes are repaired; text that has bytes in it which are none could not be put back as it was. */
async function notReadable(fs: SessionFs, database: string): Promise<AppError> {
  const row = await readIndexRow(fs, database);
  return row?.type === "blob" ? damaged(database, "it is stored as bytes, not as text") : notText(database);
}

/** What is there could not be put back as it was. */
const notText = (database: string): AppError =>
  new AppError(
    "list-damaged",
    `VS Code's list of sessions in ${database} is not stored as text, or has bytes that are not valid text`,
    {
      say: "Open that folder in VS Code once, which writes the list again, close it, then add what is missing",
      remedy: { action: "rescue", args: { vscode: true } },
    },
  );

const damaged = (database: string, reason: string, cause?: unknown): AppError =>
  new AppError(
    "list-damaged",
    `VS Code's list of sessions in ${database} is damaged (${reason}), and a write would lose all of it`,
    { say: "Repair it", remedy: { action: "rescue", args: { vscode: true } } },
    cause,
  );

const full = (database: string, count: number): AppError =>
  new AppError(
    "list-full",
    `VS Code's list of sessions in ${database} has ${count} chats, and would drop the oldest to add one more`,
    { say: "Delete one first", remedy: { action: "list", args: { source: "vscode" } } },
  );
