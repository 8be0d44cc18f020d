/** A session that was deleted here goes from the hub, too, where the settings say so. */
import { hubSessionId } from "../../hub/protocol.ts";
import { createHubClient } from "../../hub/sync/hub-client.ts";
import { PATIENT } from "../../hub/sync/retry.ts";
import type { SessionKey } from "../../model/values/id.ts";
import { openSyncRecords } from "../../store/state/sync.ts";
import type { AppConfig } from "../config.ts";
import { findLogin } from "./login.ts";
import { unlessGone } from "./pushing.ts";

/** Noted first: what the hub cannot be told now, the next sync tells it. */
export async function deleteFromHubs(
  dataFolder: string,
  config: AppConfig,
  sessions: readonly SessionKey[],
): Promise<void> {
  const records = openSyncRecords(dataFolder, config.now);
  try {
    const known = sessions.filter((session) => records.noteUnwanted(session) > 0);
    const login = known.length === 0 ? undefined : findLogin(dataFolder, config);
    if (!login) return;
    const client = createHubClient({ ...login, patience: { ...PATIENT, attempts: 1 } });
    const machine = records.machine(config.machineName);
    for (const { source, id } of known) {
      await client.delete(hubSessionId(source, id, machine.id)).catch(unlessGone);
      records.forgetPushed(login.key, { source, id });
    }
  } finally {
    records.close();
  }
}
