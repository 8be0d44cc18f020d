/** Whose model calls a log tells of: a fork brings the receipts of its parent along, and they count there. */
import { asObject, asString } from "../../jsonl.ts";
import { type CopilotRecord, isMain } from "./records.ts";

export interface Receipts {
  /** Whether the record is a receipt of another session's call. */
  isOfAnother(record: CopilotRecord): boolean;
  /** To begin with the next time. */
  state(): boolean;
}

export function createReceipts(session: string, before = false): Receipts {
  let isOfAnother = before;
  return {
    isOfAnother(record) {
      if (record.type !== "session.usage_record") return false;
      const accounting = asObject(asObject(record.data.usage)?.accounting);
      const payer = asString(accounting?.sourceSessionId);
      // Sub-agents have ids of their own, so they go with whoever called them.
      if (isMain(record) && payer !== undefined) isOfAnother = payer !== session;
      return isOfAnother;
    },
    state: () => isOfAnother,
  };
}
