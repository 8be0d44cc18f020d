/** The context board as JSON. */
import type {
  BoardChange,
  BoardList,
  BoardWrite,
  Consolidated,
  Proposal,
  PrunedItems,
} from "../../app/contract.ts";
import type { BoardEvidence, BoardItem } from "../../model/board/item.ts";

export const toBoardItemJson = (item: BoardItem) => ({
  repository: item.repository,
  branch: item.branch,
  source: item.source,
  name: item.name,
  description: item.description,
  content: item.content,
  readCount: item.readCount,
  useCount: item.useCount,
  createdAt: item.createdAt ?? null,
  updatedAt: item.updatedAt ?? null,
  keptBy: item.keptBy,
  evidence: item.evidence.map(toEvidenceJson),
});

const toEvidenceJson = ({ session: { source, id, title }, turn }: BoardEvidence) => ({
  session: { source, id, title },
  turn: turn ?? null,
});

export const toBoardListJson = ({ items, place, others }: BoardList) => ({
  items: items.map(toBoardItemJson),
  repository: place.repository ?? null,
  branch: place.branch ?? null,
  others,
});

export const toBoardWriteJson = ({ operation, item }: BoardWrite) => ({
  operation: operation ?? null,
  item: toBoardItemJson(item),
});

export const toPrunedItemsJson = ({ operation, removed, readOnly }: PrunedItems) => ({
  operation: operation ?? null,
  removed: removed.map(toBoardItemJson),
  readOnly: readOnly.map(toBoardItemJson),
});

export const toConsolidatedJson = ({ proposals, place, since, operation }: Consolidated) => ({
  operation: operation ?? null,
  proposals: proposals.map(toProposalJson),
  repository: place.repository ?? null,
  since: since.toISOString(),
});

const toProposalJson = ({ facts: _, evidence, ...proposal }: Proposal) => ({
  ...proposal,
  evidence: evidence.map(toEvidenceJson),
});

/** What a change was about, without the texts. */
export const toBoardChangeJson = ({ operation, kind, at, items, undoes, undoneBy }: BoardChange) => ({
  operation,
  kind,
  at,
  undoes: undoes ?? null,
  undoneBy: undoneBy ?? null,
  items: items.flatMap(({ before, after }) => {
    const item = after ?? before;
    return item ? [{ repository: item.repository, branch: item.branch, name: item.name }] : [];
  }),
});
