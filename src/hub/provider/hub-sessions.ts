/** An account's sessions on the hub's database, for one program: read at once, leased when it begins to write them. */
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { openHubDatabase, type Transaction } from "../database/connect.ts";
import { toCredentials } from "../database/credentials.ts";
import { requireAccount } from "../ingest/access.ts";
import type { HubSessions, HubSessionsOptions } from "./contract.ts";
import { type CopilotSessionFsProvider, createCopilotSessionFsProvider } from "./copilot-provider.ts";
import { createSessionFsHandlers } from "./copilot-rpc.ts";
import { type Lease, takeLease } from "./lease.ts";
import { patiently } from "./patience.ts";
import { placeOfUrl } from "./place-of-url.ts";
import { PROVIDER_HOME, sessionNamed } from "./places.ts";
import { openSessionDatabase, type SessionDatabase } from "./session-database.ts";
import { type Access, createProviderFs } from "./session-fs.ts";
import { openSessionFs, readerOf } from "./sessions.ts";

export async function createHubSessions(options: HubSessionsOptions): Promise<HubSessions> {
  const who = toCredentials(options.token);
  const db = openHubDatabase(placeOfUrl(options.url));
  try {
    // Without this, whoever has a token that has ended would find no sessions, and not know why.
    await db.as(who, requireAccount);
  } catch (error) {
    await db.close();
    throw error;
  }
  /** The last of what was begun with the lease of a session; what comes next waits for it. */
  const leases = new Map<string, Promise<Lease | undefined>>();
  const databases = new Set<SessionDatabase>();
  const next = <T extends Lease | undefined>(
    session: string,
    work: (known: Lease | undefined) => Promise<T>,
  ): Promise<T> => {
    const before = leases.get(session)?.catch(() => undefined) ?? Promise.resolve(undefined);
    const begun = before.then(work);
    leases.set(session, begun);
    const forget = (lease?: Lease): void => {
      if (!lease && leases.get(session) === begun) leases.delete(session);
    };
    // One that was refused may be asked for again.
    begun.then(forget, () => forget());
    return begun;
  };
  const take = (session: string, steal: boolean): Promise<Lease> =>
    next(session, async (known) => {
      if (known && !known.isLost) return known;
      const { holder = `process ${process.pid}`, leaseMs, onLost } = options;
      return takeLease(db, who, session, {
        holder,
        steal,
        ...(leaseMs !== undefined && { ttlMs: leaseMs }),
        onLost: (error) => onLost?.(session, error),
      });
    });
  /** Of one time that a session is opened: a lease that is lost is not taken again behind its back. */
  const leaseOnce = (session: string): (() => Promise<Lease>) => {
    let own: Promise<Lease> | undefined;
    return () => {
      if (own) return own;
      const taking = take(session, false);
      own = taking;
      taking.catch(() => {
        own = undefined;
      });
      return taking;
    };
  };
  const whileAway = readerOf(db, who);
  const read: Access["read"] = (work) => patiently(() => whileAway(work));
  const fs: SessionFs = openSessionFs(db, who);
  const provider = (of: { readonly sessionId: string }): CopilotSessionFsProvider => {
    const sessionId = sessionNamed(of.sessionId);
    const lease = leaseOnce(sessionId);
    const write = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => (await lease()).write(work);
    const { account } = who;
    const files = createProviderFs({ account, read, write: (_, work) => write(work), makesFolders: true });
    const database = openSessionDatabase({ account, session: sessionId }, { read, write });
    databases.add(database);
    return createCopilotSessionFsProvider(sessionId, files, database);
  };
  const opened = new Map<string, CopilotSessionFsProvider>();
  const providerOf = (sessionId: string): CopilotSessionFsProvider => {
    const known = opened.get(sessionId) ?? provider({ sessionId });
    opened.set(sessionId, known);
    return known;
  };
  const release = async (session: string): Promise<void> => {
    opened.delete(session);
    if (leases.has(session))
      await next(session, async (lease) => {
        await lease?.release();
        return undefined;
      });
  };
  return {
    name: who.account,
    source: "copilot-cli",
    home: PROVIDER_HOME,
    fs,
    provider,
    handlers: createSessionFsHandlers(providerOf),
    async take(session, { steal = false } = {}) {
      await take(sessionNamed(session), steal);
    },
    release,
    async close() {
      // One that cannot be released ends by itself.
      await Promise.allSettled([...leases.keys()].map(release));
      for (const database of databases) database.close();
      await db.close();
    },
  };
}
