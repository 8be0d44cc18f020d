/** The facets beside a wide list: what the sessions are of, how many of each, and what is chosen. */
import { useState } from "react";
import { amount } from "../../../../src/present/text/measure.ts";
import { useNow } from "../../lib/use-now.ts";
import type { Filters } from "../../router.tsx";
import { SourceMark } from "../../ui/marks.tsx";
import css from "./facet-panel.module.css";
import { daysAgo, FACETS, type Narrow, PERIODS, type SomeFacets, toggled, valuesOf } from "./filters.ts";

interface Shown {
  readonly filters: Filters;
  readonly facets: SomeFacets | undefined;
  readonly narrow: Narrow;
}

/** So many values are shown before one asks for all of them. */
const FEW = 7;

export function FacetPanel({
  filters,
  facets,
  narrow,
  hasStates = false,
}: Shown & { /** Whether problems and copies can be asked for. */ readonly hasStates?: boolean }) {
  return (
    <aside className={css.panel} aria-label="Filters">
      {FACETS.map((facet) => (
        <FacetSection key={facet.name} facet={facet} filters={filters} facets={facets} narrow={narrow} />
      ))}
      {hasStates && (
        <section>
          <h2>State</h2>
          <ul>
            <Value
              label="With problems"
              count={facets?.problems}
              isOn={filters.problems === true}
              onToggle={() => narrow({ problems: filters.problems ? undefined : true })}
            />
            <Value
              label="Forks and clones"
              count={facets?.copies}
              isOn={filters.copies === true}
              onToggle={() => narrow({ copies: filters.copies ? undefined : true })}
            />
          </ul>
        </section>
      )}
      <Periods filters={filters} narrow={narrow} />
    </aside>
  );
}

function FacetSection({
  facet,
  filters,
  facets,
  narrow,
}: Shown & { readonly facet: (typeof FACETS)[number] }) {
  const [isWhole, setWhole] = useState(false);
  const chosen = valuesOf(filters, facet.name);
  const known = facets ? facet.values(facets) : [];
  // What is chosen stays, even where nothing is left of it.
  const values = [
    ...known,
    ...chosen
      .filter((value) => !known.some((each) => each.value === value))
      .map((value) => ({ value, count: 0 })),
  ];
  if (values.length === 0) return null;
  // Where each folder is a repository of its own, they say the same.
  const isSame = facet.name === "workspace" && chosen.length === 0 && facets;
  if (isSame && values.length <= facets.repository.length) return null;
  const shown = isWhole ? values : values.filter(({ value }, at) => at < FEW || chosen.includes(value));
  return (
    <section>
      <h2>{facet.label}</h2>
      <ul>
        {shown.map(({ value, count }) => (
          <Value
            key={value}
            label={facet.show(value)}
            hint={value}
            source={facet.name === "source" ? value : undefined}
            count={count}
            isOn={chosen.includes(value)}
            onToggle={() => narrow({ [facet.name]: toggled(filters, facet.name, value) })}
          />
        ))}
      </ul>
      {values.length > FEW && (
        <button type="button" className={css.more} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show fewer" : `Show all ${values.length}`}
        </button>
      )}
    </section>
  );
}

function Periods({ filters, narrow }: Pick<Shown, "filters" | "narrow">) {
  const now = useNow();
  return (
    <section>
      <h2>Last active</h2>
      <ul>
        {PERIODS.map(({ label, days }) => {
          const since = daysAgo(days, now);
          const isOn = filters.since === since;
          return (
            <Value
              key={label}
              label={label}
              isOn={isOn}
              onToggle={() => narrow({ since: isOn ? undefined : since, until: undefined })}
            />
          );
        })}
      </ul>
    </section>
  );
}

function Value({
  label,
  hint,
  source,
  count,
  isOn,
  onToggle,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly source?: string | undefined;
  readonly count?: number | undefined;
  readonly isOn: boolean;
  readonly onToggle: () => void;
}) {
  return (
    <li>
      <button
        type="button"
        className={css.value}
        aria-pressed={isOn}
        title={hint !== label ? hint : undefined}
        disabled={count === 0 && !isOn}
        onClick={onToggle}
      >
        {source !== undefined && <SourceMark source={source} />}
        <span className={css.label}>{label}</span>
        {count !== undefined && <span className={css.count}>{amount(count)}</span>}
      </button>
    </li>
  );
}
