/** A dialog that traps focus and gives it back; Escape and a click outside close it. */
import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "./button.tsx";
import css from "./dialog.module.css";

export function Dialog({
  title,
  description,
  onClose,
  size = "medium",
  footer,
  children,
}: {
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly onClose: () => void;
  readonly size?: "small" | "medium" | "large";
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={css.backdrop} />
        <Base.Popup className={css.popup} data-size={size}>
          <header className={css.header}>
            <div>
              <Base.Title className={css.title}>{title}</Base.Title>
              {description !== undefined && (
                <Base.Description className={css.description}>{description}</Base.Description>
              )}
            </div>
            <IconButton label="Close" onClick={onClose}>
              <X />
            </IconButton>
          </header>
          <div className={css.body}>{children}</div>
          {footer !== undefined && <footer className={css.footer}>{footer}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
