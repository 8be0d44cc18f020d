/** What changes sessions, wired for one request. */

import { type EditPlan, sessionsOf } from "../../model/plan.ts";
import type { SessionKey } from "../../model/values/id.ts";
import { memberOf } from "../../model/values/member.ts";
import { isAtOrBelow } from "../../model/values/paths.ts";
import type { SessionStore } from "../../store/session-store.ts";
import { openArchive } from "../../store/state/archive.ts";
import type { AppConfig } from "../config.ts";
import type { Request } from "../request.ts";
import { markKey } from "../secrets/mark-key.ts";
import { createEditCore, type EditCore } from "./core.ts";

export function openCore(request: Request, config: AppConfig): EditCore {
  const { catalog, dataFolder, find, titles, askStoreOr, settings, demo } = request;
  const { now, folder, environment, self } = config;
  return createEditCore({
    catalog,
    home: dataFolder,
    now,
    folder,
    vars: environment.vars,
    // The demo's folders are work to try things on, although they lie in a hidden folder of the home.
    ...(demo === undefined && { userHome: environment.homeDir }),
    program: { self, isDemo: demo !== undefined, vars: ownVars(environment.vars) },
    find,
    retention: { days: settings.backupDays, bytes: settings.backupBytes },
    titles,
    async refresh(plan) {
      // Files that belong to no session are not in the store.
      if (sessionsOf(plan).length === 0) return;
      await askStoreOr(
        { sources: [plan.session.source] },
        (store) => afterWrite(plan, store, dataFolder, now),
        async () => undefined, // the next command that can use the store brings it up to date
      );
    },
    ...(settings.syncDeletes && {
      async deleted(sessions: readonly SessionKey[]) {
        const { deleteFromHubs } = await import("../sync/local-deletes.ts");
        await deleteFromHubs(dataFolder, config, sessions);
      },
    }),
    markKey: () => markKey(dataFolder, config),
    async improvements(wanted) {
      const { improvementsIn } = await import("../chronicle/improve.ts");
      return improvementsIn(request, config, wanted);
    },
  });
}

/** What leads to our own data, where that is not in its usual place. */
const ownVars = (vars: AppConfig["environment"]["vars"]): Record<string, string> =>
  Object.fromEntries(
    ["RETHREAD_HOME", "XDG_DATA_HOME"].flatMap((name) => {
      const value = memberOf(vars, name);
      return value ? [[name, value] as const] : [];
    }),
  );

/** It is neither marked as vanished nor shown from the archive; the write's own backup brings it back. */
export function afterWrite(plan: EditPlan, store: SessionStore, folder: string, now: () => Date): void {
  const gone = sessionsOf(plan).filter((session) =>
    plan.steps.some(({ does, path, as = path }) => does === "remove" && isAtOrBelow(session.path, as)),
  );
  if (gone.length === 0) return;
  store.begin();
  try {
    for (const session of gone) store.remove(store.idFor(session));
    store.commit();
  } catch (error) {
    store.rollback();
    throw error;
  }
  const archive = openArchive(folder, now);
  try {
    for (const session of gone) archive.forget(session);
    archive.sweep("released");
  } finally {
    archive.close();
  }
}
