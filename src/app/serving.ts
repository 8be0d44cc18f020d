/** What a server needs of this machine: where our data and the web app lie, and what the store is. */
import { basename, dirname, join } from "node:path";
import { realPath } from "../platform/disk/links.ts";
import { changedAt, identityOf, isFolder, isThere } from "../platform/disk/own-files.ts";
import { runForNotes } from "../platform/process/tool.ts";
import { storePath } from "../store/open.ts";
import { redactedFolder } from "../store/redacted/folder.ts";
import type { AppConfig } from "./config.ts";
import type { App } from "./contract.ts";

export interface ServingPlaces {
  /** Where what we keep of the sessions lies. */
  readonly dataFolder: string;
  /** The built web app. */
  readonly webFolder: string;
  /** Which file the store is; nothing while there is none. */
  storeIdentity(): number | undefined;
  /** Whether a copy of the store without secrets was begun. */
  hasCopy(): boolean;
  /** Changes with every write that is recorded, whichever process makes it. */
  journalMark(): string;
}

export function servingPlaces(config: AppConfig, { dataFolder }: Pick<App, "dataFolder">): ServingPlaces {
  return {
    dataFolder,
    webFolder: webFolder(config),
    storeIdentity: () => identityOf(storePath(dataFolder)),
    hasCopy: () => isThere(storePath(redactedFolder(dataFolder))),
    journalMark: () => ["state.db", "state.db-wal"].map((name) => changedAt(join(dataFolder, name))).join(),
  };
}

/** The built web app. */
export function webFolder(config: Pick<AppConfig, "self">): string {
  const { root, isCheckout } = whereWeAre(config);
  return isCheckout ? join(root, "dist", "web") : join(root, "web");
}

/** From a checkout, the pages are built before they are served; false when that failed. */
export async function buildPages(config: AppConfig): Promise<boolean> {
  const { root, isCheckout } = whereWeAre(config);
  const script = join(root, "scripts", "build-web.ts");
  if (!isCheckout || !isFolder(join(root, "web")) || !isThere(script)) return true;
  const [node = process.execPath] = config.self;
  return runForNotes([node, script], { folder: root, vars: config.environment.vars });
}

/** The command lies in `src/cli/` of a checkout, or beside what was built with it. */
function whereWeAre({ self }: Pick<AppConfig, "self">): {
  readonly root: string;
  readonly isCheckout: boolean;
} {
  const command = realPath(self[1] ?? "");
  const isCheckout = basename(command) === "main.ts";
  return { root: isCheckout ? join(dirname(command), "..", "..") : dirname(command), isCheckout };
}
