/** Buttons, and the hints that name them. */
import { Tooltip } from "@base-ui/react/tooltip";
import type { ButtonHTMLAttributes, ReactElement, ReactNode, Ref } from "react";
import css from "./button.module.css";
import { Keys } from "./keys.tsx";

export type Tone = "plain" | "primary" | "danger" | "ghost";

interface Look {
  readonly tone?: Tone | undefined;
  readonly size?: "small" | "normal" | undefined;
}

/** Also for links that look like buttons. */
export const buttonClass = ({ tone = "plain", size = "normal" }: Look, extra?: string): string =>
  [css.button, css[tone], css[size], extra].filter(Boolean).join(" ");

export interface ButtonProps extends Look, ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon?: ReactNode;
  /** The shortcut that does the same. */
  readonly keys?: string | undefined;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({
  tone,
  size,
  icon,
  keys,
  className,
  children,
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <button type={type} className={buttonClass({ tone, size }, className)} {...rest}>
      {icon}
      {children !== undefined && <span className={css.label}>{children}</span>}
      {keys !== undefined && <Keys keys={keys} />}
    </button>
  );
}

/** A button that is only an icon has its name in a hint. */
export function IconButton({
  label,
  keys,
  children,
  className,
  tone: _,
  size: __,
  ...rest
}: Omit<ButtonProps, "icon"> & { readonly label: string }) {
  return (
    <Hint label={label} keys={keys}>
      <button
        type="button"
        aria-label={label}
        className={[css.icon, className].filter(Boolean).join(" ")}
        {...rest}
      >
        {children}
      </button>
    </Hint>
  );
}

/** Shown on hover and focus. */
export function Hint({
  label,
  keys,
  side = "bottom",
  children,
}: {
  readonly label: ReactNode;
  readonly keys?: string | undefined;
  readonly side?: "top" | "bottom" | "left" | "right";
  readonly children: ReactElement<Record<string, unknown>>;
}) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger render={children} />
      <Tooltip.Portal>
        <Tooltip.Positioner side={side} sideOffset={6} className={css.positioner}>
          <Tooltip.Popup className={css.tooltip}>
            {label}
            {keys !== undefined && <Keys keys={keys} />}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
