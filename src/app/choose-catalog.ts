/** Which homes are read: this machine's own, or the demo, made where it is needed. */
import type { Demo } from "../demo/create.ts";
import { demoFolder, demoVars } from "../demo/places.ts";
import { AppError } from "../model/errors.ts";
import type { Problem } from "../model/problem.ts";
import { inDemo } from "../model/remedy.ts";
import { identityAt } from "../platform/disk/identity.ts";
import { localFs } from "../platform/fs/local.ts";
import { isErrno, reasonOf } from "../platform/fs/session-fs.ts";
import { type Catalog, openCatalogAt, type Scan, startingWith } from "../sources/catalog.ts";
import { placeSources } from "../sources/machine/placed-sources.ts";
import { SOURCES } from "../sources/registry.ts";
import type { Environment } from "../sources/source.ts";
import type { Notice } from "./call.ts";
import type { AppConfig } from "./config.ts";
import type { App } from "./contract.ts";
import { keptSessions } from "./store/archived-sessions.ts";

export interface Chosen extends Pick<App, "demo"> {
  /** Opened for each call, because problems of our own copies are reported to its caller. */
  openCatalog(notice: Notice): Catalog;
  /** Where this machine's own homes are, also while the demo is read. */
  readonly homes: Catalog["sources"];
}

/** The scan that chose the catalog is reused for the first call. */
const SCAN_LIFETIME_MS = 1000;

export async function chooseHomes(config: AppConfig): Promise<Chosen> {
  const opener = (environment: Environment, folder: string) => {
    const places = placeSources(SOURCES, environment);
    return (notice: Notice): Catalog =>
      openCatalogAt(places, localFs, keptSessions(folder, config.now, notice));
  };
  const open = opener(config.environment, config.dataHome);
  const own = open(() => undefined);
  const homes = own.sources;
  refuseSharedHome(config.dataHome, homes);
  if (config.demo === "off") return { openCatalog: open, homes, demo: undefined };
  if (config.demo === "auto") {
    let found: Scan | undefined = await own.scan();
    const until = performance.now() + SCAN_LIFETIME_MS;
    const openFirst = (notice: Notice): Catalog => {
      const scan = performance.now() < until ? found : undefined;
      found = undefined;
      return scan ? startingWith(open(notice), scan) : open(notice);
    };
    if (found.artifacts.length > 0) return { openCatalog: openFirst, homes, demo: undefined };
  }
  const folder = demoFolder(config.dataHome);
  if (!(await localFs.exists(folder))) await makeDemo(config);
  return {
    openCatalog: opener(demoEnvironment(config, folder), folder),
    homes,
    demo: config.demo === "on" ? "asked" : "nothing-else",
  };
}

/** Some of our files have the names that an agent's own have, such as `session-store.db`. */
function refuseSharedHome(dataHome: string, sources: Catalog["sources"]): void {
  const identity = identityAt(dataHome);
  const isShared = (root: string): boolean =>
    root === dataHome || (identity !== undefined && identityAt(root) === identity);
  const shared = sources.find(({ roots }) => roots.some(isShared));
  if (!shared) return;
  throw new AppError(
    "config-invalid",
    `${dataHome} is the home of ${shared.label}, and rethread must not keep its files there`,
    "Set RETHREAD_HOME to another folder",
  );
}

/** Nothing of the real machine shows through: a source that looks beyond its variable finds the demo's folder, too. */
const demoEnvironment = (config: AppConfig, folder: string): Environment => ({
  platform: config.environment.platform,
  homeDir: folder,
  vars: demoVars(folder),
});

/** What helps must be done to the home it is about. */
export const problemInDemo = <P extends Problem>(problem: P): P =>
  problem.remedy ? { ...problem, remedy: inDemo(problem.remedy) } : problem;

export async function makeDemo({ dataHome, now }: AppConfig): Promise<Demo> {
  // Forty stories are a lot to load for a command that needs none of them.
  const { createDemo } = await import("../demo/create.ts");
  try {
    const demo = await createDemo({ fs: localFs, sources: SOURCES, home: dataHome, now: now() });
    (await import("./board/demo-board.ts")).writeDemoBoard(demo.folder, now);
    return demo;
  } catch (error) {
    if (!isErrno(error, "EACCES", "EPERM", "EROFS", "ENOTDIR", "ENOSPC")) throw error;
    throw new AppError(
      isErrno(error, "ENOSPC") ? "disk-full" : "permission-denied",
      `The demo could not be written to ${demoFolder(dataHome)}: ${reasonOf(error)}`,
      "Set RETHREAD_HOME to a folder that you can write to",
      error,
    );
  }
}
