/** Short messages at the edge of the page: what was done, with a way to undo it. */
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { createStore, useStore } from "../lib/store.ts";
import { Button, IconButton } from "./button.tsx";
import css from "./toasts.module.css";

interface Toast {
  readonly id: number;
  readonly text: ReactNode;
  readonly isError?: boolean;
  readonly action?: { readonly label: string; readonly run: () => void };
}

const toasts = createStore<readonly Toast[]>([]);
let last = 0;
const SHOWN_MS = 6000;
/** What offers a way back, or went wrong, stays until it is read. */
const SHOWN_LONG_MS = 30_000;

const dismiss = (id: number): void => toasts.set((before) => before.filter((each) => each.id !== id));

export function toast(what: Omit<Toast, "id">): void {
  const id = ++last;
  toasts.set((before) => [...before.slice(-3), { ...what, id }]);
  setTimeout(() => dismiss(id), what.isError || what.action ? SHOWN_LONG_MS : SHOWN_MS);
}

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
