/**
 * The texts and sessions of rows that were found, read under the rights of who asks. Each statement names the accounts as
 * a list, too, so that partitions of others are left alone.
 */
import type { Role } from "../../../model/session/role.ts";
import { type AlsoIn, dropInherited, type Owner } from "../../../store/search/copies.ts";
import { type HitSession, type RowText, saidBy } from "../../../store/search/rows.ts";
import type { Rows, Transaction } from "../../database/connect.ts";
import type { SessionRef } from "../filter.ts";
import { type HubRow, sessionKey } from "./index.ts";

/** A session with hits, and whose it is. */
export interface HubHitSession extends HitSession {
  readonly hubSession: string;
  readonly person: string;
}

export async function readTexts(
  tx: Transaction,
  rows: readonly HubRow[],
  role?: Role,
): Promise<Map<number, RowText>> {
  const turns = rows.filter(({ turnIndex }) => turnIndex !== undefined);
  const others = rows.filter(({ textId }) => textId !== undefined);
  // Without an account that it is about, a question would go to every node.
  const ask = async (some: readonly HubRow[], sql: string, values: readonly unknown[]): Promise<Rows> =>
    some.length === 0 ? [] : tx.query(sql, values);
  const told = await ask(
    turns,
    `SELECT u.n, t.turn_index, t.timestamp, t.user_message, t.assistant_response, t.more
       FROM unnest($1::int[], $2::uuid[], $3::text[], $4::int[]) u(n, a, s, i)
       JOIN hub.turns t ON t.account_id = u.a AND t.session_id = u.s AND t.turn_index = u.i
      WHERE t.account_id = ANY ($2)`,
    [...named(turns), turns.map(({ turnIndex }) => turnIndex)],
  );
  const beside = await ask(
    others,
    `SELECT u.n, t.content FROM unnest($1::int[], $2::uuid[], $3::text[], $4::text[], $5::text[]) u(n, a, s, k, i)
       JOIN hub.search_texts t ON t.account_id = u.a AND t.session_id = u.s AND t.source_type = u.k AND t.source_id = u.i
      WHERE t.account_id = ANY ($2)`,
    [...named(others), others.map(({ where }) => where), others.map(({ textId }) => textId)],
  );
  const texts = new Map<number, RowText>();
  for (const row of told) {
    const text = {
      user: String(row.user_message ?? ""),
      answer: String(row.assistant_response ?? ""),
      more: String(row.more ?? ""),
      turn: Number(row.turn_index),
      ...(typeof row.timestamp === "string" && { time: row.timestamp }),
    };
    texts.set(Number(row.n), role ? saidBy(role, text) : text);
  }
  // What is no turn was said by nobody.
  if (!role)
    for (const row of beside) texts.set(Number(row.n), { user: "", answer: String(row.content), more: "" });
  return texts;
}

const named = (rows: readonly HubRow[]): unknown[] => [
  rows.map(({ id }) => id),
  rows.map(({ account }) => account),
  rows.map(({ hubSession }) => hubSession),
];

/** By their keys. */
export async function readSessions(
  tx: Transaction,
  rows: readonly HubRow[],
): Promise<Map<string, HubHitSession>> {
  if (rows.length === 0) return new Map();
  const refs = [...refsOf(rows)];
  const found = await tx.query(
    `SELECT s.account_id, s.id, s.source, s.vendor_id, s.title, s.cwd, s.updated_at, s.resume, s.vanished_at, a.name AS person
       FROM unnest($1::uuid[], $2::text[]) u(a, i) JOIN hub.sessions s ON s.account_id = u.a AND s.id = u.i
       LEFT JOIN hub.accounts a ON a.account_id = s.account_id
      WHERE s.account_id = ANY ($1)`,
    [refs.map(({ account }) => account), refs.map(({ id }) => id)],
  );
  return new Map(
    found.map((row) => [sessionKey(String(row.account_id), String(row.id)), toHitSession(row)] as const),
  );
}

