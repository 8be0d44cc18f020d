/** The facets in one row, for a narrow list: each is a button that opens its values. */
import { Menu } from "@base-ui/react/menu";
import { Check, ChevronDown, X } from "lucide-react";
import { amount } from "../../../../src/present/text/measure.ts";
import { isHub } from "../../lib/mode.ts";
import type { Filters } from "../../router.tsx";
import menu from "../../ui/menu.module.css";
import css from "./facet-menus.module.css";
import {
  chipsOf,
  FACETS,
  type MoreFilters,
  type Narrow,
  type SomeFacets,
  toggled,
  valuesOf,
} from "./filters.ts";

/** Those that a narrow list has room for. */
const SHOWN = FACETS.filter(({ name }) => name !== "workspace");

const isOver = (name: string, chosen: readonly string[], values: readonly unknown[]): boolean =>
  chosen.length > 0 ? name !== "source" : values.length < 2;

export function FacetMenus({
  filters,
  facets,
  narrow,
}: {
  readonly filters: Filters & MoreFilters;
  readonly facets: SomeFacets | undefined;
  readonly narrow: Narrow;
}) {
  return (
    <div className={css.row}>
      {chipsOf(filters).map(({ id, label, value, without }) => (
        <button
          key={id}
          type="button"
          className={css.chip}
          data-on
          aria-label={`Remove the filter ${label} ${value}`}
          onClick={() => narrow(without)}
        >
          <span className="ellipsis">{value}</span>
          <X aria-hidden="true" />
        </button>
      ))}
      {SHOWN.map((facet) => {
        const values = facets ? facet.values(facets) : [];
        const chosen = valuesOf(filters, facet.name);
        const left = values.filter(({ value }) => !chosen.includes(value));
        // A facet of one value narrows nothing; a tag does, as most sessions have none.
        if (facet.name === "tag" ? left.length === 0 : isOver(facet.name, chosen, values)) return null;
        return (
          <Menu.Root key={facet.name}>
            <Menu.Trigger className={css.chip}>
              {facet.label.toLowerCase()}
              <ChevronDown aria-hidden="true" />
            </Menu.Trigger>
            <Menu.Portal>
              <Menu.Positioner align="start" sideOffset={4} className={menu.positioner}>
                <Menu.Popup className={menu.popup}>
                  {values.map(({ value, count }) => (
                    <Menu.CheckboxItem
                      key={value}
                      className={menu.item}
                      checked={chosen.includes(value)}
                      closeOnClick
                      onCheckedChange={() => narrow({ [facet.name]: toggled(filters, facet.name, value) })}
                    >
                      <span className={menu.icon}>{chosen.includes(value) && <Check />}</span>
                      <span className={`${menu.label} ${css.value}`}>{facet.show(value)}</span>
                      <span className={css.count}>{amount(count)}</span>
                    </Menu.CheckboxItem>
                  ))}
                </Menu.Popup>
              </Menu.Positioner>
            </Menu.Portal>
          </Menu.Root>
        );
      })}
      {!isHub() && !filters.problems && facets?.problems !== undefined && facets.problems > 0 && (
        <button type="button" className={css.chip} onClick={() => narrow({ problems: true })}>
          problems {amount(facets.problems)}
        </button>
      )}
      {!isHub() && !filters.copies && facets?.copies !== undefined && facets.copies > 0 && (
        <button type="button" className={css.chip} onClick={() => narrow({ copies: true })}>
          copies {amount(facets.copies)}
        </button>
      )}
    </div>
  );
}
