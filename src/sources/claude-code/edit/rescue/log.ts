/**
 * Repairs a damaged log so that Claude Code resumes all of it that can be told: first its lines, then the ids of its rows,
 * then what links them. What is sound keeps its bytes.
 */
import type { Piece } from "../../../../model/plan.ts";
import type { Repair } from "../../../../model/plan-facts.ts";
import { throughPieces, withPiecedFile } from "../../../../platform/fs/pieced-file.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { chainForReader, leafForModel } from "../../tree/chain.ts";
import { type FirstPass, firstPass } from "../../tree/first-pass.ts";
import { NONE } from "../../tree/row-table.ts";
import { endLine } from "../copy/notes.ts";
import { repairCalls } from "./calls.ts";
import { applyChanges, type Changes, createChanges } from "./changes.ts";
import { repairIdentities } from "./identities.ts";
import { type DamagedLog, repairLines, WHOLE_LINES } from "./lines.ts";
import { repairLinks, repairTimes } from "./links.ts";
import { repairReplies, repairStrays } from "./results.ts";

export interface RescuedLog {
  /** Nothing when nothing is wrong. */
  readonly pieces?: readonly Piece[];
  readonly repairs: readonly Repair[];
  /** The log as it is then: through what it is read, and what it says. */
  readonly fs: SessionFs;
  readonly facts: FirstPass;
}

export async function rescueLog(disk: SessionFs, log: DamagedLog): Promise<RescuedLog> {
  const { path } = log;
  const lines = await repairLines(disk, log);
  const repairs: Repair[] = [...lines.repairs];
  let state: Pick<RescuedLog, "pieces" | "fs" | "facts"> = { fs: disk, facts: lines.facts };
  const take = async (pieces: readonly Piece[]): Promise<void> => {
    const whole = state.pieces ? throughPieces(pieces, path, state.pieces) : pieces;
    const fs = withPiecedFile(disk, path, whole);
    const facts = await firstPass(fs, path, () => undefined, {
      maxLine: WHOLE_LINES,
      ...(log.isAgent && { isAgent: true }),
    });
    state = { pieces: whole, fs, facts };
  };
  const change = async (changes: Changes, more?: string): Promise<void> => {
    for (const { line, what } of changes.whats) repairs.push({ path, line: lines.lineOf(line), what });
    if (changes.size > 0 || more !== undefined) await take(await applyChanges(state.fs, path, changes, more));
  };

  if (lines.pieces) await take(lines.pieces);
  await change(await repairIdentities(state.fs, log, state.facts));
  for (const repair of log.isAgent
    ? [repairLinks]
    : [repairLinks, repairTimes, repairReplies, repairStrays, repairCalls]) {
    const changes = createChanges();
    repair(log, state.facts, chainForReader(state.facts), changes);
    await change(changes);
  }
  // The log of a sub-agent is never resumed.
  const end = log.isAgent ? undefined : markFor(log, state.facts);
  if (end !== undefined) {
    repairs.push({ path, what: "the end of the conversation is marked wrongly: a mark was added" });
    await change(createChanges(), end);
  }
  return { ...state, repairs };
}

/** A line that says where the conversation ends, where the program would take it for another place. */
function markFor({ id }: DamagedLog, facts: FirstPass): string | undefined {
  const { rows: table } = facts;
  const { path, refusal } = chainForReader(facts);
  const leaf = path.at(-1);
  if (leaf === undefined || (!refusal && leafForModel(facts) === leaf)) return undefined;
  let last = NONE;
  for (let row = 0; row < table.size; row++) if (table.isLast(row) && !table.isSidechain(row)) last = row;
  return endLine(id, table.names.text(table.name(leaf)), leaf !== last || refusal !== undefined);
}
