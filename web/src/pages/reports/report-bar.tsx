/** Which report, and the time that it is about; both stand in the address. */
import { useNavigate } from "@tanstack/react-router";
import { CalendarRange, Check } from "lucide-react";
import { reportsRoute } from "../../router.tsx";
import { Button } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { RANGES, type Range, toRange } from "./ranges.ts";
import css from "./reports.module.css";

export const REPORTS = [
  { value: "standup", label: "Standup" },
  { value: "tips", label: "Tips" },
  { value: "improve", label: "Improve" },
] as const;

export type ReportName = (typeof REPORTS)[number]["value"];

export interface RangeState {
  readonly range: Range;
  readonly setRange: (range: Range) => void;
}

export function useRange(otherwise: Range): RangeState {
  const { since } = reportsRoute.useSearch();
  const navigate = useNavigate();
  return {
    range: toRange(since, otherwise),
    setRange: (next) =>
      void navigate({ to: "/reports", search: (before) => ({ ...before, since: next }), replace: true }),
  };
}

export function ReportBar({ report, range, setRange }: RangeState & { readonly report: ReportName }) {
  const navigate = useNavigate();
  return (
    <div className={css.bar}>
      <Segmented
        label="Report"
        choices={REPORTS}
        value={report}
        onChoose={(next) =>
          void navigate({ to: "/reports", search: next === "standup" ? {} : { report: next } })
        }
      />
      <RangeMenu range={range} setRange={setRange} />
    </div>
  );
}

export function RangeMenu({ range, setRange }: RangeState) {
  const label = RANGES.find(({ value }) => value === range)?.label ?? "";
  return (
    <Menu
      align="start"
      trigger={
        <Button icon={<CalendarRange />} aria-label={`Time: ${label}`}>
          {label}
        </Button>
      }
      items={RANGES.map((each) => ({
        label: each.label,
        icon: each.value === range ? <Check /> : undefined,
        run: () => setRange(each.value),
      }))}
    />
  );
}

/** The next time that reaches further back. */
export function longer(range: Range): Range | undefined {
  return RANGES[RANGES.findIndex(({ value }) => value === range) + 1]?.value;
}
