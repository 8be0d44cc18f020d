/** What can be done with all backups: check that they are whole, confirm writes, remove what has expired. */
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { bytes, plural } from "../../../../src/present/text/measure.ts";
import type { HistoryAnswer } from "../../change/writes.ts";
import { api, queryClient } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { describe } from "../../ui/states.tsx";
import { toast } from "../../ui/toasts.tsx";
import css from "./history.module.css";

const stale = (): void => void queryClient.invalidateQueries({ queryKey: ["history"] });
const complain = (error: unknown): void => toast({ text: describe(error).message, isError: true });

export function BackupActions({ history }: { readonly history: HistoryAnswer }) {
  const [isPruning, setPruning] = useState(false);
  const [isVerifying, setVerifying] = useState(false);
  const waiting = history.writes.filter(
    ({ backup, state }) => state === "done" && backup.until === "confirmed",
  );
  const { operations, freed } = history.backups.prunable;
  const confirmAll = useMutation({
    mutationFn: () => api.confirm("all"),
    onSuccess: ({ confirmed }) => {
      toast({ text: `Confirmed ${plural(confirmed.length, "write", "writes")}` });
      stale();
    },
    onError: complain,
  });
  return (
    <>
      {operations.length > 0 && (
        <Button onClick={() => setPruning(true)}>Remove expired backups ({bytes(freed)})…</Button>
      )}
      {waiting.length > 1 && (
        <Button disabled={confirmAll.isPending} onClick={() => confirmAll.mutate()}>
          Confirm all {waiting.length}
        </Button>
      )}
      <Button onClick={() => setVerifying(true)}>Check backups</Button>
      {isVerifying && <Verify onClose={() => setVerifying(false)} />}
      {isPruning && <Prune prunable={history.backups.prunable} onClose={() => setPruning(false)} />}
    </>
  );
}

function Prune({
  prunable: { operations, freed, left },
  onClose,
}: {
  readonly prunable: HistoryAnswer["backups"]["prunable"];
  readonly onClose: () => void;
}) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.prune(),
    onSuccess: ({ pruned }) => {
      toast({
        text: `Removed ${plural(pruned.operations.length, "backup", "backups")}: ${bytes(pruned.freed)} freed`,
      });
      stale();
      onClose();
    },
    onError: complain,
  });
  return (
    <Dialog
      title="Remove expired backups"
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="danger" disabled={isPending} onClick={() => mutate()}>
            Remove {plural(operations.length, "backup", "backups")}
          </Button>
        </>
      }
    >
      <p>
        {plural(operations.length, "write", "writes")} could then no longer be undone:{" "}
        <code>{operations.slice(0, 12).join(", ")}</code>
        {operations.length > 12 && ` and ${operations.length - 12} more`}.
      </p>
      <p className={css.hint}>
        It frees {bytes(freed)}; {bytes(left)} are left.
      </p>
    </Dialog>
  );
}

/** Reads every backup, and says which are damaged. */
function Verify({ onClose }: { readonly onClose: () => void }) {
  const check = useMutation({ mutationFn: () => api.verifyBackups() });
  const repair = useMutation({ mutationFn: () => api.repairBackups() });
  const [isStarted, setStarted] = useState(false);
  if (!isStarted) {
    setStarted(true);
    queueMicrotask(() => check.mutate());
  }
  const verified = repair.data?.verified ?? check.data?.verified;
  const left = verified?.bad.filter(({ repaired }) => !repaired) ?? [];
  const canRepair = left.some(({ copy, operations }) => copy !== null || operations.length === 0);
  const isBusy = check.isPending || repair.isPending;
  return (
    <Dialog
      title="Check backups"
      description="Every backup and archived copy is read and compared with its checksum"
      onClose={onClose}
      footer={
        <>
          {canRepair && (
            <Button disabled={isBusy} onClick={() => repair.mutate()}>
              Repair from other copies
            </Button>
          )}
          <Button tone="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div role="status">
        {isBusy && <p>Reading…</p>}
        {(check.error ?? repair.error) && (
          <p className={css.bad}>{describe(check.error ?? repair.error).message}</p>
        )}
        {verified && !isBusy && (
          <>
            <p>
              {verified.bad.length === 0 && verified.state.length === 0
                ? `All backups are intact: ${plural(verified.blocks, "block", "blocks")}, ${bytes(verified.bytes)}.`
                : `${left.length} of ${plural(verified.blocks, "block", "blocks")} damaged${verified.bad.length > left.length ? `, ${verified.bad.length - left.length} repaired` : ""}.`}
            </p>
            <ul className={css.damages}>
              {verified.bad.map(({ block, why, operations, copy, repaired, files }) => (
                <li key={block}>
                  <b>{files[0] ?? block}</b>
                  <span>
                    {why}.{" "}
                    {repaired
                      ? "Repaired."
                      : copy === null
                        ? "No other copy was found."
                        : `The same bytes are in ${copy}.`}
                    {operations.length > 0 && ` Needed to undo ${operations.join(", ")}.`}
                  </span>
                </li>
              ))}
              {verified.state.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
            {verified.strays.length > 0 && (
              <p className={css.hint}>
                {plural(verified.strays.length, "file does", "files do")} not belong there and was left alone.
              </p>
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}
