/** What one run cost, from the totals that the program notes in the transcript whenever it ends. */
import type { ChatUsage } from "../../../model/chat.ts";
import { eachLine } from "../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import { asNumber, decodeLine } from "../../log/jsonl.ts";

const TOTALS = "cost-state";

interface Totals {
  readonly costUsd?: number;
  readonly apiMs?: number;
}

/** `place`: where the transcript ended before the run. */
export async function readSpent(fs: SessionFs, transcript: string, place: number): Promise<ChatUsage> {
  let before: Totals = {};
  let after: Totals | undefined;
  await eachLine(fs, transcript, (line) => {
    // Most lines are none, and need not be parsed to see that.
    if (!line.bytes.includes(TOTALS)) return;
    const decoded = decodeLine(line);
    if (decoded.kind !== "record" || decoded.record.type !== TOTALS) return;
    const costUsd = asNumber(decoded.record.totalCostUSD);
    const apiMs = asNumber(decoded.record.totalAPIDuration);
    const totals = { ...(costUsd !== undefined && { costUsd }), ...(apiMs !== undefined && { apiMs }) };
    if (line.start < place) before = totals;
    else after = totals;
  });
  if (!after) return {};
  const { costUsd, apiMs } = after;
  // Sums of fractions: a millionth of a cent is noise.
  const cost = Math.round(((costUsd ?? 0) - (before.costUsd ?? 0)) * 1e8) / 1e8;
  return {
    ...(costUsd !== undefined && { costUsd: Math.max(0, cost) }),
    ...(apiMs !== undefined && { apiMs: Math.max(0, apiMs - (before.apiMs ?? 0)) }),
  };
}
