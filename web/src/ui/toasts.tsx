/** Short messages at the edge of the page: what was done, with a way to undo it. */
import { X } from "lucide-react";
import { useStore } from "../lib/store.ts";
import { Button, IconButton } from "./button.tsx";
import { dismiss, toast, toasts } from "./toast.ts";
import css from "./toasts.module.css";

export { toast };

export function Toasts() {
  const shown = useStore(toasts);
  return (
    <div className={css.toasts} role="status" aria-live="polite">
      {shown.map(({ id, text, isError, action }) => (
        <div key={id} className={css.toast} data-error={isError || undefined}>
          <span>{text}</span>
          {action && (
            <Button
              size="small"
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton label="Dismiss" onClick={() => dismiss(id)}>
            <X />
          </IconButton>
        </div>
      ))}
    </div>
  );
}
