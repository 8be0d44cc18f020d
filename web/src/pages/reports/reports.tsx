/** Reports: what was worked on, which habits cost time, and what agents should be told once and for all. */
import { useRef } from "react";
import { useShortcuts } from "../../keys/keys.ts";
import { reportsRoute } from "../../router.tsx";
import { ImproveReport } from "./improve-report.tsx";
import { StandupReport } from "./standup-report.tsx";
import { TipsReport } from "./tips-report.tsx";

export function Reports() {
  const { report } = reportsRoute.useSearch();
  const view = useRef<HTMLDivElement>(null);
  const move = (by: number): void => {
    const stops = [...(view.current?.querySelectorAll<HTMLElement>("[data-stop]") ?? [])];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    stops[at < 0 ? 0 : Math.min(stops.length - 1, Math.max(0, at + by))]?.focus();
  };
  useShortcuts([
    { keys: "j", label: "Next entry", group: "Reports", isKeyOnly: true, run: () => move(1) },
    { keys: "k", label: "Previous entry", group: "Reports", isKeyOnly: true, run: () => move(-1) },
  ]);
  if (report === "tips") return <TipsReport view={view} />;
  if (report === "improve") return <ImproveReport view={view} />;
  return <StandupReport view={view} />;
}
