/** What changes sessions, wired for one request. */
import type { AppConfig } from "../config.ts";
import type { Request } from "../request.ts";
import { afterWrite } from "./after-write.ts";
import { createEditCore, type EditCore } from "./core.ts";

export const openCore = (
  { catalog, dataFolder, find, titles, askStoreOr, settings }: Request,
  { now, folder, environment }: AppConfig,
): EditCore =>
  createEditCore({
    catalog,
    home: dataFolder,
    now,
    folder,
    vars: environment.vars,
    userHome: environment.homeDir,
    find,
    retention: { days: settings.backupDays, bytes: settings.backupBytes },
    titles,
    refresh: (plan) =>
      askStoreOr(
        { sources: [plan.session.source] },
        (store) => afterWrite(plan, store, dataFolder, now),
        async () => undefined, // the next command that can use the store brings it up to date
      ),
  });
