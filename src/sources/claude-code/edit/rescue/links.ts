/** Links rows again that no longer lead to the ones before them, and gives times to messages that have none. */
import { uuidOf } from "../../../../model/values/stable-id.ts";
import { LONGEST_LINE } from "../../../../platform/fs/lines.ts";
import { asObject } from "../../../log/jsonl.ts";
import type { Break, Chain } from "../../tree/chain.ts";
import { keptOf } from "../../tree/faults.ts";
import type { FirstPass } from "../../tree/first-pass.ts";
import { NONE, type RowTable } from "../../tree/row-table.ts";
import { keepPreserved } from "../preserved.ts";
import type { Changes } from "./changes.ts";
import type { DamagedLog } from "./lines.ts";
import { validTime } from "./row.ts";

/** What is longer cannot be held, so it cannot be changed. */
export const mayChange = (table: RowTable, row: number): boolean =>
  table.end(row) - table.start(row) <= LONGEST_LINE;

export function repairLinks(
  log: DamagedLog,
  { rows: table }: FirstPass,
  chain: Chain,
  changes: Changes,
): void {
  for (const each of chain.breaks) if (mayChange(table, each.row)) repairBreak(log, table, each, changes);
  for (const row of chain.rows) if (mayChange(table, row)) repairPreserved(table, row, changes);
  // Behind one at the end nothing is linked.
  const end = chain.path.at(-1) ?? NONE;
  if (end !== NONE && hasLostSummary(table, end)) undoBoundary(table, end, changes);
}

function repairBreak(log: DamagedLog, table: RowTable, each: Break, changes: Changes): void {
  const { row, bridge } = each;
  const { line } = table.origin(row);
  const details = table.details.get(row);
  const what = `${WRONG[each.why]}: ${bridge === undefined ? "it is the first now" : "linked to the one before it in the file"}`;
  const above = JSON.stringify(bridge === undefined ? null : idOf(table, bridge));
  // For the model nothing comes before a boundary; what people see before it is named apart.
  if (details?.boundary && table.parent(row) === NONE)
    changes.add(table.start(row), { line, what }, { set: () => ({ logicalParentUuid: above }) });
  else if (details?.isSummary && bridge !== undefined && !table.details.get(bridge)?.boundary)
    addBoundary(log, table, row, bridge, changes);
  else {
    changes.add(table.start(row), { line, what }, { set: () => ({ parentUuid: above }) });
    if (bridge !== undefined && hasLostSummary(table, bridge)) undoBoundary(table, bridge, changes);
  }
}

const WRONG: Readonly<Record<Break["why"], string>> = {
  missing: "the row before it is missing",
  circle: "it follows a row that follows it",
  root: "it says that nothing comes before it",
};

export const idOf = (table: RowTable, row: number): string => table.names.text(table.name(row));

const rowNamed = (table: RowTable, id: string | undefined): number =>
  id !== undefined && table.names.has(id) ? table.find(table.names.of(id)) : NONE;

/** Without it the model would receive all that the summary is about once more. */
function addBoundary(
  log: DamagedLog,
  table: RowTable,
  summary: number,
  before: number,
  changes: Changes,
): void {
  const named = table.parent(summary);
  const uuid =
    named === NONE ? uuidOf(`${log.id}:${table.start(summary)}:boundary`) : table.names.text(named);
  const { line } = table.origin(summary);
  const time = table.time(summary);
  const boundary = {
    ...{ parentUuid: null, logicalParentUuid: idOf(table, before), isSidechain: false },
    ...{ type: "system", subtype: "compact_boundary", content: "Conversation compacted", isMeta: false },
    ...(time !== undefined && { timestamp: new Date(time).toISOString() }),
    ...{ uuid, level: "info", compactMetadata: { trigger: "manual", preTokens: 0 }, sessionId: log.id },
  };
  const what =
    "the boundary of a compaction is missing: one was added; which messages it had kept beside the summary is not known";
  changes.add(
    table.start(summary),
    { line, what },
    {
      before: `${JSON.stringify(boundary)}\n`,
      ...(named === NONE && { set: () => ({ parentUuid: JSON.stringify(uuid) }) }),
    },
  );
}

const hasLostSummary = (table: RowTable, row: number): boolean => {
  const { boundary, logicalParent } = table.details.get(row) ?? {};
  if (boundary?.anchor === undefined || rowNamed(table, boundary.anchor) !== NONE) return false;
  return rowNamed(table, logicalParent) !== NONE && mayChange(table, row);
};

/** The summary is lost, but what it was about is still there, so the model receives that again. */
function undoBoundary(table: RowTable, row: number, changes: Changes): void {
  const { logicalParent } = table.details.get(row) ?? {};
  const what = "the summary of a compaction is missing: the model receives again what it was about";
  changes.add(
    table.start(row),
    { line: table.origin(row).line, what },
    {
      set: (record) => ({
        parentUuid: JSON.stringify(logicalParent),
        subtype: '"rescued_boundary"',
        compactMetadata: null,
        rescued: JSON.stringify({ subtype: record.subtype, compactMetadata: record.compactMetadata }),
      }),
    },
  );
}

/** One row that is missing in the list costs all of those that a compaction preserved. */
function repairPreserved(table: RowTable, row: number, changes: Changes): void {
  const { boundary } = table.details.get(row) ?? {};
  if (!boundary || hasLostSummary(table, row)) return;
  const kept = keptOf(table, boundary.preserved);
  const gone = boundary.preserved.length - kept.length;
  if (gone === 0) return;
  const what = `${gone} of ${boundary.preserved.length} messages that a compaction kept are missing: taken off its list`;
  changes.add(
    table.start(row),
    { line: table.origin(row).line, what },
    {
      set: ({ compactMetadata }) => ({
        compactMetadata: JSON.stringify(keepPreserved(asObject(compactMetadata) ?? {}, kept)),
      }),
    },
  );
}

/** Once such a message is the last one, the program finds no conversation. */
export function repairTimes(
  log: DamagedLog,
  { rows: table, firstTime }: FirstPass,
  chain: Chain,
  changes: Changes,
): void {
  let time = firstTime ?? log.mtimeMs;
  for (const row of chain.rows) {
    const own = table.time(row);
    const isMessage = table.kind(row) === "user" || table.kind(row) === "assistant";
    if (own === undefined && isMessage && mayChange(table, row)) {
      const before = time;
      changes.add(
        table.start(row),
        { line: table.origin(row).line, what: "a message has no valid time: it got one" },
        {
          set: ({ timestamp }) => ({
            timestamp: JSON.stringify(validTime(timestamp) ?? new Date(before).toISOString()),
          }),
        },
      );
    }
    time = own ?? time;
  }
}
