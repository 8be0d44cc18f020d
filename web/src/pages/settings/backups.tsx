/** What the backups of our writes take, and how to remove the expired ones or check that all are whole. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { amount, bytes, plural } from "../../../../src/present/text/measure.ts";
import { adviceOf } from "../../change/advice.ts";
import { api, keys } from "../../lib/api.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { describe } from "../../ui/states.tsx";
import { toast } from "../../ui/toasts.tsx";
import { Row } from "./row.tsx";

const sayFailure = (error: unknown): void => {
  toast({ text: `${describe(error).message}. ${adviceOf(error).words}`, isError: true });
};

export function BackupRows({ isLocked }: { readonly isLocked: boolean }) {
  const client = useQueryClient();
  const { data } = useQuery({ queryKey: keys.history, queryFn: ({ signal }) => api.history({ signal }) });
  const prune = useMutation({
    mutationFn: () => api.prune(),
    onError: sayFailure,
    onSuccess({ pruned }) {
      void client.invalidateQueries({ queryKey: keys.history });
      toast({
        text: `${plural(pruned.operations.length, "backup", "backups")} removed, ${bytes(pruned.freed)} freed`,
      });
    },
  });
  const verify = useMutation({ mutationFn: () => api.verifyBackups(), onError: sayFailure });
  const backups = data?.backups;
  const prunable = backups?.prunable.operations.length ?? 0;
  const found = verify.data?.verified;
  const damaged = found ? found.bad.length + found.state.length : 0;
  return (
    <>
      <Row
        label="Backups now"
        about={
          backups
            ? `${bytes(backups.stored)} in the vault. ${
                prunable === 0
                  ? "None has expired."
                  : `${plural(prunable, "backup has", "backups have")} expired and would free ${bytes(backups.prunable.freed)}.`
              }`
            : " "
        }
      >
        <Link to="/history" className={buttonClass({})}>
          Open history
        </Link>
        <Button disabled={isLocked || prunable === 0 || prune.isPending} onClick={() => prune.mutate()}>
          Remove expired
        </Button>
      </Row>
      <Row
        label="Are they whole?"
        about={
          found
            ? damaged === 0
              ? `All ${amount(found.blocks)} blocks (${bytes(found.bytes)}) are as they were written.`
              : undefined
            : "Reads every block of the vault, and finds each flipped bit."
        }
        {...(damaged > 0 && {
          error: `${plural(damaged, "block is", "blocks are")} damaged; History shows which writes need them, and repairs what can be repaired.`,
        })}
      >
        <Button disabled={verify.isPending} onClick={() => verify.mutate()}>
          {verify.isPending ? "Checking…" : "Check backups"}
        </Button>
      </Row>
    </>
  );
}
