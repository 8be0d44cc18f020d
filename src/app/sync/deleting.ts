/** Deletes sessions from the hub for good: all of them are found before the first one goes. */
import { hubSessionId } from "../../hub/protocol.ts";
import { AppError } from "../../model/errors.ts";
import { formatKey, type SessionKey } from "../../model/values/id.ts";
import { findSessions } from "../../store/sessions.ts";
import type { HubDeletion, SyncApp } from "./contract.ts";
import type { Login } from "./login.ts";
import { clientFor, type SyncAround } from "./pushing.ts";

export type HubAround = SyncAround & { readonly login: Login };

interface Target {
  readonly hubSession: string;
  readonly title: string;
  /** Of a session of this machine. */
  readonly key?: SessionKey;
}

export async function deleteFromHub(
  around: HubAround,
  { sessions, dryRun = false }: Parameters<SyncApp["delete"]>[0],
): Promise<readonly HubDeletion[]> {
  const { records, login } = around;
  const targets: Target[] = [];
  for (const name of new Set(sessions)) targets.push(await findTarget(around, name));
  const client = clientFor(around, login);
  const deleted: HubDeletion[] = [];
  for (const { hubSession, title, key } of targets) {
    const { rawFiles, rawEvents, rows } = dryRun
      ? { rawFiles: 0, rawEvents: 0, rows: 0 }
      : await client.delete(hubSession, { isForGood: true });
    deleted.push({ hub: login.url, hubSession, title, rawFiles, rawEvents, rows });
    if (!key || dryRun) continue;
    records.forgetPushed(login.key, key);
    // Otherwise the next push would bring it back.
    records.setPrivate(key, "never");
  }
  return deleted;
}

/** One that is here, one whose files are gone here, or the hub's own name for one of any machine. */
export async function findTarget(
  { request, records, login, machine }: HubAround,
  name: string,
): Promise<Target> {
  if (name.includes("@")) return { hubSession: name, title: "" };
  const ofHere = ({ source, id }: SessionKey, title: string): Target => ({
    ...{ hubSession: hubSessionId(source, id, machine.id), title, key: { source, id } },
  });
  const gone = records
    .pushed(login.key)
    .filter((each) => formatKey(each) === name || (name.length >= 8 && each.id.startsWith(name)));
  try {
    const { artifact } = await request.find(name);
    const known = await request.askStoreOrNot(({ db }) => findSessions(db, { sources: [artifact.source] }));
    return ofHere(artifact, known?.find(({ id }) => id === artifact.id)?.title ?? "");
  } catch (error) {
    const [only] = gone;
    if (!(error instanceof AppError) || error.code !== "session-not-found" || !only || gone.length > 1)
      throw error;
    return ofHere(only, "");
  }
}
