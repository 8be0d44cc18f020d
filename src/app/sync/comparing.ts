/**
 * Asks the hub whether it still has what it acknowledged. One that was restored from an older backup, or made anew, has less
 * than our records say, and gets it again; what was deleted there for good, from whichever machine, stays here.
 */
import type { SessionState, SessionStates } from "../../hub/protocol.ts";
import type { HubClient } from "../../hub/sync/hub-client.ts";
import { formatKey, type SessionKey } from "../../model/values/id.ts";
import type { PushedRecord } from "../../store/state/sync.ts";
import type { Login } from "./login.ts";
import type { Sorted } from "./outgoing.ts";
import type { SyncAround } from "./pushing.ts";

/** Of so many sessions in one request. */
const AT_ONCE = 1000;

export interface Compared extends Sorted {
  /** How many were deleted on the hub, and are not sent any more. */
  readonly takenBack: number;
}

/** `trustsRecords`: what is unchanged is not asked about. What is to be sent may have been deleted at any time. */
export async function compareWithHub(
  { records, machine, login }: SyncAround & { readonly login: Login },
  client: Pick<HubClient, "state">,
  { trustsRecords, ...sorted }: Sorted & { readonly trustsRecords: boolean },
): Promise<Compared> {
  const known = new Set(records.pushed(login.key).map(formatKey));
  const doubted = trustsRecords ? [] : sorted.acknowledged;
  const asked = [...doubted, ...sorted.toSend, ...sorted.vanished].filter((session) =>
    known.has(formatKey(session)),
  );
  const { sessions, deleted } = await statesOf(client, machine.id, asked);
  const states = new Map(sessions.map((state) => [formatKey(state), state]));
  const gone = new Set(deleted.map(formatKey));
  for (const session of deleted) {
    records.forgetPushed(login.key, session);
    records.setPrivate(session, "never");
  }
  const stays = (session: SessionKey): boolean => !gone.has(formatKey(session));
  const lost = doubted.filter(
    (session) => stays(session) && !isAsNoted(states.get(formatKey(session)), session.record),
  );
  const acknowledged = sorted.acknowledged.filter((session) => stays(session) && !lost.includes(session));
  return {
    toSend: [...sorted.toSend.filter(stays), ...lost],
    unchanged: sorted.unchanged - (sorted.acknowledged.length - acknowledged.length),
    acknowledged,
    heldBack: sorted.heldBack + gone.size,
    // Of one that the hub does not have, there is nothing to tell.
    vanished: sorted.vanished.filter((session) => states.has(formatKey(session))),
    takenBack: gone.size,
  };
}

async function statesOf(
  client: Pick<HubClient, "state">,
  machine: string,
  asked: readonly SessionKey[],
): Promise<SessionStates> {
  const answers: SessionStates[] = [];
  for (let at = 0; at < asked.length; at += AT_ONCE)
    answers.push(
      await client.state(
        machine,
        asked.slice(at, at + AT_ONCE).map(({ source, id }) => ({ source, id })),
      ),
    );
  return {
    sessions: answers.flatMap(({ sessions }) => sessions),
    deleted: answers.flatMap(({ deleted }) => deleted),
  };
}

/** The same files, to the byte. */
function isAsNoted(state: SessionState | undefined, { files, sealed }: PushedRecord): boolean {
  if (!state || state.isSealed !== (sealed !== undefined)) return false;
  const there = new Map(state.files.filter(({ removed }) => !removed).map((file) => [file.path, file]));
  return (
    there.size === files.length &&
    files.every(({ path, size, sha256 }) => {
      const file = there.get(path);
      return file?.size === size && file.sha256 === sha256;
    })
  );
}
