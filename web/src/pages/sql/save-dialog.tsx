/** Gives a query a name under which it is found again. */
import { type FormEvent, useState } from "react";
import { useStore } from "../../lib/store.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { toast } from "../../ui/toasts.tsx";
import { save, saved } from "./saved.ts";

export function SaveDialog({
  sql,
  name: given,
  onClose,
}: {
  readonly sql: string;
  readonly name: string;
  readonly onClose: (name?: string) => void;
}) {
  const [name, setName] = useState(given);
  const isTaken = useStore(saved).some((each) => each.name === name.trim());
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === "") return;
    save({ name: name.trim(), sql });
    toast({ text: `Saved as “${name.trim()}”` });
    onClose(name.trim());
  };
  return (
    <Dialog
      title="Save the query"
      size="small"
      onClose={() => onClose()}
      footer={
        <>
          <Button onClick={() => onClose()}>Cancel</Button>
          <Button tone="primary" type="submit" form="save-query" disabled={name.trim() === ""}>
            {isTaken ? "Replace" : "Save"}
          </Button>
        </>
      }
    >
      <form id="save-query" onSubmit={submit}>
        <TextField
          label="Name"
          value={name}
          autoFocus
          maxLength={80}
          onChange={(event) => setName(event.target.value)}
          hint={isTaken ? "Takes the place of the query of that name." : "Kept in this browser."}
        />
      </form>
    </Dialog>
  );
}
