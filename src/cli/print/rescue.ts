/** What a rescue found wrong and put right, each kind of damage once. */
import { formatKey, shortId } from "../../model/id.ts";
import type { EditPlan, Repair } from "../../model/plan.ts";
import { amount } from "./measure.ts";
import { cut, oneLine, wrap } from "./text.ts";

/** So many places are named. */
const NAMED = 5;

export function repairLines({ repairs = [] }: EditPlan, columns: number): string[] {
  const kinds = Map.groupBy(
    repairs.filter(({ isLost }) => !isLost),
    ({ what }) => what,
  );
  return [...kinds].flatMap(([what, all]) =>
    wrap(`${placesOf(all)}${what}`, columns - 4).map(
      (line, index) => `${index === 0 ? "  " : "    "}${line}`,
    ),
  );
}

function placesOf(repairs: readonly Repair[]): string {
  const lines = [...new Set(repairs.flatMap(({ line }) => line ?? []))];
  if (lines.length === 0) return "";
  const named = lines.slice(0, NAMED).join(", ");
  const more = lines.length > NAMED ? ` and ${amount(lines.length - NAMED)} more` : "";
  return `${lines.length === 1 ? "line" : "lines"} ${named}${more}: `;
}

export const soundLines = ({ title, from }: EditPlan, columns: number): string[] =>
  wrap(
    `Nothing is wrong with ${title === "" ? formatKey({ ...from, id: shortId(from.id) }) : `"${cut(oneLine(title), 60)}"`}`,
    columns,
  );

export const toRepairJson = ({ path, line, start, end, what, isLost }: Repair): Record<string, unknown> => ({
  path,
  line: line ?? null,
  start: start ?? null,
  end: end ?? null,
  what,
  lost: isLost ?? false,
});
