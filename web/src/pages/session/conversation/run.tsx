/** Stands for the calls in the middle of a long run, until they are wanted. */
import { Ellipsis } from "lucide-react";
import { plural } from "../../../../../src/present/text/measure.ts";
import { useFold } from "../reading.ts";
import css from "./fold.module.css";
import type { Row } from "./rows.ts";
import { lookOf } from "./tool-look.ts";

export function Run({ row }: { readonly row: Extract<Row, { kind: "run" }> }) {
  const [, setOpen] = useFold(row.key);
  const kinds = [...Map.groupBy(row.hidden, (part) => lookOf(part).label)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, 4)
    .map(([label, all]) => `${label} ${all.length}`)
    .join(" · ");
  return (
    <div className={css.fold}>
      <button type="button" className={css.line} onClick={() => setOpen(true)}>
        <Ellipsis aria-hidden="true" />
        <span className={css.label}>Show {plural(row.hidden.length, "more call", "more calls")}</span>
        <span className={css.gist}>{kinds}</span>
        {row.failed > 0 && <span className={css.size}>{row.failed} failed</span>}
      </button>
    </div>
  );
}
