/** Writes the rows of a session in place of those that were there, in one transaction. */
import { ROWS_VERSION } from "../../store/session-writer.ts";
import { changeAll, type Transaction } from "../database/connect.ts";
import { DERIVED_TABLES } from "../database/migrations/0001-hub.ts";
import { prepared } from "../database/prepared.ts";
import type { SessionFacts } from "../protocol.ts";
import type { ExtractedRows, Row } from "./extract.ts";

/** As much JSON as is sent at once. */
const LARGEST_BATCH = 4 << 20;

export interface Target {
  readonly account: string;
  readonly session: string;
  readonly team: string | null;
}

const REMOVE = DERIVED_TABLES.map((table) =>
  prepared(`DELETE FROM hub.${table} WHERE account_id = $1 AND session_id = $2`),
);

export async function removeRows(tx: Transaction, { account, session }: Target): Promise<void> {
  await Promise.all(REMOVE.map((sql) => tx.change(sql, [account, session])));
}

/**
 * The types of the columns are those of the table itself. All of it is sent at once. With rows that are there already left
 * out, Citus inserts them; otherwise it copies, which row-level security does not allow.
 */
export async function insertRows(tx: Transaction, target: Target, { rows }: ExtractedRows): Promise<void> {
  const inserting: Promise<number>[] = [];
  for (const [table, all] of rows) {
    const columns = Object.keys(all[0] ?? {});
    const sql = prepared(
      `INSERT INTO hub.${table} (account_id, session_id, team_id, ${columns.join(", ")})
       SELECT $1, $2, $3, ${columns.map((name) => `r.${name}`).join(", ")}
         FROM json_populate_recordset(NULL::hub.${table}, $4::json) r ON CONFLICT DO NOTHING`,
    );
    for (const batch of inBatches(all)) {
      const values = [target.account, target.session, target.team, `[${batch.join(",")}]`];
      inserting.push(changeAll(tx, batch.length, sql, values));
    }
  }
  await Promise.all(inserting);
}

function* inBatches(rows: readonly Row[]): Generator<string[]> {
  let [batch, size]: [string[], number] = [[], 0];
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (size + text.length > LARGEST_BATCH && batch.length > 0) {
      yield batch;
      [batch, size] = [[], 0];
    }
    batch.push(text);
    size += text.length;
  }
  if (batch.length > 0) yield batch;
}

export interface Derived {
  /** That of the raw files which the rows were made of. */
  readonly version: number;
  readonly facts: SessionFacts;
  /** Why there are no rows, where there are none. */
  readonly error: string | null;
}

/** What the files do not say is as the machine says it. */
export async function updateSession(
  tx: Transaction,
  { account, session, team }: Target,
  row: Row | undefined,
  { version, facts, error }: Derived,
): Promise<void> {
  const own = row ?? {};
  const isRecorded = typeof own.repository === "string";
  const values: Row = {
    ...own,
    title: own.title || facts.title || "",
    cwd: own.cwd ?? facts.workspace ?? null,
    repository: isRecorded ? own.repository : (facts.repository ?? null),
    repository_evidence: isRecorded ? own.repository_evidence : (facts.repositoryEvidence ?? null),
    branch: own.branch ?? facts.branch ?? null,
    vanished_at: facts.vanishedAt ?? null,
    ...(row === undefined && { turn_count: 0, problem_count: 0 }),
    team_id: team,
    derived_version: version,
    rows_version: ROWS_VERSION,
    derive_error: error,
  };
  const columns = Object.keys(values).filter((name) => name !== "source" && name !== "vendor_id");
  const sql = prepared(
    `UPDATE hub.sessions s SET derived_at = now(), ${columns.map((name) => `${name} = r.${name}`).join(", ")}
       FROM json_populate_record(NULL::hub.sessions, $3::json) r WHERE s.account_id = $1 AND s.id = $2`,
  );
  await tx.change(sql, [account, session, JSON.stringify(values)]);
}
