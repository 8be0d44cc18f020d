/** Every write that was ever made: what it changed, how long it can be undone, and what waits. */
import { useQuery } from "@tanstack/react-query";
import { History as HistoryIcon } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { bytes, day, plural } from "../../../../src/present/text/measure.ts";
import { openChange } from "../../change/change.ts";
import { Failure } from "../../change/failure.tsx";
import type { Write } from "../../change/writes.ts";
import { useShortcuts } from "../../keys/keys.ts";
import { api, keys } from "../../lib/api.ts";
import { useNow } from "../../lib/use-now.ts";
import { historyRoute } from "../../router.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Skeleton } from "../../ui/states.tsx";
import { BackupActions } from "./backups.tsx";
import { BoardChanges } from "./board-changes.tsx";
import css from "./history.module.css";
import { Jobs } from "./jobs.tsx";
import { canUndo, WriteRow } from "./write-row.tsx";

export function History() {
  const { operation: wanted } = historyRoute.useSearch();
  const { data, error, refetch } = useQuery({
    queryKey: keys.history,
    queryFn: ({ signal }) => api.history({ signal }),
  });
  const writes = data?.writes;
  const facts =
    writes && writes.length > 0
      ? `${plural(writes.length, "write", "writes")} · backups take ${bytes(data.backups.stored)}`
      : undefined;
  return (
    <Page
      title="History"
      facts={facts}
      actions={data && data.writes.length > 0 && <BackupActions history={data} />}
    >
      {error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : !data || !writes ? (
        <Skeleton rows={8} height={52} />
      ) : (
        <>
          <Jobs jobs={data.jobs} />
          <BoardChanges changes={data.board} />
          {writes.length === 0 ? (
            <Empty
              title={data.board.length > 0 ? "No session was changed yet" : "Nothing was changed yet"}
              icon={<HistoryIcon />}
            >
              Every clone, fork, repair or other change that Rethread makes to a session is listed here, with
              a backup of what was there before, and can be undone.
            </Empty>
          ) : (
            <Writes writes={writes} wanted={wanted} />
          )}
        </>
      )}
    </Page>
  );
}

function Writes({
  writes,
  wanted,
}: {
  readonly writes: readonly Write[];
  readonly wanted: string | undefined;
}) {
  const now = useNow();
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const kinds = useMemo(() => new Map(writes.map(({ operation, kind }) => [operation, kind])), [writes]);
  const undoneBy = useMemo(
    () => new Map(writes.flatMap(({ undoes, operation }) => (undoes === null ? [] : [[undoes, operation]]))),
    [writes],
  );
  const days = useMemo(() => [...Map.groupBy(writes, ({ at }) => labelOf(new Date(at), now))], [writes, now]);
  useEffect(() => {
    if (wanted === undefined) return;
    setOpen((before) => new Set(before).add(wanted));
    rowsIn(list.current)
      .find(({ id }) => id === `write-${wanted}`)
      ?.focus();
  }, [wanted]);
  const move = (by: number): void => {
    const rows = rowsIn(list.current);
    const at = rows.indexOf(document.activeElement as HTMLElement);
    rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
  };
  const undoFocused = (): void => {
    const id = document.activeElement?.closest("[data-write]")?.getAttribute("data-write");
    const write = writes.find((each) => (id ? each.operation === id : canUndo(each)));
    if (write && canUndo(write))
      openChange({ kind: "undo", sessions: [], input: { operation: write.operation } });
  };
  useShortcuts([
    { keys: "j", label: "Next write", group: "History", isKeyOnly: true, run: () => move(1) },
    { keys: "k", label: "Previous write", group: "History", isKeyOnly: true, run: () => move(-1) },
    { keys: "down", label: "Next write", group: "History", isKeyOnly: true, run: () => move(1) },
    { keys: "up", label: "Previous write", group: "History", isKeyOnly: true, run: () => move(-1) },
    { keys: "u", label: "Undo this write, or the last one", group: "History", run: undoFocused },
  ]);
  const toggle = (operation: string): void =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(operation)) after.add(operation);
      return after;
    });
  return (
    <div ref={list}>
      {days.map(([label, all]) => (
        <section key={label} className={css.day}>
          <h2>{label}</h2>
          <ol className={css.writes}>
            {all.map((write) => (
              <WriteRow
                key={write.operation}
                write={write}
                undoneBy={undoneBy.get(write.operation)}
                undone={write.undoes === null ? undefined : kinds.get(write.undoes)}
                isOpen={open.has(write.operation)}
                onToggle={() => toggle(write.operation)}
              />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

const rowsIn = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>("button[data-row]") ?? []),
];

function labelOf(date: Date, now: Date): string {
  const name = day(date, now);
  if (name === day(now, now)) return "Today";
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  return name === day(yesterday, now) ? "Yesterday" : name;
}
