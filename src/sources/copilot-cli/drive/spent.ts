/** The usage of one run, from the records in the log; the program itself prints only totals of the whole session. */
import { addUsage, type ChatUsage } from "../../../model/chat.ts";
import { eachLine } from "../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import { countAs } from "../../driver-records.ts";
import { asObject, decodeLine } from "../../log/jsonl.ts";

const RECEIPT = "session.usage_record";

/** `place`: where the log ended before the run. */
export async function readSpent(fs: SessionFs, log: string, place: number): Promise<ChatUsage> {
  let spent: ChatUsage = {};
  await eachLine(
    fs,
    log,
    (line) => {
      // Most lines are none, and need not be parsed to see that.
      if (!line.bytes.includes(RECEIPT)) return;
      const decoded = decodeLine(line);
      if (decoded.kind !== "record" || decoded.record.type !== RECEIPT) return;
      const { inputTokens, outputTokens, duration } = asObject(asObject(decoded.record.data)?.usage) ?? {};
      spent = addUsage(spent, {
        ...countAs("inputTokens", inputTokens),
        ...countAs("outputTokens", outputTokens),
        ...countAs("apiMs", duration),
      });
    },
    { start: place },
  );
  return spent;
}
