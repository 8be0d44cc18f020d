/** Counts each reply of the model once: those on the live chain, and those beside it, which were paid for as well. */
import type { Event, UsageEvent } from "../../model/session/session.ts";
import { toEvents } from "./events.ts";
import { ENDS_REPLY } from "./tree/neighbours.ts";
import type { RowReader } from "./tree/row-reader.ts";
import type { RowTable } from "./tree/row-table.ts";

/** The replies of one log. */
export interface ReplyUsage {
  /** The usage of a reply on the chain as its fullest row has it; nothing where the reply was counted before. Seldom to wait for. */
  counted(usage: UsageEvent, row: number): UsageEvent | undefined | Promise<UsageEvent>;
  hasBefore(row: number): boolean;
  /** Usage of replies beside the chain that were written before this row and not given yet. */
  before(row: number): Promise<readonly UsageEvent[]>;
}

/** `known` has what was counted so far of this session, in whichever of its logs. */
export function createReplyUsage(
  table: RowTable,
  chain: readonly number[],
  reader: RowReader,
  known: Set<number | string>,
): ReplyUsage {
  const onChain = new Set<number>();
  for (const row of chain) if (table.kind(row) === "assistant") onChain.add(table.reply(row));
  /** By reply. While an answer streams, each of its rows has more of the output, so the last has all of it. */
  const last = new Map<number, number>();
  for (let row = 0; row < table.size; row++)
    if (table.kind(row) === "assistant" && table.isLast(row)) last.set(table.reply(row), row);
  const aside = [...last].flatMap(([reply, row]) => (onChain.has(reply) ? [] : [row])).sort((a, b) => a - b);
  let given = 0;

  const isNew = (usage: UsageEvent, row: number): boolean => {
    const key = usage.call ?? table.names.text(table.reply(row));
    if (known.has(key)) return false;
    known.add(key);
    return true;
  };
  const usageOf = async (row: number): Promise<UsageEvent | undefined> => {
    const loaded = reader.find(table, row) ?? (await reader.load(table, row));
    return loaded && toEvents(loaded, ENDS_REPLY).find(isUsage);
  };
  return {
    counted(usage, row) {
      if (!isNew(usage, row)) return undefined;
      const end = last.get(table.reply(row));
      if (end === undefined || end === row) return usage;
      return usageOf(end).then((other) => (other && totalOf(other) > totalOf(usage) ? other : usage));
    },
    hasBefore: (row) => given < aside.length && (aside[given] as number) < row,
    async before(row) {
      const found: UsageEvent[] = [];
      while (given < aside.length && (aside[given] as number) < row) {
        const at = aside[given++] as number;
        const usage = await usageOf(at);
        if (usage && isNew(usage, at)) found.push(usage);
      }
      return found;
    },
  };
}

const isUsage = (event: Event): event is UsageEvent => event.kind === "usage";

const totalOf = ({ input = 0, output = 0, cached = 0, cacheWritten = 0 }: UsageEvent): number =>
  input + output + cached + cacheWritten;
