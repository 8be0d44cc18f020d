/** The filters that are set, each with a way to remove it. */
import { X } from "lucide-react";
import type { Filters } from "../../router.tsx";
import css from "./chips.module.css";
import { chipsOf, type MoreFilters, type Narrow, NO_FILTERS } from "./filters.ts";

export function Chips({
  filters,
  narrow,
  onClear = () => narrow(NO_FILTERS),
}: {
  readonly filters: Filters & MoreFilters;
  readonly narrow: Narrow;
  readonly onClear?: () => void;
}) {
  const chips = chipsOf(filters);
  if (chips.length === 0) return null;
  return (
    <ul className={css.chips} aria-label="Filters that are set">
      {chips.map(({ id, label, value, without }) => (
        <li key={id} className={css.chip}>
          <span className={css.label}>{label}</span>
          <span className="ellipsis">{value}</span>
          <button
            type="button"
            aria-label={`Remove the filter ${label} ${value}`}
            onClick={() => narrow(without)}
          >
            <X aria-hidden="true" />
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <button type="button" className={css.clear} onClick={onClear}>
            Clear all
          </button>
        </li>
      )}
    </ul>
  );
}
