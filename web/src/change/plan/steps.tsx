/** The files that a plan touches, one row each; many of one folder are one row. */
import { useState } from "react";
import { amount, bytes, plural } from "../../../../src/present/text/measure.ts";
import type { PlanStep } from "../plans.ts";
import css from "./plan.module.css";
import { STEP_WORDS } from "./words.ts";

/** So many are shown at first. */
const SHOWN = 6;

export function Steps({ steps }: { readonly steps: readonly PlanStep[] }) {
  const [isAll, setAll] = useState(false);
  const rows = toRows(steps);
  const shown = isAll ? rows : rows.slice(0, SHOWN);
  return (
    <section className={css.block}>
      <h3>Files touched</h3>
      <ul className={css.files}>
        {shown.map(({ does, path, size }) => (
          <li key={`${does} ${path}`}>
            <span className={css.does} data-does={does}>
              {STEP_WORDS[does]}
            </span>
            <code className={css.path} title={path}>
              <bdi>{path}</bdi>
            </code>
            <span className={css.place}>{size}</span>
          </li>
        ))}
      </ul>
      {rows.length > shown.length && (
        <button type="button" className={css.link} onClick={() => setAll(true)}>
          Show {amount(rows.length - shown.length)} more
        </button>
      )}
    </section>
  );
}

interface Row {
  readonly does: PlanStep["does"];
  readonly path: string;
  readonly size: string;
}

function toRows(steps: readonly PlanStep[]): Row[] {
  const alike = Map.groupBy(steps, ({ does, path }) =>
    does === "remove" ? `remove ${path.replace(/[^/\\]+$/, "")}*` : `${does} ${path}`,
  );
  return [...alike].flatMap(([key, group]) => {
    const [first] = group;
    if (!first) return [];
    if (group.length < 3)
      return group.map((step) => ({ ...step, path: step.as ?? step.path, size: sizeOf([step]) }));
    return [{ does: first.does, path: key.slice(first.does.length + 1), size: sizeOf(group) }];
  });
}

function sizeOf(steps: readonly PlanStep[]): string {
  const [first] = steps;
  if (first?.entries !== undefined) return plural(first.entries, "entry", "entries");
  const sum = (of: "files" | "bytes"): number => steps.reduce((all, step) => all + (step[of] ?? 0), 0);
  const files = sum("files");
  return files === 1 ? bytes(sum("bytes")) : `${plural(files, "file", "files")}, ${bytes(sum("bytes"))}`;
}
