/** Which usage records belong to a session: a fork copies those of its parent, and they count there. */
import { asObject, asString } from "../../log/jsonl.ts";
import { type CopilotRecord, isMain } from "./records.ts";

export const RECEIPT = "session.usage_record";

export interface UsageOwnership {
  /** Whether the record is about a model call of another session. */
  isOfAnother(record: CopilotRecord): boolean;
  /** To begin with the next time. */
  state(): boolean;
}

export function createUsageOwnership(session: string, before = false): UsageOwnership {
  let isOfAnother = before;
  return {
    isOfAnother(record) {
      if (record.type !== RECEIPT) return false;
      const accounting = asObject(asObject(record.data.usage)?.accounting);
      const payer = asString(accounting?.sourceSessionId);
      // Sub-agents have ids of their own, so they are attributed to their caller.
      if (isMain(record) && payer !== undefined) isOfAnother = payer !== session;
      return isOfAnother;
    },
    state: () => isOfAnother,
  };
}