/** The sessions of rows, each once. */
export function refsOf(rows: readonly HubRow[]): Iterable<SessionRef> {
  return new Map(
    rows.map(({ session, account, hubSession }) => [session, { account, id: hubSession }]),
  ).values();
}

const toHitSession = (row: Rows[number]): HubHitSession => ({
  source: String(row.source),
  id: String(row.vendor_id),
  title: String(row.title),
  hubSession: String(row.id),
  person: String(row.person ?? ""),
  ...(typeof row.cwd === "string" && { workspace: row.cwd }),
  ...(typeof row.updated_at === "string" && { updatedAt: row.updated_at }),
  ...(typeof row.resume === "string" && row.vanished_at === null && { resume: row.resume }),
  ...(typeof row.vanished_at === "string" && { vanishedAt: row.vanished_at }),
});

/** Without titles and checkpoints that a clone has from a session that was found, too. */
export async function withoutInherited(
  tx: Transaction,
  found: readonly HubRow[],
): Promise<readonly HubRow[]> {
  const texts = found.filter(({ where }) => where !== "turn");
  if (texts.length < 2) return found;
  const refs = [...refsOf(texts)];
  const rows = await tx.query(
    `SELECT c.account_id, c.session_id, c.owner, s.turn_count = (SELECT count(*) FROM hub.turn_copies x
              WHERE x.account_id = c.account_id AND x.session_id = c.session_id AND x.account_id = ANY ($1)) AS is_whole
       FROM (SELECT DISTINCT c.account_id, c.session_id, c.owner FROM unnest($1::uuid[], $2::text[]) u(a, i)
               JOIN hub.turn_copies c ON c.account_id = u.a AND c.session_id = u.i
              WHERE c.account_id = ANY ($1)) c
       JOIN hub.sessions s ON s.account_id = c.account_id AND s.id = c.session_id AND s.account_id = ANY ($1)`,
    [refs.map(({ account }) => account), refs.map(({ id }) => id)],
  );
  if (rows.length === 0) return found;
  const owners = rows.map(
    (row): Owner => ({
      session: sessionKey(String(row.account_id), String(row.session_id)),
      owner: sessionKey(String(row.account_id), String(row.owner)),
      isWhole: row.is_whole === true,
    }),
  );
  const contents = await readTexts(
    tx,
    texts.filter(({ where }) => where !== "session"),
  );
  const kept = new Set(
    dropInherited(found, owners, new Map([...contents].map(([id, { answer }]) => [id, answer]))),
  );
  return found.filter((row) => kept.has(row));
}

/** The other sessions of the same account that have these turns and may be seen. */
export async function readAlsoIn(
  tx: Transaction,
  turns: readonly HubRow[],
): Promise<ReadonlyMap<number, readonly AlsoIn[]>> {
  if (turns.length === 0) return new Map();
  const rows = await tx.query(
    `SELECT DISTINCT u.n, s.source, s.vendor_id, s.title, s.created_at, s.id
       FROM unnest($1::int[], $2::uuid[], $3::text[], $4::int[]) u(n, a, s, i)
       JOIN hub.turns t ON t.account_id = u.a AND t.session_id = u.s AND t.turn_index = u.i
       JOIN hub.turns o ON o.account_id = t.account_id AND o.work = t.work AND o.session_id <> t.session_id
       JOIN hub.sessions s ON s.account_id = o.account_id AND s.id = o.session_id
      WHERE t.account_id = ANY ($2) AND o.account_id = ANY ($2) AND s.account_id = ANY ($2)
      ORDER BY s.created_at, s.id`,
    [...named(turns), turns.map(({ turnIndex }) => turnIndex)],
  );
  const groups = Map.groupBy(rows, ({ n }) => Number(n));
  return new Map(
    [...groups].map(([id, others]) => [
      id,
      others.map((row) => ({
        source: String(row.source),
        id: String(row.vendor_id),
        title: String(row.title),
      })),
    ]),
  );
}
