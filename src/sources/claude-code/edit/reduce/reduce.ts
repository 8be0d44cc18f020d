/** Decides what stays of a transcript in a smaller copy, and how the rows that stay change. */

import { toNote } from "../../../../model/reduce/cut-text.ts";
import { type Cuts, isDropped, toCuts, toLedger } from "../../../../model/reduce/cuts.ts";
import { fitBudget } from "../../../../model/reduce/ladder.ts";
import type { Ledger, Reduction } from "../../../../model/reduce/reduction.ts";
import { memberOf, setMember } from "../../../../model/values/member.ts";
import type { Line } from "../../../../platform/fs/lines.ts";
import { changeMemberText, memberText } from "../../../../platform/json/members.ts";
import { asObject, decodeLine } from "../../../log/jsonl.ts";
import type { MemberTexts } from "../../../log/pieces.ts";
import type { RowPassage } from "./passages.ts";
import { briefWith, changeRow, mayChange, type Numbered } from "./row-change.ts";

export interface Reduced {
  keeps(row: number): boolean;
  change(row: number, line: Line): MemberTexts;
  /** The turns that go. */
  readonly dropped: ReadonlySet<number>;
  /** Once the rows are written. */
  ledger(): Ledger;
}

export function reduce(
  passages: readonly RowPassage[],
  turns: number,
  reduction: Reduction,
  key: string,
  { isSummarized = false }: { readonly isSummarized?: boolean } = {},
): Reduced {
  const cuts = toCuts(passages, turns, reduction, key);
  if (reduction.budget !== undefined) {
    if (isSummarized) for (const turn of unheard(passages, turns)) cuts.turns.add(turn);
    fitBudget(passages, cuts, { turns, budget: reduction.budget });
  }
  // The new summary has taken up the earlier ones.
  const isReplaced = isSummarized && cuts.turns.size > 0;
  forgetThoughts(passages, cuts);
  const rows = byRow(passages);
  const note = toNote(key);
  const cutCalls = new Set<string>();
  return {
    keeps(row) {
      const numbered = rows.get(row) ?? [];
      return keepsRow(numbered, cuts) && !(isReplaced && numbered.some(([, { kind }]) => kind === "summary"));
    },
    change(row, line) {
      const numbered = rows.get(row) ?? [];
      if (!mayChange(numbered, cuts)) return {};
      const decoded = decodeLine(line, true);
      if (decoded.kind !== "record") return {};
      const brief = briefWith(numbered[0]?.[1].turn ?? -1, note, (call) => cutCalls.add(call));
      const { content, members } = changeRow(decoded.record, numbered, cuts, brief);
      const changed: Record<string, string> = {};
      for (const [name, value] of Object.entries(members))
        if (value !== memberOf(decoded.record, name)) setMember(changed, name, JSON.stringify(value));
      const json = JSON.stringify(content);
      // A row of which nothing is cut keeps its bytes, numbers that JavaScript cannot represent included.
      if (content === undefined || json === JSON.stringify(asObject(decoded.record.message)?.content))
        return changed;
      const message = memberText(line.bytes.toString("utf8"), ["message"]) ?? "{}";
      return {
        ...changed,
        message: changeMemberText(message, ["content"], json) ?? message,
      };
    },
    dropped: cuts.turns,
    ledger: () => toLedger(passages, turns, cuts, cutCalls),
  };
}

/**
 * Turns that only an earlier summary still tells the model of; without that one they would be heard again. The last turn
 * stays in any case.
 */
function unheard(passages: readonly RowPassage[], turns: number): number[] {
  const all = Map.groupBy(passages, ({ turn }) => turn);
  const isGone = (some: readonly RowPassage[]): boolean =>
    some.every(({ unseen, kind }) => unseen || kind === "summary");
  return [...all].flatMap(([turn, some]) => (turn >= 0 && turn < turns - 1 && isGone(some) ? [turn] : []));
}

export const byRow = (passages: readonly RowPassage[]): ReadonlyMap<number, readonly Numbered[]> =>
  Map.groupBy([...passages.entries()], ([, { row }]) => row);

export const keepsRow = (passages: readonly Numbered[], cuts: Cuts): boolean =>
  passages.some(([number, passage]) => !isDropped(passage, number, cuts));

/**
 * The thoughts of a reply go with any of its calls, because they are signed for the reply as it was; and with the last
 * of its words, because thoughts alone are no reply.
 */
export function forgetThoughts(passages: readonly RowPassage[], cuts: Cuts): void {
  const replies = Map.groupBy(
    [...passages.entries()].filter(([, { reply }]) => reply !== undefined),
    ([, { reply }]) => reply,
  );
  for (const parts of replies.values()) {
    const losesCall = parts.some(([, { makes = [] }]) => makes.some(({ id }) => cuts.calls.has(id)));
    const words = parts.filter(([, { kind }]) => kind === "answer");
    const losesWords = words.length > 0 && words.every(([number, each]) => isDropped(each, number, cuts));
    if (!losesCall && !losesWords) continue;
    for (const [number, { thinks }] of parts) if (thinks !== undefined) cuts.thoughts.add(number);
  }
}
