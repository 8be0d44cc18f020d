/** What the program noted beside the words: its tasks, what an answer drew on, what might be asked next. */
import { ChevronRight } from "lucide-react";
import { plural } from "../../../../../src/present/text/measure.ts";
import { noteLines } from "../../../../../src/present/text/parts.ts";
import { clean } from "../../../text/clean.ts";
import { useFold, useReading } from "../reading.ts";
import css from "./fold.module.css";
import type { PartRow } from "./rows.ts";

const LABELS = {
  tasks: "Tasks",
  references: "References",
  citations: "Code citations",
  followups: "Suggested next",
  details: "Answered by",
  agent: "Agent",
} as const;
const MARKS = { open: "·", active: "…", done: "✓" } as const;

export function Note({ row }: { readonly row: Extract<PartRow, { kind: "note" }> }) {
  const { session } = useReading();
  const { about, items } = row.part;
  const [isOpen, setOpen] = useFold(row.key);
  const [, ...lines] = noteLines(
    { ...row.part, items: [...items, ...items] },
    session.workspace ?? undefined,
  );
  const isOne = items.length === 1;
  const done = items.filter(({ status }) => status === "done").length;
  const gist =
    about === "tasks"
      ? `${done} of ${items.length} done`
      : isOne
        ? clean(lines[0] ?? "")
        : plural(items.length, "item", "items");
  // Who answered is one short line; there is nothing to open.
  if (isOne && (about === "agent" || about === "details"))
    return (
      <p className={css.aside}>
        {LABELS[about]}: {gist}
      </p>
    );
  return (
    <div className={css.fold} data-open={isOpen || undefined}>
      <button type="button" className={css.line} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight aria-hidden="true" />
        <span className={css.label}>{LABELS[about]}</span>
        <span className={css.gist}>{gist}</span>
      </button>
      {isOpen && (
        <ul className={css.items}>
          {items.map(({ status }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items of a note have no other name
            <li key={at} data-status={status}>
              {status !== undefined && (
                <i role="img" aria-label={status}>
                  {MARKS[status]}
                </i>
              )}
              {clean((lines[at] ?? "").replace(/^[·…✓] /, ""))}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
