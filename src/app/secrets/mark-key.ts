/** The key from which marks of secrets are made: one for each machine, kept in state.db. */
import { openSyncRecords } from "../../store/state/sync.ts";
import type { AppConfig } from "../config.ts";

/** By which marks are made: the same for everything that leaves, and for what is scrubbed. */
export function markKey(dataFolder: string, { now, machineName }: Pick<AppConfig, "now" | "machineName">) {
  const records = openSyncRecords(dataFolder, now);
  try {
    return records.machine(machineName).key;
  } finally {
    records.close();
  }
}
