/** Facts about a row that depend on its neighbours on the chain. */
import type { Attachment } from "../../../model/session/session.ts";
import type { RowTable } from "./row-table.ts";

export interface Neighbours {
  /** What was sent along with a prompt is recorded in the rows after it. */
  readonly attachments: readonly Attachment[];
  /** The tokens of a reply are counted once, with its last row. */
  readonly endsReply: boolean;
}

export const ENDS_REPLY: Neighbours = { attachments: [], endsReply: true };
const NOTHING_AROUND: Neighbours = { attachments: [], endsReply: false };

export function neighboursOf(table: RowTable, chain: readonly number[], at: number): Neighbours {
  const kind = table.kind(chain[at] as number);
  if (kind === "user") return sentAlong(table, chain, at);
  return kind === "assistant" && endsReply(table, chain, at) ? ENDS_REPLY : NOTHING_AROUND;
}

/** Whether the next answer on the chain is another reply. */
function endsReply(table: RowTable, chain: readonly number[], at: number): boolean {
  const own = table.reply(chain[at] as number);
  for (let next = at + 1; next < chain.length; next++) {
    const row = chain[next] as number;
    if (table.kind(row) === "assistant") return table.reply(row) !== own;
  }
  return true;
}

function sentAlong(table: RowTable, chain: readonly number[], at: number): Neighbours {
  let attachments: Attachment[] | undefined;
  for (let next = at + 1; next < chain.length; next++) {
    const row = chain[next] as number;
    if (table.kind(row) !== "attachment") break;
    const attached = table.details.get(row)?.attached;
    if (attached) attachments = [...(attachments ?? []), attached];
  }
  return attachments ? { attachments, endsReply: false } : NOTHING_AROUND;
}
