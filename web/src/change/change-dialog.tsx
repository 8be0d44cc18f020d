/** TEMPORARY: replaced by the dialog itself. */
import { Dialog } from "../ui/dialog.tsx";
import { type ChangeRequest, closeChange } from "./change.ts";

export function ChangeDialog({ request }: { readonly request: ChangeRequest }) {
  return (
    <Dialog title={request.kind} onClose={closeChange}>
      {request.sessions.join(", ")}
    </Dialog>
  );
}
