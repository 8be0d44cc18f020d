/** A dialog that traps focus and gives it back; Escape and a click outside close it. */
import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import button from "./button.module.css";
import css from "./dialog.module.css";

export function Dialog({
  title,
  description,
  onClose,
  size = "medium",
  footer,
  isBare = false,
  isToRead = false,
  initialFocus,
  children,
}: {
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly onClose: () => void;
  readonly size?: "small" | "medium" | "large";
  readonly footer?: ReactNode;
  /** The content comes with its own space around it. */
  readonly isBare?: boolean;
  /** Nothing in it takes the focus, so all of it does, to be scrolled with the keys. */
  readonly isToRead?: boolean;
  /** What has the focus first, instead of the first thing that can have it. */
  readonly initialFocus?: () => HTMLElement | null;
  readonly children: ReactNode;
}) {
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={css.backdrop} />
        <Base.Popup
          className={css.popup}
          data-size={size}
          {...(initialFocus && { initialFocus: () => initialFocus() ?? true })}
        >
          <header className={css.header}>
            <div>
              <Base.Title className={css.title}>{title}</Base.Title>
              {description !== undefined && (
                <Base.Description className={css.description}>{description}</Base.Description>
              )}
            </div>
            {/* Without a hint: it has the focus first, and Escape would close the hint instead of the dialog. */}
            <button type="button" aria-label="Close" className={button.icon} onClick={onClose}>
              <X />
            </button>
          </header>
          <div className={css.body} data-bare={isBare || undefined} {...(isToRead && { tabIndex: 0 })}>
            {children}
          </div>
          {footer !== undefined && <footer className={css.footer}>{footer}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
