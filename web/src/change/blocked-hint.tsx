/** Says beforehand that VS Code runs and would overwrite the change, so that nobody has to try in vain. */
import { useQuery } from "@tanstack/react-query";
import { Hourglass, RotateCw } from "lucide-react";
import { api } from "../lib/api.ts";
import { Button } from "../ui/button.tsx";
import css from "./change.module.css";
import { DownloadInstead, Notice } from "./refusal.tsx";
import type { Change } from "./use-change.ts";

export function BlockedHint({ change }: { readonly change: Change }) {
  const { planning, refusal, applyLater } = change;
  const steps = planning.planned?.plan.plan.steps ?? [];
  // Only a database that its program keeps in memory is overwritten by it.
  const paths = [...new Set(steps.flatMap(({ does, path }) => (does === "set" ? [path] : [])))];
  const { data, refetch } = useQuery({
    queryKey: ["blockers", paths],
    queryFn: ({ signal }) => api.blockers({ paths }, { signal }),
    enabled: paths.length > 0,
    staleTime: 2000,
    gcTime: 0,
  });
  const [first, ...others] = data?.blockers ?? [];
  if (!first || refusal) return null;
  const more = others.length > 0 ? ` and ${others.length} more` : "";
  return (
    <Notice title={`VS Code is running (process ${first.pid}${more})`}>
      <p>It would overwrite this change. Close all its windows first, or let it wait.</p>
      <div className={css.actions}>
        <Button size="small" icon={<RotateCw />} onClick={() => void refetch()}>
          Check again
        </Button>
        {applyLater && (
          <Button size="small" icon={<Hourglass />} onClick={() => void applyLater()}>
            Do it when VS Code closes
          </Button>
        )}
        <DownloadInstead change={change} />
      </div>
    </Notice>
  );
}
