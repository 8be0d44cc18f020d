/** Lets browsers in to a hub: with a token, or with the code in the address that the server printed. */
import { hash, randomBytes } from "node:crypto";
import type { HubCaller, HubPeople } from "../../app/hub/hub-app.ts";
import { notSignedIn } from "../admission.ts";
import { usedAddress, withoutCode } from "../site.ts";
import type { HubCookie } from "./cookie.ts";
import type { HubLimits } from "./limits.ts";

export interface Entrance {
  /** Throws for a token that is not known. */
  signIn(token: string, remote: string): Promise<{ readonly caller: HubCaller; readonly setCookie: string }>;
  /** The header that removes the cookie. */
  signOut(caller: HubCaller): Promise<string>;
  /** A code that opens the pages once, in the name of that token. */
  newCode(token: string): string;
  /** The answer to an address with a code in it. */
  open(request: Request, code: string, remote: string): Promise<Response>;
}

export interface EntranceParts {
  readonly people: HubPeople;
  readonly cookie: HubCookie;
  readonly limits: HubLimits;
  now(): Date;
}

/** Long enough to switch to a browser, or to copy an address from a log. */
const CODE_MS = 10 * 60_000;

export function createEntrance({ people, cookie, limits, now }: EntranceParts): Entrance {
  const codes = new Map<string, { readonly token: string; readonly until: number }>();
  const enter = async (token: string): Promise<{ caller: HubCaller; setCookie: string } | undefined> => {
    const caller = await people.find(token);
    if (!caller) return undefined;
    const given = await people.signIn(caller);
    return { caller, setCookie: cookie.set(given.token, given.expiresAt) };
  };
  return {
    async signIn(token, remote) {
      const entered = await enter(token);
      if (entered) return entered;
      limits.wrongSecret(remote);
      throw notSignedIn(
        "The hub does not know that token, or it has ended",
        "Ask an admin of the hub for one",
      );
    },
    async signOut(caller) {
      await people.signOut(caller);
      return cookie.clear;
    },
    newCode(token) {
      const code = randomBytes(32).toString("base64url");
      codes.set(hash("sha256", code), { token, until: now().getTime() + CODE_MS });
      return code;
    },
    async open(request, code, remote) {
      // A preview of the link must not use it up.
      if (request.method !== "GET") return new Response(null, { status: 204 });
      const mark = hash("sha256", code);
      const known = codes.get(mark);
      codes.delete(mark);
      const isGood = known !== undefined && known.until > now().getTime();
      const entered = isGood ? await enter(known.token) : undefined;
      if (entered) return withoutCode(new URL(request.url), entered.setCookie);
      limits.wrongSecret(remote);
      return usedAddress("Open the address without the code, and sign in with a token of this hub.");
    },
  };
}
