/** Fills a store that knows no session yet. */

import type { Catalog, Scan } from "../sources/catalog.ts";
import { lockFilling } from "../store/filling.ts";
import { openStore, type StoreOptions } from "../store/open.ts";
import { createSessionStore } from "../store/session-store.ts";
import { isUnreadable } from "./index-one.ts";
import { rebuild } from "./rebuild.ts";
import { type Progress, type RefreshOptions, type RefreshResult, refresh, WORTH_THREADS } from "./refresh.ts";

/** Until then nobody else sees what is read, and who kills it loses it. */
const FIRST_PIECE_MS = 4000;
/** As long as another process may take to read its first piece, and to put it into place. */
const PATIENCE_MS = 3 * FIRST_PIECE_MS;

/**
 * What is read at first is written as a rebuild writes it, which is faster; then it takes the place of the empty store, and
 * the rest goes on there. Nothing where the store knows a session, or where there is too little for that to be worth it.
 */
export async function fillEmpty(
  catalog: Catalog,
  folder: string,
  options: RefreshOptions,
  notice: (sentence: string) => void = () => undefined,
): Promise<RefreshResult | undefined> {
  const where = { folder, now: options.now, notice };
  const scan = isEmpty(where) ? await catalog.scan(options.sources) : undefined;
  if (!scan || bytesOf(scan) < WORTH_THREADS) return undefined;
  const release = await lockFilling(folder, PATIENCE_MS);
  // One who waited in vain takes turns with the others.
  if (!release) return undefined;
  const seen: Catalog = { ...catalog, scan: async () => scan };
  let first: RefreshResult;
  try {
    // And who waited finds what another has read.
    if (!isEmpty(where)) return undefined;
    first = await rebuild(seen, folder, { ...options, pieceMs: FIRST_PIECE_MS }, notice, true);
  } finally {
    release();
  }
  return first.pending === 0 || options.signal?.aborted
    ? first
    : readOn(seen, where, options, { first, seenTwice: seenTwice(scan) });
}

/** The rest, in the store that has the first piece; others may write to it meanwhile. */
async function readOn(
  seen: Catalog,
  where: StoreOptions,
  options: RefreshOptions,
  { first, seenTwice }: { first: RefreshResult; seenTwice: number },
): Promise<RefreshResult> {
  const db = openStore(where);
  try {
    const rest = await refresh(seen, createSessionStore(db), { ...options, ...after(first, options) });
    return { ...both(first, rest), unreadable: first.unreadable + rest.unreadable - seenTwice };
  } finally {
    db.close();
  }
}

function isEmpty(where: StoreOptions): boolean {
  const db = openStore(where);
  try {
    return createSessionStore(db).marks().length === 0;
  } finally {
    db.close();
  }
}

const bytesOf = ({ artifacts }: Scan): number =>
  artifacts.reduce((sum, { fingerprint }) => sum + fingerprint.size, 0);

/** Goes on counting where the first piece stopped. */
function after(first: RefreshResult, { onProgress }: RefreshOptions): Pick<RefreshOptions, "onProgress"> {
  if (!onProgress) return {};
  const add = ({ done, total, bytes, totalBytes }: Progress): Progress => ({
    done: done + first.indexed,
    total: total + first.indexed,
    bytes: bytes + first.bytesRead,
    totalBytes: totalBytes + first.bytesRead,
  });
  return { onProgress: (progress) => onProgress(add(progress)) };
}

/** What a scan could not look into. */
const seenTwice = ({ problems }: Scan): number => problems.filter(isUnreadable).length;

/** As if it had been one run. */
const both = (first: RefreshResult, rest: RefreshResult): RefreshResult => ({
  ...rest,
  indexed: first.indexed + rest.indexed,
  // The store knew no session.
  unchanged: 0,
  removed: first.removed + rest.removed,
  kept: first.kept + rest.kept,
  withProblems: first.withProblems + rest.withProblems,
  bytesRead: first.bytesRead + rest.bytesRead,
  turns: first.turns + rest.turns,
  archived: first.archived + rest.archived,
  sessions: {
    added: [...first.sessions.added, ...rest.sessions.added],
    changed: [...first.sessions.changed, ...rest.sessions.changed],
    vanished: [...first.sessions.vanished, ...rest.sessions.vanished],
  },
});
