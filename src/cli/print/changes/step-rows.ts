/** Prints the steps of a plan as rows: the action, the path, and its size. */

import type { EditPlan, Step } from "../../../model/plan.ts";
import { splitLast } from "../../../model/values/paths.ts";
import { type StepFacts, stepFacts } from "../../../present/json/step-facts.ts";
import { amount, bytes, plural } from "../../../present/text/measure.ts";
import type { Style } from "../../../present/text/style.ts";
import { cutStart, oneLine, widthOf } from "../../../present/text/text.ts";
import { isOfWorkspace } from "./workspace-files.ts";

/** The rest is only counted: one who wants to know asks for --json. */
const MOST_ROWS = 12;
/** Up to this many removed files of one folder are listed one by one. */
const MOST_ALIKE = 2;

interface Row {
  readonly does: string;
  readonly path: string;
  readonly how: string;
}

/** Files of the workspace are printed separately from those of the session. */
export function stepRows(
  plan: EditPlan,
  { columns, style }: { readonly columns: number; readonly style: Style },
): string[] {
  const all = toRows(
    plan,
    plan.steps.filter((step) => !isOfWorkspace(plan, step.path)),
  );
  const rows = all.slice(0, MOST_ROWS);
  const widest = Math.max(0, ...rows.map(({ how }) => widthOf(how)));
  const room = columns - widest - 13;
  return [
    ...rows.map(
      ({ does, path, how }) =>
        `  ${style.cyan(does.padEnd(7))}  ${cutStart(oneLine(path), room).padEnd(room)}  ${style.dim(how.padStart(widest))}`,
    ),
    ...(all.length > rows.length ? [`  and ${amount(all.length - rows.length)} more`] : []),
  ];
}

/** Many files that go from one folder are one row. */
function toRows(plan: EditPlan, steps: readonly Step[]): Row[] {
  const alike = Map.groupBy(steps, (step) =>
    step.does === "remove" ? `${folderOf(step.path)}*` : step.path,
  );
  return [...alike].flatMap(([path, group]) =>
    group.length > MOST_ALIKE
      ? [{ does: "remove", path, how: sizeOf(group, plan) }]
      : group.map((step) => ({ does: step.does, path: step.path, how: sizeOf([step], plan) })),
  );
}

/** With its separator. */
const folderOf = (path: string): string =>
  path.slice(0, path.length - (splitLast(path)?.name ?? path).length);

function sizeOf(steps: readonly Step[], plan: EditPlan): string {
  const [only] = steps;
  if (only?.does === "set") return plural(only.cells.length, "entry", "entries");
  if (steps.every((step) => isLink(step, plan))) return plural(steps.length, "link", "links");
  const facts = steps.map((step) => stepFacts(step, plan));
  const sum = (of: keyof StepFacts): number => facts.reduce((all, each) => all + each[of], 0);
  return `${plural(sum("files"), "file", "files")}, ${bytes(sum("bytes"))}`;
}

/** A link that goes, and nothing else with it. */
const isLink = (step: Step, { basis }: EditPlan): boolean =>
  step.does === "remove" && basis.some(({ entry }) => entry.kind === "link" && entry.path === step.path);
