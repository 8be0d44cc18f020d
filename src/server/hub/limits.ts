/** How often each account may ask a hub, and each address without a token: nobody's haste is another's wait. */
import { createLimits, type Limits } from "../limits.ts";

export interface HubLimits {
  /** Before a token is looked up: many wrong ones of an address wait. */
  beforeLooking(remote: string): void;
  wrongSecret(remote: string): void;
  known(account: string): void;
  unknown(remote: string): void;
}

/** So many are remembered at most, the latest. */
const MOST_KEYS = 10_000;

export function createHubLimits(clock?: () => number): HubLimits {
  const accounts = keyed(() => createLimits(clock));
  const addresses = keyed(() => createLimits(clock));
  return {
    beforeLooking: (remote) => addresses(remote).request("known"),
    wrongSecret: (remote) => addresses(remote).wrongSecret(),
    known: (account) => accounts(account).request("known"),
    unknown: (remote) => addresses(remote).request("unknown"),
  };
}

function keyed(make: () => Limits): (key: string) => Limits {
  const known = new Map<string, Limits>();
  return (key) => {
    const found = known.get(key) ?? make();
    known.delete(key);
    known.set(key, found);
    for (const oldest of known.keys()) {
      if (known.size <= MOST_KEYS) break;
      known.delete(oldest);
    }
    return found;
  };
}
