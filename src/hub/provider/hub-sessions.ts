/** An account's sessions on the hub's database, for one program: read at once, leased when it begins to write them. */
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { openHubDatabase, type Transaction } from "../database/connect.ts";
import { toCredentials } from "../database/credentials.ts";
import { requireAccount } from "../ingest/access.ts";
import type { HubSessions, HubSessionsOptions } from "./contract.ts";
import { type CopilotSessionFsProvider, createCopilotSessionFsProvider } from "./copilot-provider.ts";
import { createSessionFsHandlers } from "./copilot-rpc.ts";
import { type Lease, takeLease } from "./lease.ts";
import { placeOfUrl } from "./place-of-url.ts";
import { PROVIDER_HOME } from "./places.ts";
import { openSessionDatabase, type SessionDatabase } from "./session-database.ts";
import { createProviderFs } from "./session-fs.ts";
import { openSessionFs } from "./sessions.ts";

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
  const leases = new Map<string, Promise<Lease>>();
  const databases = new Set<SessionDatabase>();
  const take = (session: string, steal: boolean): Promise<Lease> => {
    const { holder = `process ${process.pid}`, leaseMs, onLost } = options;
    const taken = takeLease(db, who, session, {
      holder,
      steal,
      ...(leaseMs !== undefined && { ttlMs: leaseMs }),
      onLost: (error) => onLost?.(session, error),
    });
    leases.set(session, taken);
    // One that was refused may be asked for again.
    taken.catch(() => leases.get(session) === taken && leases.delete(session));
    return taken;
  };
  /** Of one time that a session is opened: a lease that is lost is not taken again behind its back. */
  const leaseOnce = (session: string): (() => Promise<Lease>) => {
    let own: Promise<Lease> | undefined;
    return async () => {
      if (own) return own;
      const known = await leases.get(session)?.catch(() => undefined);
      const taking = known && !known.isLost ? Promise.resolve(known) : take(session, false);
      own = taking;
      taking.catch(() => {
        own = undefined;
      });
      return taking;
    };
  };
  const fs: SessionFs = openSessionFs(db, who);
  const provider = ({ sessionId }: { readonly sessionId: string }): CopilotSessionFsProvider => {
    const lease = leaseOnce(sessionId);
    const read = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => db.as(who, work);
    const write = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => (await lease()).write(work);
    const { account } = who;
    const files = createProviderFs({ account, read, write: (_, work) => write(work) });
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
    const lease = await leases.get(session)?.catch(() => undefined);
    leases.delete(session);
    opened.delete(session);
    await lease?.release();
  };
  return {
    name: who.account,
    source: "copilot-cli",
    home: PROVIDER_HOME,
    fs,
    provider,
    handlers: createSessionFsHandlers(providerOf),
    async take(session, { steal = false } = {}) {
      const known = await leases.get(session)?.catch(() => undefined);
      if (!known || known.isLost) await take(session, steal);
    },
    release,
    async close() {
      for (const session of leases.keys()) await release(session);
      for (const database of databases) database.close();
      await db.close();
    },
  };
}
