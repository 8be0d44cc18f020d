/** The items of the context board that are ours, in state.db, and the log of their changes, from which each is undone. */
import type { BoardEvidence, BoardPlace, BoardSource, BoardText } from "../../model/board/item.ts";
import { type Database, transaction } from "../../platform/sqlite/sqlite.ts";
import { tellBoardChanged } from "./board-news.ts";
import { guarded, openState, openStateIfThere } from "./open.ts";

export interface BoardKey extends BoardPlace {
  readonly name: string;
}

export interface BoardRow extends BoardKey, BoardText {
  readonly source: BoardSource;
  readonly readCount: number;
  readonly useCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly evidence: readonly BoardEvidence[];
  /** Hashes of the statements that it was made from. */
  readonly facts: readonly string[];
  /** Since then only its facts are kept. */
  readonly removedAt?: string;
}

export type BoardChangeKind = "add" | "edit" | "prune" | "consolidate" | "undo";

export interface ChangedItem {
  readonly before?: BoardRow;
  readonly after?: BoardRow;
}

export interface BoardChange {
  readonly operation: string;
  readonly kind: BoardChangeKind;
  readonly at: string;
  readonly items: readonly ChangedItem[];
  readonly undoes?: string;
  readonly undoneBy?: string;
}

/** What is to be written. Rows of the same key are replaced. */
export interface BoardDecision {
  readonly kind: BoardChangeKind;
  readonly put?: readonly BoardRow[];
  readonly remove?: readonly BoardKey[];
  /** The change that it takes back. */
  readonly undoes?: BoardChange;
}

/** The board as it is while nobody else can change it. */
export interface BoardView {
  /** With those that were removed. */
  readonly rows: readonly BoardRow[];
  /** Latest first. */
  changes(): BoardChange[];
}

/** So many changes can be undone; older ones are forgotten. */
export const KEPT_CHANGES = 200;

/** Those that were not removed. No state.db is made by asking. */
export const readBoard = (folder: string, now: () => Date): BoardRow[] =>
  ask(folder, now, (db) => rowsIn(db).filter(({ removedAt }) => removedAt === undefined)) ?? [];

export const readBoardChanges = (folder: string, now: () => Date): BoardChange[] =>
  ask(folder, now, changesIn) ?? [];

/** What was removed is known by its facts. */
export const readBoardFacts = (folder: string, now: () => Date, repository: string): ReadonlySet<string> =>
  new Set(
    ask(folder, now, (db) =>
      db
        .prepare("SELECT facts FROM board_items WHERE repository = ?")
        .all(repository)
        .flatMap((row) => JSON.parse(String(row.facts)) as string[]),
    ),
  );

/** Differs whenever an item does, in this state.db or in another. */
export const readBoardMark = (folder: string, now: () => Date): string =>
  ask(folder, now, (db) => {
    const row = db.prepare("SELECT id, revision FROM board_state").get();
    return `${row?.id}:${row?.revision}`;
  }) ?? "none";

/**
 * Decides and writes in one transaction, so that two processes never decide on the same state. Gives back nothing where
 * there was nothing to write; what `decide` throws is thrown, and nothing is written.
 */
export function changeBoard(
  folder: string,
  now: () => Date,
  decide: (board: BoardView) => BoardDecision | undefined,
): BoardChange | undefined {
  const change = write(folder, now, (db) => {
    const decision = decide({ rows: rowsIn(db), changes: () => changesIn(db) });
    return decision && record(db, decision, now().toISOString());
  });
  if (change) tellBoardChanged(folder, change.operation);
  return change;
}

/**
 * Puts items on a board that is new, which is no change that anybody would want to undo. Another process may have been
 * faster.
 */
export const seedBoard = (folder: string, now: () => Date, rows: readonly BoardRow[]): void =>
  write(folder, now, (db) => {
    const insert = db.prepare(INSERT.replace("INSERT", "INSERT OR IGNORE"));
    for (const row of rows) insert.run(...valuesOf(row));
  });

