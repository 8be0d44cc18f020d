/** A call of a tool: one line that opens to what was asked and what came back; an edit shows its diff at once. */
import { Check, ChevronRight, CircleDashed, X } from "lucide-react";
import type { ImageRef } from "../../../../../src/model/session/image-ref.ts";
import { compact } from "../../../../../src/present/text/measure.ts";
import { gistOf } from "../../../../../src/present/text/parts.ts";
import { useStore } from "../../../lib/store.ts";
import { clean } from "../../../text/clean.ts";
import { Counts, DiffView } from "../../../text/diff-view.tsx";
import { languageOfPath } from "../../../text/language-names.ts";
import { type Fate, fates } from "../fates.ts";
import { ImageStrip } from "../images/image-strip.tsx";
import { useFold, useReading } from "../reading.ts";
import { below } from "./below.ts";
import type { FileEdit } from "./edits-of.ts";
import type { PartRow } from "./rows.ts";
import css from "./tool-call.module.css";
import { ToolDetails } from "./tool-details.tsx";
import { lookOf, outcomeOf, taskOf } from "./tool-look.ts";

type ToolRow = Extract<PartRow, { kind: "tool" }>;

export function ToolCall({ row, fate }: { readonly row: ToolRow; readonly fate: Fate | undefined }) {
  const { session } = useReading();
  const { part, edits } = row;
  const [isOpen, setOpen] = useFold(row.key);
  const { label, icon: Icon } = lookOf(part);
  const gist = clean(taskOf(part) ?? gistOf(part, session.workspace ?? undefined));
  return (
    <div className={css.call} data-status={part.status} data-open={isOpen || undefined}>
      <button type="button" className={css.line} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Status status={part.status} />
        <Icon className={css.icon} aria-hidden="true" />
        <span className={css.label}>{label}</span>
        <span className={css.gist} title={gist}>
          {gist}
        </span>
        <span className={css.outcome}>
          {edits && part.status === "ok" ? <EditCounts edits={edits} /> : outcomeOf(part)}
          {fate && <FateNote fate={fate} />}
        </span>
        <ChevronRight className={css.chevron} aria-hidden="true" />
      </button>
      {edits && !isOpen && part.status !== "failed" && <Diffs edits={edits} />}
      {part.images && !isOpen && <Images images={part.images} label={label} />}
      {isOpen && <ToolDetails turn={row.turn} part={part} edits={edits} />}
    </div>
  );
}

function Status({ status }: { readonly status: ToolRow["part"]["status"] }) {
  const Icon = status === "ok" ? Check : status === "failed" ? X : CircleDashed;
  const words = { ok: "ok", failed: "failed", interrupted: "interrupted", pending: "no result" }[status];
  return (
    <span className={css.status} role="img" aria-label={words}>
      <Icon />
    </span>
  );
}

function FateNote({ fate }: { readonly fate: Fate }) {
  const { budget } = useStore(fates);
  return (
    <span className={css.fate}>
      {fate === "cut" ? "shortened" : "dropped"}
      {budget !== null && ` at ${compact(budget)}`}
    </span>
  );
}

function EditCounts({ edits }: { readonly edits: readonly FileEdit[] }) {
  const sum = (which: "added" | "removed"): number => edits.reduce((all, { diff }) => all + diff[which], 0);
  return <Counts added={sum("added")} removed={sum("removed")} />;
}

/** What a tool saw is shown as it is, like an edit. */
export const Images = ({
  images,
  label,
}: {
  readonly images: readonly ImageRef[];
  readonly label: string;
}) => (
  <div className={css.images}>
    <ImageStrip images={images} about={`Image from ${label}`} />
  </div>
);

export function Diffs({ edits }: { readonly edits: readonly FileEdit[] }) {
  const { session } = useReading();
  return edits.map(({ path, diff, isEverywhere }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: edits of a call never move
    <div key={at} className={css.diff}>
      {(edits.length > 1 || isEverywhere) && (
        <div className={css.file}>
          <span className="ellipsis">{clean(below(session.workspace, path))}</span>
          {edits.length > 1 && <Counts added={diff.added} removed={diff.removed} />}
          {isEverywhere && <span className="muted">everywhere in the file</span>}
        </div>
      )}
      {diff.lines.length > 0 && <DiffView lines={diff.lines} language={languageOfPath(path)} />}
    </div>
  ));
}
