/** Repairs calls and results that the program would leave out: ids that are used twice, and results without calls. */
import { memberOf } from "../../../../model/values/member.ts";
import { uuidOf } from "../../../../model/values/stable-id.ts";
import { asArray, asObject, isObject, type JsonObject } from "../../../log/jsonl.ts";
import type { MemberTexts } from "../../../log/pieces.ts";
import type { Chain } from "../../tree/chain.ts";
import type { FirstPass } from "../../tree/first-pass.ts";
import { isPrompt } from "../../tree/roots.ts";
import { NONE, type RowTable } from "../../tree/row-table.ts";
import type { Changes } from "./changes.ts";
import type { DamagedLog } from "./lines.ts";
import { mayChange } from "./links.ts";

export function repairCalls(
  log: DamagedLog,
  { rows: table }: FirstPass,
  { rows }: Chain,
  changes: Changes,
): void {
  const called = new Set(rows.flatMap((row) => table.calls(row)));
  renameTwins(table, rows, changes);
  /** The reply that the turn has come to. */
  let reply: number | undefined;
  for (const row of rows) {
    if (table.kind(row) === "assistant")
      reply = table.reply(row) === table.name(row) ? undefined : table.reply(row);
    if (isPrompt(table, row)) reply = undefined;
    const orphans = table.answers(row).filter((call) => !called.has(call));
    if (orphans.length > 0 && mayChange(table, row)) addCalls(log, table, row, orphans, reply, changes);
  }
}

/** Without a call the program leaves out its result. What was called is not known. */
function addCalls(
  log: DamagedLog,
  table: RowTable,
  row: number,
  orphans: readonly number[],
  reply: number | undefined,
  changes: Changes,
): void {
  const textOf = (name: number): string => table.names.text(name);
  const uuid = uuidOf(`${log.id}:${table.start(row)}:calls`);
  const content = orphans.map((call) => ({ type: "tool_use", id: textOf(call), name: LOST_CALL, input: {} }));
  const time = table.time(row);
  const parent = table.parent(row);
  const calls = {
    ...{ parentUuid: parent === NONE ? null : textOf(parent), isSidechain: table.isSidechain(row) },
    // Of parallel calls all are in one reply, before the first result.
    ...{
      type: "assistant",
      message: { role: "assistant", ...(reply !== undefined && { id: textOf(reply) }), content },
    },
    ...{ uuid, ...(time !== undefined && { timestamp: new Date(time).toISOString() }), sessionId: log.id },
  };
  const what = `the call of a tool result is missing: one that says nothing was added (${LOST_CALL})`;
  changes.add(
    table.start(row),
    { line: table.origin(row).line, what },
    { before: `${JSON.stringify(calls)}\n`, set: () => ({ parentUuid: JSON.stringify(uuid) }) },
  );
}

const LOST_CALL = "lost_call";

/** Of calls with one id the program tells only the first, and its result. */
function renameTwins(table: RowTable, rows: readonly number[], changes: Changes): void {
  const makers = new Map<number, number[]>();
  for (const row of rows)
    for (const call of table.calls(row)) makers.set(call, [...(makers.get(call) ?? []), row]);
  for (const [call, made] of makers) {
    if (made.length < 2 || !made.every((row) => mayChange(table, row))) continue;
    const id = table.names.text(call);
    const what = "the id of a tool call was used before: it got another one";
    for (const [index, row] of made.entries()) {
      const about = { line: table.origin(row).line, what };
      if (index > 0) changes.add(table.start(row), about, { set: withId("tool_use", "id", id, index + 1) });
    }
    for (let row = 0; row < table.size; row++) {
      if (!table.answers(row).includes(call) || !mayChange(table, row)) continue;
      const index = made.indexOf(makerOf(table, row, call));
      const about = { line: table.origin(row).line };
      if (index > 0)
        changes.add(table.start(row), about, { set: withId("tool_result", "tool_use_id", id, index + 1) });
    }
  }
}

/** The nearest row before a result that made the call. */
function makerOf(table: RowTable, result: number, call: number): number {
  const seen = new Set<number>();
  let at = result;
  while (at !== NONE && !seen.has(at) && !table.calls(at).includes(call)) {
    seen.add(at);
    at = table.find(table.parent(at));
  }
  return at;
}

const withId =
  (type: string, key: string, id: string, times: number) =>
  (record: JsonObject): MemberTexts =>
    withBlocks(record, (block) =>
      block.type === type && memberOf(block, key) === id ? { ...block, [key]: `${id}-${times}` } : block,
    );

function withBlocks(record: JsonObject, change: (block: JsonObject) => JsonObject): MemberTexts {
  const message = asObject(record.message) ?? {};
  const content = asArray(message.content).map((block) => (isObject(block) ? change(block) : block));
  return { message: JSON.stringify({ ...message, content }) };
}
