/** What stands between the words: checkpoints, cleared contexts, notices, recorded edits. */
import { ChevronRight, CircleAlert, FilePen, Info, TriangleAlert } from "lucide-react";
import { chars } from "../../../../../src/present/text/measure.ts";
import { clean } from "../../../text/clean.ts";
import { Counts } from "../../../text/diff-view.tsx";
import { Markdown } from "../../../text/markdown.tsx";
import { useFold, useReading } from "../reading.ts";
import type { PartOf } from "../types.ts";
import { below } from "./below.ts";
import css from "./dividers.module.css";
import type { PartRow } from "./rows.ts";

/** Everything above it is, for the model, only this summary. */
export function Checkpoint({ row }: { readonly row: Extract<PartRow, { kind: "checkpoint" }> }) {
  const { number, title, summary } = row.part;
  const [isOpen, setOpen] = useFold(row.key);
  return (
    <div className={css.checkpoint} data-open={isOpen || undefined}>
      <div className={css.divider}>
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <ChevronRight className={css.arrow} aria-hidden="true" />
          Checkpoint{number === undefined ? "" : ` ${number}`}
          {title && `: ${clean(title)}`}
        </button>
      </div>
      <p>For the model, everything above is replaced by a summary of {chars(summary.length)}.</p>
      {isOpen && <Markdown text={summary} className={css.summary} />}
    </div>
  );
}

export const Clear = () => (
  <div className={css.divider}>
    <span>Context cleared: the model no longer sees what is above</span>
  </div>
);

const ICONS = { info: Info, warning: TriangleAlert, error: CircleAlert } as const;

export function Notice({ part }: { readonly part: PartOf<"notice"> }) {
  const Icon = ICONS[part.level];
  return (
    <div className={css.notice} data-level={part.level}>
      <Icon role="img" aria-label={part.level} />
      <span>{clean(part.text).slice(0, 20_000)}</span>
    </div>
  );
}

export function Edit({ part }: { readonly part: PartOf<"edit"> }) {
  const { session } = useReading();
  return (
    <div className={css.edit} title={clean(part.path)}>
      <FilePen aria-hidden="true" />
      <span className="sr-only">Changed</span>
      <code className="ellipsis">{clean(below(session.workspace, part.path))}</code>
      <Counts
        {...(part.added !== undefined && { added: part.added })}
        {...(part.removed !== undefined && { removed: part.removed })}
      />
    </div>
  );
}

export const Silent = () => <p className={css.silent}>No answer was recorded.</p>;
