/** Proposes items from what recent sessions say, and writes those that were chosen. */
import type { BoardItem } from "../../model/board/item.ts";
import { AppError } from "../../model/errors.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { readBoardWork, recentRepositories } from "../../store/board-work.ts";
import { type BoardRow, changeBoard, readBoardFacts } from "../../store/state/board.ts";
import { isSameKey, refuseFull, spellingIn, toItem } from "./board.ts";
import { type Proposal, propose } from "./proposals.ts";

export interface ConsolidateRequest {
  /** All that sessions are about, unless one is named. */
  readonly repository?: string;
  /** Only what sessions of this branch say. */
  readonly branch?: string;
  readonly since: Date;
}

export interface ConsolidateParts {
  readonly folder: string;
  readonly now: () => Date;
  /** All that is on the boards, whoever keeps it. */
  items(): readonly BoardItem[];
}

/** Reads the store alone; the same sessions and boards give the same proposals. */
export function findProposals(
  db: Database,
  { repository, branch, since }: ConsolidateRequest,
  { folder, now, items }: ConsolidateParts,
): Proposal[] {
  const from = since.toISOString();
  const known = items();
  const repositories = repository === undefined ? recentRepositories(db, from) : [repository];
  return repositories.flatMap((each) =>
    propose(
      each,
      readBoardWork(db, { repository: each, since: from, ...(branch !== undefined && { branch }) }),
      { items: known, facts: readBoardFacts(folder, now, each) },
    ),
  );
}

/** Those of the ids, or all. One that is no longer proposed as it was shown is refused. */
export function chooseProposals(proposals: readonly Proposal[], ids?: readonly string[]): Proposal[] {
  if (!ids) return [...proposals];
  return [...new Set(ids)].map((id) => {
    const found = proposals.find((each) => each.id === id);
    if (found) return found;
    throw new AppError("changed-since", `The proposal ${id} is not made any more`, {
      say: "See what is proposed now",
      remedy: { action: "board", args: { action: "consolidate" } },
    });
  });
}

/** All of them in one change; nothing where there are none. */
export function applyProposals(
  { folder, now }: Pick<ConsolidateParts, "folder" | "now">,
  chosen: readonly Proposal[],
): { readonly operation: string; readonly items: readonly BoardItem[] } | undefined {
  if (chosen.length === 0) return undefined;
  const change = changeBoard(folder, now, ({ rows }) => {
    const at = now().toISOString();
    const there = rows.filter(({ removedAt }) => removedAt === undefined);
    for (const [repository, added] of Map.groupBy(
      chosen.filter((proposal) => !there.some((row) => isSameKey(row, proposal))),
      (proposal) => spellingIn(rows, proposal.repository),
    ))
      refuseFull(rows, repository, added.length);
    return { kind: "consolidate", put: chosen.map((proposal) => toRow(proposal, rows, at)) };
  });
  if (!change) return undefined;
  return {
    operation: change.operation,
    items: change.items.flatMap(({ after }) => (after ? [toItem(after)] : [])),
  };
}

function toRow(proposal: Proposal, rows: readonly BoardRow[], at: string): BoardRow {
  const { name, branch, description, content } = proposal;
  const before = rows.find((row) => isSameKey(row, proposal));
  // Another process may have written to it since it was proposed.
  const base = before && before.removedAt === undefined ? before : undefined;
  if (base && !content.startsWith(base.content))
    throw new AppError("changed-since", `${name} was changed while it was added to`, {
      say: "See what is proposed now",
      remedy: { action: "board", args: { action: "consolidate" } },
    });
  return {
    repository: spellingIn(rows, proposal.repository),
    branch,
    name,
    description,
    content,
    source: "sessions",
    readCount: base?.readCount ?? 0,
    useCount: base?.useCount ?? 0,
    createdAt: base?.createdAt ?? at,
    updatedAt: at,
    evidence: [...(base?.evidence ?? []), ...proposal.evidence].slice(-24),
    facts: [...new Set([...(before?.facts ?? []), ...proposal.facts])],
  };
}
