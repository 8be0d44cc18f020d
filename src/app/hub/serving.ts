/** A hub while it is served: its database, made and brought up to date, the worker that makes rows, and a token for its operator. */
import { giveOperatorToken } from "../../hub/accounts/setup.ts";
import { clearEndedTokens, revokeTokens } from "../../hub/accounts/tokens.ts";
import { openHubDatabase } from "../../hub/database/connect.ts";
import { type Backfill, startBackfill } from "../../hub/derive/backfill.ts";
import { asOwner } from "../../hub/place/place.ts";
import { prepareHub } from "../../hub/place/prepare.ts";
import { pause } from "../../platform/process/background.ts";
import type { AppConfig } from "../config.ts";
import type { HubPlaces } from "./hub-app.ts";
import { type OperatorOptions, openHubPlace } from "./operator.ts";

export interface ServingOptions extends OperatorOptions {
  /** What the worker could not do; it tries again by itself. */
  onError(error: unknown): void;
}

export interface HubServing extends HubPlaces {
  /** Of the first admin, until the server stops or half a day is over. */
  readonly token: string;
  /** The migrations that were run now. */
  readonly applied: readonly string[];
  readonly isEmbedded: boolean;
  /** Lets the worker finish what it does, then closes the database. */
  stop(): Promise<void>;
}

/** The worker may be in the middle of a long session. */
const CLOSE_MS = 20_000;
const TOKEN_MS = 12 * 3600_000;

export async function openServing(config: AppConfig, options: ServingOptions): Promise<HubServing> {
  const { admin, place, cluster, stop: closePlace } = await openHubPlace(config, { ...options, stays: true });
  const opened: (() => Promise<void>)[] = [closePlace];
  const stop = async (): Promise<void> => {
    for (const close of opened.splice(0).reverse()) await withinTime(close);
  };
  try {
    const { applied } = await prepareHub(admin, place);
    const { token, id, account } = await asOwner(admin, async (tx) => {
      const given = await giveOperatorToken(tx, {
        kind: "serve",
        label: "hub serve",
        expiresAt: new Date(config.now().getTime() + TOKEN_MS),
      });
      await clearEndedTokens(tx);
      return given;
    });
    // Where the database is gone by then, the token ends by itself.
    opened.push(() => asOwner(admin, (tx) => revokeTokens(tx, account, id)).then(noMatter, noMatter));
    const db = openHubDatabase(place);
    opened.push(() => db.close());
    const backfill: Backfill = await startBackfill(db, { onError: options.onError });
    opened.push(() => backfill.stop());
    return { db, token, applied, isEmbedded: cluster !== undefined, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A connection that was lost in the middle of something may never end; whoever stops goes on without it. */
async function withinTime(close: () => Promise<void>): Promise<void> {
  const over = new AbortController();
  const closing = close().finally(() => over.abort());
  await Promise.race([closing, pause(CLOSE_MS, over.signal)]);
}

const noMatter = (): void => undefined;
