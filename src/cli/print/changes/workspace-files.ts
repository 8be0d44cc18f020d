/** Prints the workspace files that a rewind restores or leaves alone. */

import type { EditPlan } from "../../../model/plan.ts";
import type { SkipReason, WorkspaceFile } from "../../../model/plan-facts.ts";
import { isAtOrBelow } from "../../../model/values/paths.ts";
import { amount, plural } from "../../../present/text/measure.ts";
import type { Style } from "../../../present/text/style.ts";
import { cutStart, oneLine, wrap } from "../../../present/text/text.ts";

/** Steps on workspace files are printed here, not among those on the session's own files. */
export const isOfWorkspace = ({ files = [] }: EditPlan, step: string): boolean =>
  files.some(({ path, place = path }) => isAtOrBelow(place, step));

/** What was never recorded is listed among the losses of the plan. */
const SKIPPED: Readonly<Record<Exclude<SkipReason, "skipped-capture">, string>> = {
  "user-modified": "changed since",
  "link-changed": "leads elsewhere now",
};
const DOES = { restored: "restore", removed: "remove" } as const;

export function fileLines(
  { kind, files = [], steps, withFiles = false }: EditPlan,
  { columns, style }: { readonly columns: number; readonly style: Style },
  isDone = false,
): string[] {
  if (kind !== "rewind" || steps.length === 0) return [];
  const back = files.flatMap((file) =>
    file.becomes === "unchanged" ? [] : [{ ...file, does: DOES[file.becomes] }],
  );
  const skipped = files.flatMap(({ skipped: why, ...file }) =>
    why && why !== "skipped-capture" ? [{ ...file, does: "skip", why }] : [],
  );
  const left = files.length - back.length - skipped.length;
  const shown = [
    ...back.map((file) => ({ ...file, note: linesOf(file) })),
    ...skipped.map((file) => ({ ...file, note: SKIPPED[file.why] })),
  ];
  const widest = Math.max(0, ...shown.map(({ note }) => note.length));
  const room = columns - widest - 13;
  return [
    ...shown.map(
      ({ does, path, place = path, note }) =>
        `  ${style.cyan(does.padEnd(7))}  ${cutStart(oneLine(place), room).padEnd(room)}  ${style.dim(note.padStart(widest))}`,
    ),
    ...(left > 0
      ? wrap(staying(left, back.length > 0, withFiles, isDone), columns - 2).map((line) => `  ${line}`)
      : []),
  ];
}

/** What the turns had added and taken away, and what now goes the other way. */
const linesOf = ({ linesAdded, linesRemoved, isOutside }: WorkspaceFile): string =>
  `${isOutside ? "outside, " : ""}+${amount(linesRemoved)} -${amount(linesAdded)} lines`;

function staying(left: number, isSomeBack: boolean, isAsked: boolean, isDone: boolean): string {
  if (isSomeBack) return plural(left, "other file is not changed", "other files are not changed");
  const those = plural(
    left,
    "file that these turns changed is not restored",
    "files that these turns changed are not restored",
  );
  const them = left === 1 ? "it" : "them";
  if (isAsked) return those;
  // Without the turns, not every program's states of files can be found.
  return isDone
    ? `${those}; to restore ${them}, undo this and rewind with --files`
    : `${those}; --files restores ${them}`;
}
