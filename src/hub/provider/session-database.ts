/**
 * The SQLite database of a session: a file of the session like the others, so that a copy of the session is whole.
 * Statements run on a copy in memory; what they change is written in one transaction with the lease, or forgotten.
 */
import {
  type HeldDatabase,
  holdDatabase,
  type SqlResult,
  type SqlStatement,
} from "../../platform/sqlite/held-database.ts";
import type { Transaction } from "../database/connect.ts";
import { findEntry, makeFolder, writeEntry } from "./entries.ts";
import type { Owner } from "./pieces.ts";
import { createQueue } from "./queue.ts";

/** As Copilot CLI names it on a disk. */
export const DATABASE_FILE = "session.db";

export interface SessionDatabase {
  /** All of them, or none. */
  run(statements: readonly SqlStatement[]): Promise<SqlResult[]>;
  exists(): Promise<boolean>;
  close(): void;
}

interface Ways {
  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

export function openSessionDatabase(
  owner: Owner,
  { read, write }: Ways,
  now: () => number = () => Date.now(),
): SessionDatabase {
  const queue = createQueue();
  /** Statements have run on the copy that may not be kept yet: a second try begins with what is. */
  let isAhead = false;
  let held: { readonly db: HeldDatabase; readonly content: string | undefined } | undefined;
  const drop = (): void => {
    held?.db.close();
    held = undefined;
    isAhead = false;
  };
  /** The copy in memory, brought up to what is kept. */
  const load = async (tx: Transaction): Promise<HeldDatabase> => {
    // The file and its bytes at one moment: another may put a new one in its place, and these away.
    const rows = await tx.query(
      `SELECT e.content_id, p.body FROM hub.provider_entries e
         LEFT JOIN hub.provider_pieces p ON p.account_id = e.account_id AND p.content_id = e.content_id
          AND p.content_id IS DISTINCT FROM $4::uuid
        WHERE e.account_id = $1 AND e.session_id = $2 AND e.path = $3 ORDER BY p.start`,
      [owner.account, owner.session, DATABASE_FILE, held?.content ?? null],
    );
    const content = typeof rows[0]?.content_id === "string" ? rows[0].content_id : undefined;
    if (held && held.content === content) return held.db;
    drop();
    const bodies = rows.flatMap(({ body }) => (body === null ? [] : [body as Buffer]));
    held = { db: holdDatabase(Buffer.concat(bodies)), content };
    return held.db;
  };
  const save = async (tx: Transaction, db: HeldDatabase): Promise<string | undefined> => {
    await makeFolder(tx, owner, "", now());
    await writeEntry(tx, owner, DATABASE_FILE, [db.bytes()], { mtimeMs: now() });
    return (await findEntry(tx, owner, DATABASE_FILE))?.contentId;
  };
  const change = async (statements: readonly SqlStatement[]): Promise<SqlResult[]> => {
    try {
      const done = await write(async (tx) => {
        if (isAhead) drop();
        const db = await load(tx);
        const before = db.version();
        isAhead = true;
        const results = db.run(statements);
        const content = db.version() === before ? held?.content : await save(tx, db);
        return { db, results, content };
      });
      held = { db: done.db, content: done.content };
      isAhead = false;
      return done.results;
    } catch (error) {
      drop();
      throw error;
    }
  };
  /** What only looks needs no lease. Nothing where it has changed something after all, which is then forgotten. */
  const look = async (statements: readonly SqlStatement[]): Promise<SqlResult[] | undefined> => {
    const db = await read(load);
    const before = db.version();
    const results = db.run(statements);
    if (db.version() === before) return results;
    drop();
    return undefined;
  };
  return {
    run: (statements) =>
      queue(async () => {
        const onlyLooks = statements.every(({ queryType }) => queryType === "query");
        return (onlyLooks ? await look(statements) : undefined) ?? change(statements);
      }),
    exists: () => read(async (tx) => (await findEntry(tx, owner, DATABASE_FILE)) !== undefined),
    close: drop,
  };
}
