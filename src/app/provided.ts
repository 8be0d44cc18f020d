/** Sessions that applications keep on a hub, in the place of this machine's own. */
import { join } from "node:path";
import { toCredentials } from "../hub/database/credentials.ts";
import type { HubSessions } from "../hub/provider/contract.ts";
import { AppError } from "../model/errors.ts";
import { isAtOrBelow } from "../model/values/paths.ts";
import { besideDisk } from "../platform/fs/beside-disk.ts";
import { openCatalogAt } from "../sources/catalog.ts";
import { placeSources } from "../sources/machine/placed-sources.ts";
import { toProvided } from "../sources/provided.ts";
import { SOURCES } from "../sources/registry.ts";
import type { Chosen } from "./choose-catalog.ts";
import type { AppConfig } from "./config.ts";
import { keptSessions } from "./store/archived-sessions.ts";
import { findToken } from "./sync/login.ts";

export type ProvidedSessions = Pick<HubSessions, "name" | "source" | "home" | "fs">;

/** What we keep of them: their own store, journal and backups, for each account. */
export const providedFolder = (dataHome: string, { name }: Pick<ProvidedSessions, "name">): string =>
  join(dataHome, "provider", name);

/** The folder of those that variables speak of. */
export const folderOfVariables = (config: AppConfig): string =>
  providedFolder(config.dataHome, { name: toCredentials(requireToken(config)).account });

/** Those that variables speak of; nothing where they speak of none. */
export async function openProvided(config: AppConfig): Promise<HubSessions | undefined> {
  if (config.providerUrl === undefined || config.demo === "on") return undefined;
  const { openHubSessions } = await import("../hub/provider/contract.ts");
  return openHubSessions({ url: config.providerUrl, token: requireToken(config), holder: "rethread" });
}

function requireToken(config: AppConfig): string {
  const token = findToken(config.dataHome, config);
  if (token !== undefined) return token;
  throw new AppError(
    "hub-not-set",
    "RETHREAD_PROVIDER_URL names sessions on a hub, but no token for them is known",
    "Set RETHREAD_HUB_TOKEN, or log in: rethread hub login <url>",
  );
}

export function chooseProvided(config: AppConfig, sessions: ProvidedSessions): Chosen {
  const source = SOURCES.find(({ id }) => id === sessions.source);
  if (!source) throw new Error(`no source called ${sessions.source}`);
  const places = placeSources([toProvided(source, sessions.home)], { ...config.environment, vars: {} });
  const fs = besideDisk(sessions.fs, (path) => isAtOrBelow(path.replaceAll("\\", "/"), sessions.home));
  const folder = providedFolder(config.dataHome, sessions);
  return {
    openCatalog: (notice) => openCatalogAt(places, fs, keptSessions(folder, config.now, notice)),
    homes: placeSources(SOURCES, config.environment).sources,
    demo: undefined,
  };
}
