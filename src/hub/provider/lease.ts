/**
 * Who may write a session. A lease has a token that grows with every holder. Each write updates the row of its lease
 * under that token, in its own transaction: so a holder that was paused and comes back after another has taken over
 * changes nothing, whatever it believes. The row also remembers the last write, by which one whose answer was lost is
 * recognised and not done twice.
 */
import { randomUUID } from "node:crypto";
import { AppError } from "../../model/errors.ts";
import type { ColumnValue, HubDatabase, Transaction } from "../database/connect.ts";
import type { Credentials } from "../database/credentials.ts";
import { requireScope } from "../ingest/access.ts";
import { patiently } from "./patience.ts";
import { createQueue } from "./queue.ts";

export interface LeaseOptions {
  /** Who it is, for those who find the session taken. */
  readonly holder: string;
  /** How long it lasts without being renewed; 30 seconds unless told. */
  readonly ttlMs?: number;
  /** Takes it from whoever has it, whose writes then fail. */
  readonly steal?: boolean;
  /** Called once it is known that another has it, or that it has run out. */
  readonly onLost?: (error: AppError) => void;
}

export interface Lease {
  readonly session: string;
  readonly token: number;
  readonly isLost: boolean;
  /** One write at a time, in the order of calls: all of it and once, or nothing of it. */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Waits for writes under way. Another may take it at once. */
  release(): Promise<void>;
}

const TTL_MS = 30_000;
const SHORTEST_STOP_MS = 1000;

const until = ({ clock }: Transaction): string => `${clock} + $4 * interval '1 millisecond'`;
const ROW = "account_id = $1 AND session_id = $2 AND token = $3";
const held = ({ clock }: Transaction): string => `${ROW} AND expires_at > ${clock}`;

export async function takeLease(
  db: HubDatabase,
  who: Credentials,
  session: string,
  { holder, ttlMs = TTL_MS, steal = false, onLost }: LeaseOptions,
): Promise<Lease> {
  const token = await db.as(who, (tx) => takeToken(tx, who, session, { holder, ttlMs, steal }));
  const queue = createQueue();
  /** A process that is stopped within a write keeps others waiting no longer than its lease would. */
  const stoppedMs = `${Math.max(SHORTEST_STOP_MS, Math.min(ttlMs, TTL_MS))}ms`;
  let lost: AppError | undefined;
  let isReleased = false;
  const lose = (error: AppError): AppError => {
    if (lost) return lost;
    lost = error;
    clearInterval(timer);
    if (!isReleased) onLost?.(lost);
    return lost;
  };
  /** Why it is held no more: the token may have ended, too. */
  const reason = (tx: Transaction): Promise<AppError> =>
    requireScope(tx, "push").then(
      () => leaseLost(session),
      (error: AppError) => error,
    );
  const extend = async (tx: Transaction): Promise<void> => {
    // A write under way is waited for, as it may have lasted longer than the lease that was there before it. An update
    // alone would see that lease, and wait for nothing.
    const [, extended] = await Promise.all([
      tx.query(`SELECT true FROM hub.provider_leases WHERE ${ROW} FOR UPDATE`, [who.account, session, token]),
      tx.change(`UPDATE hub.provider_leases SET expires_at = ${until(tx)} WHERE ${held(tx)}`, [
        ...[who.account, session, token, ttlMs],
      ]),
    ]);
    if (extended === 0) throw await reason(tx);
  };
  const renew = (): Promise<void> =>
    db.as(who, extend).catch((error: unknown) => {
      // A database that does not answer may do so before the lease runs out; the next write asks again.
      const isAway = !(error instanceof AppError) || error.code === "database-unavailable";
      if (!isAway && !isReleased) lose(error);
    });
  const timer = setInterval(() => void renew(), Math.max(1, ttlMs / 3));
  timer.unref();
  const attempt = <T>(write: string, work: (tx: Transaction) => Promise<T>): Promise<T> => {
    let answer: { readonly value: T } | undefined;
    return patiently(() =>
      db.as(who, async (tx) => {
        if (answer && (await wasLast(tx, who, session, write))) return answer.value;
        const begun = performance.now();
        const [, count] = await Promise.all([
          tx.query("SELECT set_config('idle_in_transaction_session_timeout', $1, true)", [stoppedMs]),
          tx.change(
            `UPDATE hub.provider_leases SET last_write = $5, expires_at = greatest(expires_at, ${until(tx)}) WHERE ${held(tx)}`,
            [who.account, session, token, ttlMs, write],
          ),
        ]);
        if (count === 0) throw lose(await reason(tx));
        answer = { value: await work(tx) };
        // Nobody can have taken it meanwhile, and its renewals wait for this transaction.
        if (performance.now() - begun > ttlMs / 3)
          await tx.change(`UPDATE hub.provider_leases SET expires_at = ${until(tx)} WHERE ${ROW}`, [
            ...[who.account, session, token, ttlMs],
          ]);
        return answer.value;
      }),
    );
  };
  return {
    session,
    token,
    get isLost() {
      return lost !== undefined || isReleased;
    },
    write: (work) =>
      queue(async () => {
        if (lost ?? isReleased) throw lost ?? leaseLost(session);
        return attempt(randomUUID(), work);
      }),
    release: () =>
      queue(async () => {
        if (isReleased || lost) return;
        isReleased = true;
        clearInterval(timer);
        await db.as(who, (tx) =>
          tx.change(
            "UPDATE hub.provider_leases SET expires_at = '-infinity', holder = '' WHERE account_id = $1 AND session_id = $2 AND token = $3",
            [who.account, session, token],
          ),
        );
      }),
  };
}

