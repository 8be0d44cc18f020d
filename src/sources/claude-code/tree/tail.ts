/**
 * Continues reading a transcript that only grew. Its rows form a tree, and any row may have any parent, so this works
 * only when the new rows hang on the end of the old ones; otherwise the transcript is read from the start.
 */
import type { Artifact } from "../../../model/session/session.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import { isUntouched } from "../../log/tail-hash.ts";
import type { Bookmark } from "../../source.ts";
import { decodeSkimming } from "../skim.ts";
import type { TallyState } from "../tally.ts";
import { type Chain, chainForReader } from "./chain.ts";
import { type Facts, type FirstPass, type FirstPassOptions, firstPass } from "./first-pass.ts";
import { NONE, type RowTable } from "./row-table.ts";
import type { Row } from "./rows.ts";

/** What is known where a reading stops, as plain JSON. */
export interface TailState {
  readonly facts: Facts;
  readonly tally: TallyState;
  /** The last row of the conversation, and the reply that the last answer in it belongs to. */
  readonly leaf: string;
  readonly reply?: string;
  readonly problems: number;
}

/** Nothing for a transcript whose conversation does not simply end with its last row. */
export function endOf(
  { rows: table }: FirstPass,
  { rows, breaks, refusal }: Chain,
): Pick<TailState, "leaf" | "reply"> | undefined {
  let last = NONE;
  for (let row = 0; row < table.size; row++) {
    if (table.isSidechain(row)) return undefined;
    if (table.isLast(row) && table.kind(row) !== "progress") last = row;
  }
  if (last === NONE || rows.at(-1) !== last || breaks.length > 0 || refusal) return undefined;
  const answer = rows.findLast((row) => table.kind(row) === "assistant");
  return {
    leaf: table.names.text(table.name(last)),
    ...(answer !== undefined && { reply: table.names.text(table.reply(answer)) }),
  };
}

/** For a survey of what follows a bookmark. */
export function startingAt(bookmark: Bookmark): NonNullable<FirstPassOptions["from"]> {
  const { facts, leaf } = bookmark.state as TailState;
  return { offset: bookmark.offset, lines: bookmark.lines, row: asRoot(leaf), facts };
}

/** Stands for everything before the bookmark: nothing comes before it, and it says nothing. */
const asRoot = (uuid: string): Row => ({
  uuid,
  parent: undefined,
  isRoot: true,
  kind: "system",
  sidechain: false,
  isMute: true,
  isMeta: false,
  time: undefined,
  line: 0,
  start: 0,
  end: 0,
  messageId: undefined,
  calls: [],
  answers: [],
  details: undefined,
});
const ROOT = 0;

export async function canContinue(fs: SessionFs, artifact: Artifact, bookmark: Bookmark): Promise<boolean> {
  if (!(await isUntouched(fs, artifact, bookmark))) return false;
  const added = await firstPass(fs, artifact.path, () => undefined, {
    from: startingAt(bookmark),
    decode: decodeSkimming(0),
  });
  return (
    hangsOnTheEnd(added, bookmark.state as TailState) && endOf(added, chainForReader(added)) !== undefined
  );
}

function hangsOnTheEnd({ rows: table, mark }: FirstPass, { facts, tally, reply }: TailState): boolean {
  const isMarkFar = mark !== undefined && mark.leaf !== facts.mark?.leaf && !isThere(table, mark.leaf);
  const first = firstOf(table, (kind) => kind !== "progress");
  const answer = firstOf(table, (kind) => kind === "assistant");
  // Attachments of a prompt, and the rest of a reply, would change events that were already emitted.
  const goesOn =
    (first !== undefined && table.kind(first) === "attachment") ||
    (answer !== undefined && reply !== undefined && table.names.text(table.reply(answer)) === reply);
  if (isMarkFar || goesOn || !table.isLast(ROOT)) return false;
  const calls = new Set(tally.waiting.map(({ call }) => call));
  for (let row = ROOT + 1; row < table.size; row++) {
    const details = table.details.get(row);
    if (table.isRoot(row) || details?.boundary || details?.agentId !== undefined) return false;
    if (table.find(table.parent(row)) === NONE) return false;
    for (const call of table.calls(row)) calls.add(table.names.text(call));
    for (const call of table.answers(row)) if (!calls.has(table.names.text(call))) return false;
  }
  return true;
}

const isThere = (table: RowTable, uuid: string): boolean =>
  table.names.has(uuid) && table.find(table.names.of(uuid)) !== NONE;

function firstOf(table: RowTable, is: (kind: string) => boolean): number | undefined {
  for (let row = ROOT + 1; row < table.size; row++) if (is(table.kind(row))) return row;
  return undefined;
}
