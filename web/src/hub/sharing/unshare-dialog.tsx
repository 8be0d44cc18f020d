/** Stops sharing something, after saying what that means. */
import type { HubShare } from "../../../../src/client/hub-types.ts";
import { plural } from "../../../../src/present/text/measure.ts";
import { line } from "../../lib/titles.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import css from "./sharing.module.css";
import { failureText, useUnshare } from "./use-sharing.ts";

export function UnshareDialog({
  share,
  name,
  onClose,
}: {
  readonly share: HubShare;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const unshare = useUnshare(onClose);
  const failure = failureText(unshare.error);
  return (
    <Dialog
      title={`Stop sharing ${line(name)}`}
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" disabled={unshare.isPending} onClick={() => unshare.mutate(share)}>
            Stop sharing
          </Button>
        </>
      }
    >
      <p>
        The team {line(share.team)} will no longer see{" "}
        <b>{plural(share.sessionCount, "session", "sessions")}</b>. What they have read already stays known to
        them; the audit log says who read what.
      </p>
      {failure !== undefined && (
        <p className={css.failure} role="alert">
          {failure}
        </p>
      )}
    </Dialog>
  );
}
