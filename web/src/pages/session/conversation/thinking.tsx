/** What the model thought, folded to its first words. */
import { ChevronRight } from "lucide-react";
import { chars } from "../../../../../src/present/text/measure.ts";
import { oneLine } from "../../../../../src/present/text/plain.ts";
import { clean } from "../../../text/clean.ts";
import { Markdown } from "../../../text/markdown.tsx";
import { useFold } from "../reading.ts";
import css from "./fold.module.css";
import type { PartRow } from "./rows.ts";

export function Thinking({ row }: { readonly row: Extract<PartRow, { kind: "thinking" }> }) {
  const { text } = row.part;
  const [isOpen, setOpen] = useFold(row.key);
  return (
    <div className={css.fold} data-open={isOpen || undefined}>
      <button type="button" className={css.line} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight aria-hidden="true" />
        <span className={css.label}>Thinking</span>
        <span className={css.gist}>{isOpen ? "" : oneLine(clean(text.slice(0, 300)))}</span>
        <span className={css.size}>{chars(text.length)}</span>
      </button>
      {isOpen && <Markdown text={text} className={css.body} />}
    </div>
  );
}
