/** What a server of a hub asks: the database, in the name of who holds a token. */
import type { HubDatabase } from "../../hub/database/connect.ts";
import type { Credentials } from "../../hub/database/credentials.ts";

export type { HubDatabase } from "../../hub/database/connect.ts";
export type { Credentials } from "../../hub/database/credentials.ts";

/** Whoever asks, as the database knows the token. */
export interface HubCaller {
  readonly who: Credentials;
  readonly name: string;
  readonly scopes: readonly string[];
  /** `program`, `web` (a browser) or `serve` (a running server). */
  readonly kind: string;
}

/** Where questions are asked, and where changes are made: a standby may answer the former. */
export interface HubPlaces {
  readonly db: HubDatabase;
}