/** Counts that items were read, or handed out with their board. */
export function countBoardUse(
  folder: string,
  now: () => Date,
  keys: readonly BoardKey[],
  what: "read" | "use",
): void {
  if (keys.length === 0) return;
  write(folder, now, (db) => {
    const count = db.prepare(
      `UPDATE board_items SET ${what}_count = ${what}_count + 1 WHERE repository = ? AND branch = ? AND name = ?`,
    );
    for (const { repository, branch, name } of keys) count.run(repository, branch, name);
  });
  tellBoardChanged(folder, what);
}

const INSERT = "INSERT INTO board_items VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

function ask<T>(folder: string, now: () => Date, question: (db: Database) => T): T | undefined {
  const db = openStateIfThere(folder, now);
  if (!db) return undefined;
  try {
    return guarded(folder, () => question(db));
  } finally {
    db.close();
  }
}

function write<T>(folder: string, now: () => Date, work: (db: Database) => T): T {
  const db = openState(folder, now);
  try {
    return guarded(folder, () => transaction(db, () => work(db)));
  } finally {
    db.close();
  }
}

function record(
  db: Database,
  { kind, put = [], remove = [], undoes }: BoardDecision,
  at: string,
): BoardChange {
  const find = db.prepare("SELECT * FROM board_items WHERE repository = ? AND branch = ? AND name = ?");
  const drop = db.prepare("DELETE FROM board_items WHERE repository = ? AND branch = ? AND name = ?");
  const insert = db.prepare(INSERT);
  const changeOne = (key: BoardKey, after?: BoardRow): ChangedItem => {
    const place = [key.repository, key.branch, key.name] as const;
    const found = find.get(...place);
    drop.run(...place);
    if (after) insert.run(...valuesOf(after));
    return { ...(found && { before: toRow(found) }), ...(after && { after }) };
  };
  const items = [...remove.map((key) => changeOne(key)), ...put.map((row) => changeOne(row, row))];
  const operation = `board-${crypto.randomUUID().slice(0, 8)}`;
  const undone = db.prepare("UPDATE board_changes SET undone_by = ? WHERE operation = ?");
  if (undoes) undone.run(operation, undoes.operation);
  // What an undo had undone holds again when that undo is undone.
  if (undoes?.undoes !== undefined) undone.run(null, undoes.undoes);
  db.prepare("INSERT INTO board_changes (operation, kind, at, items, undoes) VALUES (?, ?, ?, ?, ?)").run(
    operation,
    kind,
    at,
    JSON.stringify(items),
    undoes?.operation ?? null,
  );
  db.prepare("DELETE FROM board_changes WHERE number <= (SELECT max(number) FROM board_changes) - ?").run(
    KEPT_CHANGES,
  );
  return { operation, kind, at, items, ...(undoes && { undoes: undoes.operation }) };
}

const rowsIn = (db: Database): BoardRow[] =>
  db.prepare("SELECT * FROM board_items ORDER BY repository, branch, name").all().map(toRow);

const changesIn = (db: Database): BoardChange[] =>
  db.prepare("SELECT * FROM board_changes ORDER BY number DESC").all().map(toChange);

const valuesOf = (row: BoardRow) => [
  row.repository,
  row.branch,
  row.name,
  row.source,
  row.description,
  row.content,
  row.readCount,
  row.useCount,
  row.createdAt,
  row.updatedAt,
  JSON.stringify(row.evidence),
  JSON.stringify(row.facts),
  row.removedAt ?? null,
];

const toRow = (row: Readonly<Record<string, unknown>>): BoardRow => ({
  repository: String(row.repository),
  branch: String(row.branch),
  name: String(row.name),
  source: row.source as BoardSource,
  description: String(row.description),
  content: String(row.content),
  readCount: Number(row.read_count),
  useCount: Number(row.use_count),
  createdAt: String(row.created_at),
  updatedAt: String(row.updated_at),
  evidence: JSON.parse(String(row.evidence)) as BoardEvidence[],
  facts: JSON.parse(String(row.facts)) as string[],
  ...(row.removed_at !== null && { removedAt: String(row.removed_at) }),
});

const toChange = (row: Readonly<Record<string, unknown>>): BoardChange => ({
  operation: String(row.operation),
  kind: row.kind as BoardChangeKind,
  at: String(row.at),
  items: JSON.parse(String(row.items)) as ChangedItem[],
  ...(row.undoes !== null && { undoes: String(row.undoes) }),
  ...(row.undone_by !== null && { undoneBy: String(row.undone_by) }),
});