/** Throws where another holds it, or the token allows no writing. */
export async function takeToken(
  tx: Transaction,
  { account }: Credentials,
  session: string,
  { holder, ttlMs, steal }: { readonly holder: string; readonly ttlMs: number; readonly steal: boolean },
): Promise<number> {
  await requireScope(tx, "push");
  await tx.change(
    "INSERT INTO hub.provider_leases (account_id, session_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
    [account, session],
  );
  const [row] = await tx.query(
    `UPDATE hub.provider_leases SET token = token + 1, holder = $3, expires_at = ${until(tx)}, last_write = NULL
      WHERE account_id = $1 AND session_id = $2 AND ($5 OR expires_at <= ${tx.clock}) RETURNING token`,
    [account, session, holder, ttlMs, steal],
  );
  if (row) return Number(row.token);
  const [other] = await tx.query(
    "SELECT holder FROM hub.provider_leases WHERE account_id = $1 AND session_id = $2",
    [account, session],
  );
  throw leased(session, other?.holder);
}

/** Throws where another holds one of them now. */
export async function refuseHeld(
  tx: Transaction,
  { account }: Credentials,
  sessions: readonly string[],
): Promise<void> {
  await requireScope(tx, "push");
  const [lease] = await tx.query(
    "SELECT session_id, holder FROM hub.provider_leases WHERE account_id = $1 AND session_id = ANY($2) AND expires_at > clock_timestamp()",
    [account, sessions],
  );
  if (lease) throw leased(String(lease.session_id), lease.holder);
}

const leased = (session: string, holder: ColumnValue): AppError =>
  new AppError(
    "session-busy",
    `Session ${session} is being written by ${String(holder ?? "") || "another program"}`,
    "Close it there, or wait: a program that has ended loses its lease by itself. An application can take it over with `steal`",
  );

/** Waits for a transaction that is still under way, although its connection is gone. */
async function wasLast(
  tx: Transaction,
  { account }: Credentials,
  session: string,
  write: string,
): Promise<boolean> {
  const [row] = await tx.query(
    "SELECT last_write FROM hub.provider_leases WHERE account_id = $1 AND session_id = $2 FOR UPDATE",
    [account, session],
  );
  return row?.last_write === write;
}

const leaseLost = (session: string): AppError =>
  new AppError(
    "lease-lost",
    `Another program has taken over session ${session}, so this one can no longer write it`,
    "Open the session again, and look at what was done there meanwhile",
  );
