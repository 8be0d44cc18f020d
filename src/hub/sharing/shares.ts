/** Shows a repository or a session to a team, and takes that back. The database writes it into all rows at once. */
import { AppError } from "../../model/errors.ts";
import { toRepositoryName } from "../../model/values/repository.ts";
import type { HubDatabase, Transaction } from "../database/connect.ts";
import type { Credentials } from "../database/credentials.ts";
import { requireAccount, requireScope, unknownSession } from "../ingest/access.ts";
import { lockAccount } from "../ingest/locks.ts";

export interface Share {
  readonly id: string;
  readonly team: string;
  /** One of the two. */
  readonly repository?: string;
  readonly session?: string;
  /** ISO 8601. */
  readonly sharedAt: string;
  /** How many sessions it is about. */
  readonly sessions: number;
}

export interface ShareWish {
  readonly team: string;
  readonly repository?: string;
  /** The hub's id of one of one's own sessions. */
  readonly session?: string;
}

export interface Shared {
  readonly share: Share;
  /** How many sessions others see now, or no longer do. */
  readonly changed: number;
}

/** What the account itself shares, the latest first. */
export const listShares = (db: HubDatabase, who: Credentials): Promise<Share[]> =>
  db.as(who, async (tx) => {
    return ownShares(tx, await requireAccount(tx));
  });

async function ownShares(tx: Transaction, account: string, id?: string): Promise<Share[]> {
  const rows = await tx.query(
    `SELECT h.share_id, t.name AS team, h.repository, h.session_id, h.shared_at,
            (SELECT count(*) FROM hub.sessions s WHERE s.account_id = h.account_id AND s.account_id = $2
                AND (s.id = h.session_id OR lower(s.repository) = lower(h.repository))) AS sessions
       FROM hub.shares h LEFT JOIN hub.teams t ON t.team_id = h.team_id
      WHERE h.account_id = $2 AND ($1::uuid IS NULL OR h.share_id = $1) ORDER BY h.shared_at DESC, h.share_id`,
    [id ?? null, account],
  );
  return rows.map((row) => ({
    id: String(row.share_id),
    team: String(row.team ?? ""),
    ...(typeof row.repository === "string" && { repository: row.repository }),
    ...(typeof row.session_id === "string" && { session: row.session_id }),
    sharedAt: (row.shared_at as Date).toISOString(),
    sessions: Number(row.sessions),
  }));
}

export async function share(db: HubDatabase, who: Credentials, wish: ShareWish): Promise<Shared> {
  const done = await db.as(who, async (tx) => {
    const account = await requireScope(tx, "push");
    const { session } = wish;
    const repository = wish.repository === undefined ? undefined : nameOf(wish.repository);
    if ((repository === undefined) === (session === undefined))
      throw new AppError("usage", "A repository or a session is shared", "Name one of the two");
    const team = await joinedTeam(tx, wish.team);
    // No session is pushed or derived meanwhile, so that none keeps the sharing of before.
    await lockAccount(tx, account);
    if (session !== undefined) await requireOwn(tx, account, session);
    await refuseSecondTeam(tx, account, team, { session, repository });
    const [row] = await tx.query("SELECT share_id, changed FROM hub.share($1, $2, $3)", [
      ...[team, session ?? null, repository ?? null],
    ]);
    return { id: String(row?.share_id), changed: Number(row?.changed) };
  });
  // Not before that is over: on Citus, nobody reads what another role has just written, not even in its own transaction.
  const [made] = await db.as(who, (tx) => ownShares(tx, who.account, done.id));
  // A token that only pushes does not see the names of teams, though it knows this one.
  const named = { ...(made as Share), team: made?.team || wish.team.trim().toLowerCase() };
  return { share: named, changed: done.changed };
}

export function unshare(
  db: HubDatabase,
  who: Credentials,
  id: string,
): Promise<{ readonly changed: number }> {
  return db.as(who, async (tx) => {
    const account = await requireScope(tx, "push");
    await lockAccount(tx, account);
    const [row] = await tx.query("SELECT hub.unshare($1) AS changed", [UUID.test(id) ? id : null]);
    if (row?.changed === null || row === undefined)
      throw new AppError(
        "share-not-found",
        "There is no such share",
        "See what you share in the list of shares",
      );
    return { changed: Number(row.changed) };
  });
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const MOST_LETTERS = 500;

/** An address of it means its name. */
function nameOf(text: string): string {
  const name = toRepositoryName(text.trim()) ?? text.trim();
  if (name !== "" && name.length <= MOST_LETTERS) return name;
  throw new AppError("usage", "That is no name of a repository", "Write owner/name, or its address");
}

/** A team that one is not in is as unknown as one that does not exist. */
async function joinedTeam(tx: Transaction, name: string): Promise<string> {
  const [row] = await tx.query("SELECT hub.joined_team($1) AS team_id", [name.trim()]);
  if (typeof row?.team_id === "string") return row.team_id;
  throw new AppError("team-not-found", `You are in no team ${name}`, "See your teams: rethread hub whoami");
}

/** A session is seen by one team, so a second share of the same would show nobody anything. */
async function refuseSecondTeam(
  tx: Transaction,
  account: string,
  team: string,
  { session, repository }: { readonly session: string | undefined; readonly repository: string | undefined },
): Promise<void> {
  const [other] = await tx.query(
    `SELECT (SELECT t.name FROM hub.teams t WHERE t.team_id = h.team_id LIMIT 1) AS team FROM hub.shares h
      WHERE h.account_id = $1 AND h.team_id <> $2 AND (h.session_id = $3 OR lower(h.repository) = lower($4)) LIMIT 1`,
    [account, team, session ?? null, repository ?? null],
  );
  if (!other) return;
  throw new AppError(
    "share-exists",
    `You share ${repository ?? session} with ${typeof other.team === "string" ? `the team "${other.team}"` : "another team"} already, and one team sees a session`,
    "Take that back first, then share it with this team",
  );
}

async function requireOwn(tx: Transaction, account: string, session: string): Promise<void> {
  const found = await tx.query("SELECT 1 FROM hub.sessions WHERE account_id = $1 AND id = $2", [
    account,
    session,
  ]);
  if (found.length === 0) throw unknownSession(session);
}
