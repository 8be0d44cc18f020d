/** Who may ask a hub: the token or cookie of a request, as the database knows it, and the page that it comes from. */
import type { HubCaller } from "../../app/hub/hub-app.ts";
import { AppError } from "../../model/errors.ts";
import { bearerOf, checkOrigin, type ServedNames } from "../access.ts";
import { isChangeBy, notSignedIn } from "../admission.ts";
import type { Incoming } from "../router.ts";
import { cookiesNamed } from "../sign-in.ts";
import type { HubNeed } from "./endpoint.ts";
import type { HubLimits } from "./limits.ts";

export interface HubAccessParts {
  readonly served: ServedNames;
  readonly limits: HubLimits;
  readonly cookieName: string;
  /** Paths that answer without a token. */
  readonly openPaths: ReadonlySet<string>;
  identify(token: string): Promise<HubCaller | undefined>;
}

/** Who asks; nobody where an address is open. Throws for who may not ask. */
export function createHubAdmission(
  parts: HubAccessParts,
): (incoming: Incoming) => Promise<HubCaller | undefined> {
  const { served, limits, cookieName, openPaths, identify } = parts;
  return async ({ request: { headers, method }, path, remote = "" }) => {
    const isChange = isChangeBy(method);
    // Health is asked about a server whose database is gone, too.
    if (openPaths.has(path)) {
      checkOrigin(served, headers, "none", isChange);
      limits.unknown(remote);
      return undefined;
    }
    const bearer = headers.has("authorization") ? (bearerOf(headers) ?? "") : undefined;
    const [cookie] = bearer === undefined ? cookiesNamed(headers, cookieName) : [];
    checkOrigin(
      served,
      headers,
      bearer !== undefined ? "token" : cookie === undefined ? "none" : "cookie",
      isChange,
    );
    const token = bearer ?? cookie;
    if (token === undefined) {
      limits.unknown(remote);
      throw notSignedIn("The request has no token", SEND_ONE);
    }
    limits.beforeLooking(remote);
    const caller = await identify(token);
    if (!caller) {
      limits.wrongSecret(remote);
      throw notSignedIn("The hub does not know that token, or it has ended", SEND_ONE);
    }
    limits.known(caller.who.account);
    return caller;
  };
}

const SEND_ONE =
  "Send a token of this hub as `Authorization: Bearer`, or sign in; an admin of the hub gives them out";

/** The database refuses, too; this says why. */
export function requireNeed(needs: HubNeed, caller: HubCaller | undefined): void {
  if (needs === "open" || needs === "any" || caller?.scopes.includes(needs)) return;
  throw new AppError(
    "hub-refused",
    `That token lacks the scope ${needs}`,
    `Ask an admin of the hub for a token with the scope ${needs}`,
  );
}
