/** Reports: what was worked on, which habits cost time, and what agents should be told once and for all. */
import { reportsRoute } from "../../router.tsx";
import { useStops } from "../../ui/use-stops.ts";
import { ImproveReport } from "./improve-report.tsx";
import { StandupReport } from "./standup-report.tsx";
import { TipsReport } from "./tips-report.tsx";

export function Reports() {
  const { report } = reportsRoute.useSearch();
  const view = useStops("Reports");
  if (report === "tips") return <TipsReport view={view} />;
  if (report === "improve") return <ImproveReport view={view} />;
  return <StandupReport view={view} />;
}
