/** Prints the result of a check of all backups and archived copies, grouped by what is affected. */
import type { Audit, BadBlock, Need } from "../../../app/contract.ts";
import { formatKey, shortId } from "../../../model/values/id.ts";
import type { Page } from "../../../present/page.ts";
import { bytes, plural } from "../../../present/text/measure.ts";
import { cut, cutStart, oneLine, wrap } from "../../../present/text/text.ts";

const isLeft = ({ isRepaired }: BadBlock): boolean => !isRepaired;

/** Something is damaged, and stays so. */
export const isDamaged = ({ bad, state }: Audit): boolean => bad.some(isLeft) || state.length > 0;

export function printAudit(audit: Audit, page: Page, demo: "" | " --demo"): string[] {
  const { style, columns } = page;
  const { bad, strays, state } = audit;
  const read = `${plural(audit.blocks, "block", "blocks")} (${bytes(audit.bytes)})`;
  if (bad.length === 0 && state.length === 0)
    return [
      ...wrap(`All backups and archived copies are intact: ${read}.`, columns).map(style.green),
      ...strayLines(strays, page),
    ];
  return [
    ...groups(bad).flatMap(([name, blocks]) => [...affectedLines(name, blocks, page), ""]),
    ...state.flatMap((sentence) => wrap(`state.db: ${oneLine(sentence)}`, columns).map(style.red)),
    ...summaryLines(audit, page, demo),
    ...strayLines(strays, page),
  ];
}

interface Affected {
  readonly block: BadBlock;
  readonly need?: Need;
}

/** One group for each write and each archived session. */
function groups(bad: readonly BadBlock[]): [string, Affected[]][] {
  const all = bad.flatMap((block): Affected[] =>
    block.needs.length === 0 ? [{ block }] : block.needs.map((need) => ({ block, need })),
  );
  return [...Map.groupBy(all, ({ need }) => (need ? headOf(need) : "not needed by any backup or session"))];
}

function headOf({ write, session }: Need): string {
  const name = formatKey({ ...session, id: shortId(session.id) });
  const whose = session.source === "" ? "" : ` (${name})`;
  return write
    ? `backup of ${write.operation}: ${write.kind} "${oneLine(write.title)}"${whose}`
    : `archived copy of ${name}`;
}

function affectedLines(head: string, affected: readonly Affected[], { style, columns }: Page): string[] {
  return [
    style.bold(cut(head, columns)),
    ...affected.flatMap(({ block, need }) => [
      `  ${style.dim(cutStart(need?.path ?? block.path, columns - 2))}`,
      ...wrap(oneLine(block.why), columns - 4).map((line) => `    ${style.red(line)}`),
      ...wrap(fateOf(block), columns - 4).map((line) => `    ${block.isRepaired ? style.green(line) : line}`),
    ]),
  ];
}

function fateOf({ isRepaired, copy, needs }: BadBlock): string {
  if (needs.length === 0) return isRepaired ? "removed" : "can be removed";
  if (copy === undefined) return "no other copy of these bytes was found";
  return isRepaired ? `repaired from ${copy}` : `the same bytes are in ${copy}`;
}

function summaryLines(
  { bad, blocks, state }: Audit,
  { style, columns }: Page,
  demo: "" | " --demo",
): string[] {
  const left = bad.filter(isLeft);
  const isHelped = left.some(({ copy, needs }) => copy !== undefined || needs.length === 0);
  const isLost = left.some(({ copy, needs }) => copy === undefined && needs.length > 0);
  const repaired = bad.length - left.length;
  return [
    ...wrap(
      `${left.length} of ${plural(blocks, "block", "blocks")} ${left.length === 1 ? "is" : "are"} bad${repaired > 0 ? `, ${repaired} repaired` : ""}.`,
      columns,
    ).map(left.length > 0 ? style.bold : style.green),
    ...(isHelped ? [`  ${style.cyan(`rethread history --verify --repair${demo}`)}`] : []),
    ...(isLost || state.length > 0
      ? wrap(
          "To recover what cannot be repaired, restore Rethread's data folder from your own backup.",
          columns,
        )
      : []),
  ];
}

/** So many are named. */
const MOST_STRAYS = 5;

function strayLines(strays: readonly string[], { style, columns }: Page): string[] {
  if (strays.length === 0) return [];
  return [
    `${plural(strays.length, "file does", "files do")} not belong in the vault and ${strays.length === 1 ? "was" : "were"} left alone:`,
    ...strays.slice(0, MOST_STRAYS).map((path) => `  ${style.dim(cutStart(oneLine(path), columns - 2))}`),
    ...(strays.length > MOST_STRAYS ? [style.dim(`  and ${strays.length - MOST_STRAYS} more`)] : []),
  ];
}
