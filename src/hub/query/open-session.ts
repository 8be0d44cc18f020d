/** Opens a session of the hub to read it as on a disk. The files of those that were read last stay in memory. */
import { AppError } from "../../model/errors.ts";
import type { SessionKey } from "../../model/values/id.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { HubDatabase, Transaction } from "../database/connect.ts";
import type { Credentials } from "../database/credentials.ts";
import { openRawHome, readRaw } from "../derive/raw-home.ts";
import { catalogOf } from "../derive/session-catalog.ts";
import { requireScope, unknownSession } from "../ingest/access.ts";
import { type StoredSession, sessionColumns, toStoredSession } from "./session-rows.ts";

export interface OpenSession {
  readonly session: StoredSession;
  readonly key: SessionKey;
  readonly catalog: Catalog;
}

/** The files of sessions, by their account, id and version. */
export interface HomeCache {
  open(session: StoredSession, read: () => Promise<Home>): Promise<Catalog>;
}

interface Home {
  readonly catalog: Catalog;
  readonly bytes: number;
}

const MOST_HOMES = 32;
const MOST_BYTES = 256 << 20;

/** One for each server. Who asks is checked before, each time. */
export function createHomeCache(mostHomes = MOST_HOMES, mostBytes = MOST_BYTES): HomeCache {
  // The one that was used last comes last.
  const homes = new Map<string, { readonly version: string; readonly home: Promise<Home>; bytes: number }>();
  const shrink = (): void => {
    let bytes = [...homes.values()].reduce((sum, each) => sum + each.bytes, 0);
    for (const [key, each] of homes) {
      if (homes.size <= mostHomes && bytes <= mostBytes) return;
      homes.delete(key);
      bytes -= each.bytes;
    }
  };
  return {
    async open({ account, hubSession, rawVersion }, read) {
      const key = `${account} ${hubSession}`;
      const known = homes.get(key);
      homes.delete(key);
      const entry = known?.version === rawVersion ? known : { version: rawVersion, home: read(), bytes: 0 };
      homes.set(key, entry);
      try {
        const { catalog, bytes } = await entry.home;
        entry.bytes = bytes;
        // There may be files that who asked no longer sees, and others do.
        if (bytes === 0 && homes.get(key) === entry) homes.delete(key);
        shrink();
        return catalog;
      } catch (error) {
        if (homes.get(key) === entry) homes.delete(key);
        throw error;
      }
    },
  };
}

/** What one may not see is unknown, as is what does not exist. */
export async function findVisible(tx: Transaction, session: string, person?: string): Promise<StoredSession> {
  const me = await requireScope(tx, "read");
  const rows = await tx.query(
    `SELECT ${sessionColumns()} FROM hub.sessions s WHERE s.id = $1
        AND ($2::text IS NULL OR s.account_id IN (SELECT a.account_id FROM hub.accounts a WHERE a.name = $2))
      ORDER BY s.account_id = $3 DESC LIMIT 2`,
    [session, person ?? null, me],
  );
  const found = rows.map(toStoredSession);
  const [first, second] = found;
  if (!first) throw unknownSession(session);
  if (second && first.account !== me)
    throw new AppError(
      "session-ambiguous",
      `${first.person} and ${second.person} have a session ${session}`,
      "Say whose it is with `person`",
    );
  // Somebody else's: its owner's admins can see that it was read.
  if (first.account !== me) await tx.query("SELECT hub.note_read($1, $2)", [first.account, session]);
  return first;
}

export async function openHubSession(
  db: HubDatabase,
  who: Credentials,
  cache: HomeCache,
  { session: name, person }: { readonly session: string; readonly person?: string },
): Promise<OpenSession> {
  const session = await db.as(who, (tx) => findVisible(tx, name, person));
  if (session.isSealed) throw sealed(session);
  const key = { source: session.source, id: session.id };
  const catalog = await cache.open(session, async () => {
    const files = await db.as(who, (tx) => readRaw(tx, session.account, session.hubSession));
    // Without any, it may have been taken back or deleted since.
    if (files.length === 0) await db.as(who, (tx) => findVisible(tx, name, person));
    const fs = await openRawHome(session.source, files);
    return {
      catalog: catalogOf(fs, key, session.facts),
      bytes: files.reduce((sum, { size }) => sum + size, 0),
    };
  });
  return { session, key, catalog };
}

const sealed = ({ hubSession, person }: StoredSession): AppError =>
  new AppError(
    "session-sealed",
    `${hubSession} is encrypted: only the machines of ${person} can read it`,
    "Its owner reads it with `rethread sync --pull`",
  );
