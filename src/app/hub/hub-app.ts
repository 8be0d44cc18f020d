/** What a server of a hub asks: the database, in the name of who holds a token. */
import {
  type Caller,
  describeCaller,
  endWebToken,
  findCaller,
  giveWebToken,
  type Me,
  noteUse,
} from "../../hub/accounts/caller.ts";
import type { HubDatabase } from "../../hub/database/connect.ts";

export type { Me } from "../../hub/accounts/caller.ts";
export type { HubDatabase } from "../../hub/database/connect.ts";
export type { Credentials } from "../../hub/database/credentials.ts";

/** Whoever asks, as the database knows the token; its kind is `program`, `web` (a browser) or `serve` (a running server). */
export type HubCaller = Caller;

/** Where questions are asked, and where changes are made: a standby may answer the former. */
export interface HubPlaces {
  readonly db: HubDatabase;
}

/** Who people are, by their tokens. */
export interface HubPeople {
  find(token: string): Promise<HubCaller | undefined>;
  describe(caller: HubCaller): Promise<Me>;
  /** A token for a browser. */
  signIn(caller: HubCaller): Promise<{ readonly token: string; readonly expiresAt: Date }>;
  signOut(caller: HubCaller): Promise<void>;
}

/** A token that is in use is noted so often. */
const NOTE_MS = 60_000;
const MOST_NOTED = 10_000;

export function createHubPeople({ db }: HubPlaces, clock: () => number = () => performance.now()): HubPeople {
  const noted = new Map<string, number>();
  const note = (caller: HubCaller): void => {
    const { proof } = caller.who;
    const now = clock();
    if (now - (noted.get(proof) ?? Number.NEGATIVE_INFINITY) < NOTE_MS) return;
    if (noted.size >= MOST_NOTED) noted.clear();
    noted.set(proof, now);
    // Nobody waits for it, and the next request tries again.
    noteUse(db, caller.who).catch(() => noted.delete(proof));
  };
  return {
    async find(token) {
      const caller = await findCaller(db, token);
      if (caller) note(caller);
      return caller;
    },
    describe: (caller) => describeCaller(db, caller),
    signIn: ({ who }) => giveWebToken(db, who),
    signOut: ({ who }) => endWebToken(db, who),
  };
}
