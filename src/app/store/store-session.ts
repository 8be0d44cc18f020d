/** Opens the store for one piece of work, and sets a corrupt one aside. */
import { isCorrupt, toAppError } from "../../store/faults.ts";
import type { KeptStore } from "../../store/kept-store.ts";
import { openStore, type StoreOptions, setStoreAside, storeIdentity, storePath } from "../../store/open.ts";
import { createSessionStore, type SessionStore } from "../../store/session-store.ts";

export interface StoreSession {
  /** How often a corrupt store was set aside; there is nothing in the new one then, whatever was asked. */
  losses(): number;
  /** Tells of a store that was set aside. */
  notice(sentence: string): void;
  /** Whatever SQLite says comes out as something a person can act on. */
  open<T>(work: (store: SessionStore) => Promise<T> | T): Promise<T>;
  /** The same for work that opens the store by itself. */
  guard<T>(work: () => Promise<T>): Promise<T>;
}

/** With `kept`, a connection stays open from one piece of work to the next. */
export function createStoreSession(
  { folder, now, notice: tell }: StoreOptions,
  kept?: KeptStore,
): StoreSession {
  let losses = 0;
  const notice = (sentence: string): void => {
    losses++;
    tell(sentence);
  };
  const options: StoreOptions = { folder, now, notice };
  let opened: number | undefined;
  const enter = async <T>(work: (store: SessionStore) => Promise<T> | T): Promise<T> => {
    const db = kept ? kept.take(options) : openStore(options);
    opened = storeIdentity(folder);
    let isGood = false;
    try {
      const answer = await work(createSessionStore(db));
      isGood = true;
      return answer;
    } finally {
      if (kept && isGood) kept.giveBack(db);
      else db.close();
    }
  };
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw toAppError(error, storePath(folder));
    }
  };
  return {
    losses: () => losses,
    notice,
    guard,
    open: (work) =>
      guard(async () => {
        try {
          return await enter(work);
        } catch (error) {
          // Damage in the middle of the file is found only when it is read.
          if (!isCorrupt(error)) throw error;
          setStoreAside(options, opened);
          return enter(work);
        }
      }),
  };
}
