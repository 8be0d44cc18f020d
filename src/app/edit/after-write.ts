/** What our own records must hear of a write, beyond what a refresh finds: a session that was taken away is not lost. */
import { isAtOrBelow } from "../../model/place.ts";
import { type EditPlan, sessionsOf } from "../../model/plan.ts";
import type { SessionStore } from "../../store/session-store.ts";
import { openArchive } from "../../store/state/archive.ts";

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
