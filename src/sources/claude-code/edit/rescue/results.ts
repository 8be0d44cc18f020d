/** Links results of calls again that the program would not find beside the conversation. */
import { uuidOf } from "../../../../model/values/stable-id.ts";
import { asObject } from "../../../log/jsonl.ts";
import type { Chain } from "../../tree/chain.ts";
import type { FirstPass } from "../../tree/first-pass.ts";
import { isPrompt } from "../../tree/roots.ts";
import { NONE } from "../../tree/row-table.ts";
import type { Changes } from "./changes.ts";
import type { DamagedLog } from "./lines.ts";
import { idOf, mayChange } from "./links.ts";

/** Beside the conversation the program looks for results only of replies that have an id. */
export function repairReplies(
  log: DamagedLog,
  { rows: table }: FirstPass,
  { rows, path }: Chain,
  changes: Changes,
): void {
  const onPath = new Set(path);
  const beside = new Set(rows.filter((row) => !onPath.has(row)).flatMap((row) => table.answers(row)));
  for (const row of rows) {
    const isNamed = table.reply(row) !== table.name(row);
    if (isNamed || !table.calls(row).some((call) => beside.has(call)) || !mayChange(table, row)) continue;
    const id = `msg_${uuidOf(`${log.id}:${table.start(row)}:reply`)}`;
    const what = "a reply has no id, without which the results beside it are not found: it got one";
    changes.add(
      table.start(row),
      { line: table.origin(row).line, what },
      { set: ({ message }) => ({ message: JSON.stringify({ ...asObject(message), id }) }) },
    );
  }
}

/**
 * Of parallel calls each result follows its own call, and only one of them leads on. A result that lost its call is
 * therefore out of reach: it comes back between the rows of its turn.
 */
export function repairStrays(
  _log: DamagedLog,
  { rows: table }: FirstPass,
  { rows, path }: Chain,
  changes: Changes,
): void {
  const known = new Set(rows);
  const called = new Set<number>();
  const strays: number[] = [];
  for (let row = 0; row < table.size; row++) {
    for (const call of table.calls(row)) called.add(call);
    const above = table.find(table.parent(row));
    const isLost = table.parent(row) !== NONE && (above === NONE || known.has(above));
    const isOwn = table.isLast(row) && !table.isSidechain(row) && !known.has(row);
    if (isOwn && isLost && table.answers(row).length > 0 && mayChange(table, row)) strays.push(row);
  }
  const ends = new Map<number, number>();
  for (const row of strays.filter((stray) => table.answers(stray).every((call) => !called.has(call)))) {
    const next = path.findIndex((each, at) => each > row && at > 0 && (path[at - 1] ?? NONE) < row);
    const [before, after] = [path[next - 1] ?? NONE, path[next] ?? NONE];
    // Where a prompt follows, it may be a result that was left with its branch.
    if (next < 1 || isPrompt(table, after) || !mayChange(table, after)) continue;
    const set = (above: number) => () => ({ parentUuid: JSON.stringify(idOf(table, above)) });
    const what = "the call that it is a result of is missing: it follows what stands before it";
    changes.add(
      table.start(row),
      { line: table.origin(row).line, what },
      { set: set(ends.get(after) ?? before) },
    );
    changes.add(table.start(after), { line: table.origin(after).line }, { set: set(row) });
    ends.set(after, row);
  }
}
