/** What the operator of a hub does on the machine that runs it: set it up, and keep its users and teams. */
import { join } from "node:path";
import { toExpiry, toScopes } from "../../hub/accounts/names.ts";
import { onlyTeam, type SetUp, setUpHub } from "../../hub/accounts/setup.ts";
import { addTeam, type HubTeam, joinTeam, leaveTeam, listTeams } from "../../hub/accounts/teams.ts";
import { addUser, type HubUser, listUsers, revokeUser, rotateUser } from "../../hub/accounts/users.ts";
import type { Transaction } from "../../hub/database/connect.ts";
import { reindexAsOwner } from "../../hub/operate/reindex.ts";
import { type HubStatus, wholeStatus } from "../../hub/operate/status.ts";
import { openPlace } from "../../hub/place/open.ts";
import { asOwner, type OpenPlace } from "../../hub/place/place.ts";
import { prepareHub, requireHub } from "../../hub/place/prepare.ts";
import { urlOfPlace } from "../../hub/provider/place-of-url.ts";
import { AppError } from "../../model/errors.ts";
import { isFolder } from "../../platform/disk/own-files.ts";
import type { AppConfig } from "../config.ts";

export type { SetUp } from "../../hub/accounts/setup.ts";
export type { HubTeam } from "../../hub/accounts/teams.ts";
export type { HubUser } from "../../hub/accounts/users.ts";

export type { HubStatus } from "../../hub/operate/status.ts";

export interface OperatorOptions {
  /** Instead of the variable, and of the embedded server. */
  readonly databaseUrl?: string;
  /** The database is to run as long as this process. */
  readonly stays?: boolean;
  note(sentence: string): void;
}

export interface UserWish {
  readonly name: string;
  readonly scopes?: readonly string[];
  /** `90d`, `never`. */
  readonly expires?: string;
  readonly teams?: readonly string[];
}

export interface GivenToken {
  readonly user: string;
  /** Shown now and never again. */
  readonly token: string;
}

/** A forgotten token should not open anything for ever, and a year is as long as people keep a machine set up. */
const USUAL_EXPIRY = "1y";
const USUAL_SCOPES = ["push", "read"];

export const hubFolder = ({ dataHome }: Pick<AppConfig, "dataHome">): string => join(dataHome, "hub");

export function openHubPlace(
  config: AppConfig,
  { databaseUrl, stays = false, note }: OperatorOptions,
): Promise<OpenPlace> {
  const { databaseUrl: set, secret } = config.hubServer ?? {};
  const url = databaseUrl ?? set;
  return openPlace({
    folder: hubFolder(config),
    stays,
    note,
    ...(url !== undefined && { databaseUrl: url }),
    ...(secret !== undefined && { secret }),
  });
}

/** Opens the database for one piece of work, and closes it again. */
export async function withHubPlace<T>(
  config: AppConfig,
  options: OperatorOptions,
  work: (place: OpenPlace) => Promise<T>,
): Promise<T> {
  const place = await openHubPlace(config, options);
  try {
    return await work(place);
  } finally {
    await place.stop();
  }
}

/** For what only looks at a hub, or changes one: it never starts a database where none has been made. */
export async function withHub<T>(
  config: AppConfig,
  options: OperatorOptions,
  work: (place: OpenPlace) => Promise<T>,
): Promise<T> {
  const isEmbedded = (options.databaseUrl ?? config.hubServer?.databaseUrl) === undefined;
  if (isEmbedded && !isFolder(hubFolder(config)))
    throw new AppError(
      "database-unavailable",
      "There is no hub on this machine",
      "Make one with `rethread hub serve`, or name the database of one that is elsewhere with RETHREAD_HUB_DATABASE_URL",
    );
  return withHubPlace(config, options, async (place) => {
    await requireHub(place.admin);
    return work(place);
  });
}

const operate = <T>(
  config: AppConfig,
  options: OperatorOptions,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> => withHub(config, options, ({ admin }) => asOwner(admin, work));

export const initHub = (
  config: AppConfig,
  options: OperatorOptions,
  wish: {
    readonly user?: string;
    readonly team?: string;
    readonly expires?: string;
    readonly newSecret?: boolean;
  },
): Promise<Partial<SetUp> & { readonly applied: readonly string[]; readonly partitions: number }> =>
  withHubPlace(config, options, async ({ admin, place }) => {
    const { newSecret: renews = false, expires, ...names } = wish;
    const expiresAt = toExpiry(expires ?? USUAL_EXPIRY, config.now());
    const migrated = await prepareHub(admin, place, { renews });
    if (renews) return migrated;
    const made = await asOwner(admin, (tx) => setUpHub(tx, { ...names, ...(expiresAt && { expiresAt }) }));
    return { ...made, ...migrated };
  });

/** For applications that keep their sessions in the database: they log in as the role that owns nothing. */
export const providerAddress = (config: AppConfig, options: OperatorOptions): Promise<string> =>
  withHub(config, options, async ({ place }) => urlOfPlace(place));

/** Where no team is named and there is only one, the user joins that. */
export const addHubUser = (
  config: AppConfig,
  options: OperatorOptions,
  { name, scopes = USUAL_SCOPES, expires = USUAL_EXPIRY, teams }: UserWish,
): Promise<GivenToken & { readonly teams: readonly string[] }> =>
  operate(config, options, async (tx) => {
    const expiresAt = toExpiry(expires, config.now());
    const only = teams ? undefined : await onlyTeam(tx);
    const joined = teams ?? (only === undefined ? [] : [only]);
    const { user, token } = await addUser(tx, {
      name,
      scopes: toScopes(scopes),
      teams: joined,
      ...(expiresAt && { expiresAt }),
    });
    return { user, token, teams: joined };
  });

export const listHubUsers = (config: AppConfig, options: OperatorOptions): Promise<readonly HubUser[]> =>
  operate(config, options, listUsers);

export const revokeHubUser = (
  config: AppConfig,
  options: OperatorOptions,
  name: string,
): Promise<{ readonly user: string; readonly tokens: number }> =>
  operate(config, options, (tx) => revokeUser(tx, name));

export const rotateHubUser = (
  config: AppConfig,
  options: OperatorOptions,
  { name, scopes, expires = USUAL_EXPIRY }: UserWish,
): Promise<GivenToken & { readonly revoked: number }> =>
  operate(config, options, (tx) => {
    const expiresAt = toExpiry(expires, config.now());
    return rotateUser(tx, name, {
      ...(scopes && { scopes: toScopes(scopes) }),
      ...(expiresAt && { expiresAt }),
    });
  });

export const statusOfHub = (config: AppConfig, options: OperatorOptions): Promise<HubStatus> =>
  operate(config, options, wholeStatus);

/** Gives back how many sessions wait now; a hub that is served works on them. */
export const reindexHub = (config: AppConfig, options: OperatorOptions, user?: string): Promise<number> =>
  operate(config, options, (tx) => reindexAsOwner(tx, user));

export const addHubTeam = (
  config: AppConfig,
  options: OperatorOptions,
  name: string,
): Promise<{ readonly team: string }> => operate(config, options, (tx) => addTeam(tx, name));

export const listHubTeams = (config: AppConfig, options: OperatorOptions): Promise<readonly HubTeam[]> =>
  operate(config, options, listTeams);

export const changeHubTeam = (
  config: AppConfig,
  options: OperatorOptions,
  action: "join" | "leave",
  { team, user }: { readonly team: string; readonly user: string },
): Promise<{ readonly team: string; readonly user: string }> =>
  operate(config, options, (tx) => (action === "join" ? joinTeam : leaveTeam)(tx, team, user));
