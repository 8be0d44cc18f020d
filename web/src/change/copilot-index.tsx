/** Brings Copilot CLI's own index of its sessions up to date: first what would change, then exactly that. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { plural } from "../../../src/present/text/measure.ts";
import { api, keys, queryClient } from "../lib/api.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { toast } from "../ui/toast.ts";
import css from "./change.module.css";
import { copilotIndexOpen } from "./copilot-index-state.ts";
import { NextStep } from "./next-step.tsx";

const close = (): void => copilotIndexOpen.set(false);

type Report = Awaited<ReturnType<typeof api.rebuildCopilotStore>>;

export function CopilotIndexDialog() {
  const preview = useQuery({
    queryKey: ["copilot-index"],
    queryFn: ({ signal }) => api.rebuildCopilotStore({ dryRun: true }, { signal }),
    gcTime: 0,
  });
  const write = useMutation({
    mutationFn: () => api.rebuildCopilotStore(),
    onSuccess(report) {
      void queryClient.invalidateQueries({ queryKey: keys.problems });
      toast({ text: `Copilot CLI’s index is up to date: ${changesOf(report)}` });
      close();
    },
  });
  const error = write.error ?? preview.error;
  const isNothing = preview.data !== undefined && Object.keys(preview.data.tables).length === 0;
  return (
    <Dialog
      title="Repair Copilot CLI’s index"
      description="Copilot CLI keeps an index of its sessions, by which it finds and lists them."
      size="small"
      onClose={close}
      footer={
        <>
          <Button onClick={close}>{isNothing ? "Close" : "Cancel"}</Button>
          {!isNothing && (
            <Button
              tone="primary"
              disabled={preview.data === undefined || write.isPending}
              onClick={() => write.mutate()}
            >
              {write.isPending ? "Writing…" : "Repair"}
            </Button>
          )}
        </>
      }
    >
      {error ? (
        <section className={css.notice} data-bad role="alert">
          <h3>{error.message}</h3>
          <NextStep error={error} />
        </section>
      ) : preview.data ? (
        <p>
          {isNothing
            ? "It is up to date; there is nothing to write."
            : `Would change: ${changesOf(preview.data)}. A copy of the index as it is now is kept, and sessions are only read.`}
        </p>
      ) : (
        <p role="status">Reading all sessions of Copilot CLI…</p>
      )}
    </Dialog>
  );
}

/** "12 sessions read: 3 rows added, 1 row updated" */
function changesOf({ tables, indexed }: Report): string {
  const sum = (of: "added" | "updated" | "removed"): number =>
    Object.values(tables).reduce((all, table) => all + table[of], 0);
  const parts = (["added", "updated", "removed"] as const)
    .map((of) => [of, sum(of)] as const)
    .filter(([, count]) => count > 0)
    .map(([of, count]) => `${plural(count, "row", "rows")} ${of}`);
  return `${plural(indexed, "session", "sessions")} read: ${parts.length === 0 ? "no rows changed" : parts.join(", ")}`;
}
