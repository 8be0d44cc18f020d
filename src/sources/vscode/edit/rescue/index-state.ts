/** Reads the list of chats of one workspace, even if it is damaged. */
import { join } from "node:path";
import { memberOf } from "../../../../model/values/member.ts";
import { reasonOf, type SessionFs } from "../../../../platform/fs/session-fs.ts";
import { readUserVersionIn, readValuesIn } from "../../../../platform/sqlite/key-values-in.ts";
import { SQLITE, sqliteCode } from "../../../../platform/sqlite/sqlite.ts";
import { asObject, asString, isObject, type JsonObject } from "../../../log/jsonl.ts";
import { salvage } from "../../format/salvage.ts";
import { INDEX_KEY, readIndexRow, TABLE, toIndex, whyNewerDatabase } from "../../index-db/state-db.ts";
import type { Store } from "../../index-db/stores.ts";
import { LEGACY_KEY } from "../list/list.ts";
import { inUse } from "../list/running.ts";

export interface StoredList {
  readonly database: string;
  /** `lost`: the editor had a database here, and it is gone. `broken`: there is a file, but it is no database any more. */
  readonly state: "there" | "lost" | "broken" | "out-of-reach";
  /** VS Code's own copy of a broken database. */
  readonly backup?: string;
  /** Why it cannot be put right here. */
  readonly why?: string;
  readonly value: unknown;
  /** The bytes, where the list is stored as such: VS Code reads only text. */
  readonly bytes?: Uint8Array;
  readonly isInvalid: boolean;
  /** A newer VS Code wrote it, and keeps its chats in ways that we do not know. */
  readonly newer?: string;
  titleOf(id: string): string | undefined;
  /** Its entry, as far as it can be made out. */
  entryOf(id: string): JsonObject | undefined;
  /** Listed chats that have no file. */
  ghosts(present: ReadonlySet<string>): string[];
}

export async function openList(
  fs: SessionFs,
  { folder, database }: Store,
  hasChats: boolean,
): Promise<StoredList> {
  if (!(await fs.exists(database))) {
    const isDesktop = folder !== undefined && (await fs.exists(join(folder, "workspace.json")));
    if (isDesktop) return toList(database, "lost", null);
    // Editors in a browser keep their list there, so nothing is known to be wrong with it.
    return toList(database, "out-of-reach", null);
  }
  try {
    const newerDatabase = whyNewerDatabase(await readUserVersionIn(fs, database));
    if (newerDatabase !== undefined) return toNewer(database, newerDatabase);
    const values = await readValuesIn(fs, database, TABLE, [INDEX_KEY, LEGACY_KEY]);
    const [value, legacy] = [values.get(INDEX_KEY) ?? null, values.get(LEGACY_KEY) ?? null];
    if (value === null && legacy !== null) {
      const why = `chats in ${database} of an early VS Code: open that folder in VS Code once, then run the command again`;
      return { ...toList(database, "out-of-reach", null), ...(hasChats && { why }) };
    }
    if (value instanceof Uint8Array && (await readIndexRow(fs, database))?.type === "blob") {
      const text = Buffer.from(value).toString("utf8");
      const index = toIndex({ value: text, type: "text" });
      if (index.state === "newer") return toNewer(database, index.reason);
      return { ...toList(database, "there", text), bytes: value, isInvalid: true };
    }
    if (value !== null && typeof value !== "string") {
      const why = `VS Code's list in ${database}, which is not stored as text: open that folder in VS Code once, which writes it again, then run the command again`;
      return { ...toList(database, "out-of-reach", null), why };
    }
    const index = typeof value === "string" ? toIndex({ value, type: "text" }) : undefined;
    if (index?.state === "newer") return toNewer(database, index.reason);
    return toList(database, "there", value);
  } catch (error) {
    const code = sqliteCode(error);
    if (code === undefined) throw error;
    if (code === SQLITE.BUSY) throw inUse();
    if (hasChats && isBroken(code, error)) {
      const backup = `${database}.backup`;
      return { ...toList(database, "broken", null), ...((await isDatabase(fs, backup)) && { backup }) };
    }
    const why = `VS Code's list in ${database}, which cannot be read: ${reasonOf(error)}`;
    return { ...toList(database, "out-of-reach", null), ...(hasChats && { why }) };
  }
}

const toNewer = (database: string, why: string): StoredList => ({
  ...toList(database, "out-of-reach", null),
  newer: `VS Code's list in ${database} and its chats, because it is newer than this rethread knows (${why})`,
});

/** An empty file is a database without tables. */
const isBroken = (code: number, error: unknown): boolean =>
  code === SQLITE.NOTADB ||
  code === SQLITE.CORRUPT ||
  (code === SQLITE.ERROR && /no such table/i.test(reasonOf(error)));

async function isDatabase(fs: SessionFs, path: string): Promise<boolean> {
  if (!(await fs.exists(path))) return false;
  try {
    await readValuesIn(fs, path, TABLE, [INDEX_KEY]);
    return true;
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
    return false;
  }
}

function toList(database: string, state: StoredList["state"], value: string | null): StoredList {
  const entries = entriesIn(value);
  const isInvalid = value !== null && toIndex({ value, type: "text" }).state === "invalid";
  return {
    database,
    state,
    value,
    isInvalid,
    titleOf: (id) => asString(asObject(memberOf(entries, id))?.title) || undefined,
    entryOf: (id) => asObject(memberOf(entries, id)),
    ghosts: (present) =>
      Object.entries(entries).flatMap(([id, entry]) =>
        isObject(entry) && entry.isExternal !== true && !present.has(id) && ID.test(id) ? [id] : [],
      ),
  };
}

/** Files are named after them. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** As much of a garbled list as can be made out. */
function entriesIn(value: string | null): JsonObject {
  return asObject(asObject(value === null ? undefined : salvage(Buffer.from(value)))?.entries) ?? {};
}
