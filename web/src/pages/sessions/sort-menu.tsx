/** What the list is sorted by. */
import { ArrowDownWideNarrow, Check } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import type { Sort } from "./session-query.ts";

const SORTS: readonly { readonly sort: Sort; readonly label: string }[] = [
  { sort: "active", label: "Last active" },
  { sort: "created", label: "Newest" },
  { sort: "title", label: "Title" },
  { sort: "turns", label: "Most turns" },
  { sort: "size", label: "Largest" },
];

export function SortMenu({ sort, onSort }: { readonly sort: Sort; readonly onSort: (sort: Sort) => void }) {
  const label = SORTS.find((each) => each.sort === sort)?.label ?? "";
  return (
    <Menu
      trigger={
        <Button icon={<ArrowDownWideNarrow />} aria-label={`Sorted by: ${label}`}>
          {label}
        </Button>
      }
      items={SORTS.map((each) => ({
        label: each.label,
        icon: each.sort === sort ? <Check /> : undefined,
        run: () => onSort(each.sort),
      }))}
    />
  );
}
