/** What a rescue found wrong and put right, each kind of damage once. */

import type { EditPlan } from "../../../model/plan.ts";
import type { Repair } from "../../../model/plan-facts.ts";
import { adviceFor, inDemo, toCommand, toHint } from "../../../model/remedy.ts";
import { formatKey, shortId } from "../../../model/values/id.ts";
import { amount, plural } from "../../../present/text/measure.ts";
import type { Style } from "../../../present/text/style.ts";
import { cut, cutStart, fold, oneLine, wrap } from "../../../present/text/text.ts";

interface Page {
  readonly columns: number;
  readonly style: Style;
  readonly isDemo: boolean;
}

/** So many places are named. */
const NAMED = 5;

export function repairLines(plan: EditPlan, page: Page): string[] {
  const repairs = (plan.repairs ?? []).filter(({ isLost }) => !isLost);
  if (plan.kind === "clone" && plan.repairs?.length)
    return [
      ...wrap(
        `The copy is repaired; the original is not changed${repairs.length > 0 ? ":" : ""}`,
        page.columns - 2,
      ).map((line) => `  ${line}`),
      ...kindLines(repairs, page.columns, "    "),
    ];
  return plan.also ? sessionLines(repairs, page) : kindLines(repairs, page.columns, "  ");
}

/** Sessions that follow their folder, and those that stay with what can be done about it. */
export function adoptionLines({ adoptions = [] }: EditPlan, { columns, style, isDemo }: Page): string[] {
  return adoptions.flatMap(({ from, to, sessions, why, remedy }) => {
    const count = `${plural(sessions, "chat", "chats")} of ${oneLine(from)}`;
    const line =
      to === undefined
        ? `left alone: ${count}, because ${oneLine(why)}`
        : `${count} ${sessions === 1 ? "follows" : "follow"}${from === to ? " it" : ` it to ${oneLine(to)}`}, because ${oneLine(why)}`;
    const told = wrap(line, columns - 4).map((text, at) => `  ${at === 0 ? "" : "  "}${text}`);
    const next = remedy ? fold(`move them: ${toCommand(isDemo ? inDemo(remedy) : remedy)}`, columns - 6) : [];
    return [
      ...told.map(to === undefined ? style.yellow : style.green),
      ...next.map((text) => `    ${style.cyan(text)}`),
    ];
  });
}

/** Of several sessions: by their workspaces, each with its title. */
function sessionLines(repairs: readonly Repair[], { columns, style }: Page): string[] {
  const workspaces = Map.groupBy(repairs, ({ workspace }) => workspace ?? "no workspace");
  return [...workspaces].flatMap(([workspace, own]) => [
    `  ${style.bold(cutStart(oneLine(workspace), columns - 2))}`,
    ...[...Map.groupBy(own, ({ title }) => title ?? "the list of chats")].flatMap(([title, of]) => [
      `    ${style.cyan(cut(oneLine(title), columns - 4))}`,
      ...kindLines(of, columns, "      "),
    ]),
  ]);
}

function kindLines(repairs: readonly Repair[], columns: number, indent: string): string[] {
  const kinds = Map.groupBy(repairs, ({ what }) => what);
  return [...kinds].flatMap(([what, all]) =>
    wrap(`${placesOf(all)}${what}`, columns - indent.length - 2).map(
      (line, index) => `${indent}${index === 0 ? "" : "  "}${line}`,
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

export function soundLines(plan: EditPlan, page: Page): string[] {
  const { title, from, also, losses } = plan;
  const { columns } = page;
  const one = title === "" ? formatKey({ ...from, id: shortId(from.id) }) : `"${cut(oneLine(title), 60)}"`;
  const what = also ? "the chats of VS Code" : one;
  return [
    ...wrap(
      losses.length > 0 ? `Nothing in ${what} can be repaired` : `Nothing is wrong with ${what}`,
      columns,
    ),
    ...losses.flatMap((loss) =>
      fold(`not repaired: ${toHint(adviceFor(loss, page.isDemo))}`, columns - 2).map((line) => `  ${line}`),
    ),
    ...adoptionLines(plan, page),
  ];
}
