/** Buttons, and the hints that name them. */
import { Tooltip } from "@base-ui/react/tooltip";
import type { ButtonHTMLAttributes, ReactElement, ReactNode, Ref } from "react";
import css from "./button.module.css";
import { Keys } from "./keys.tsx";
import { toast } from "./toast.ts";

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
  /** It cannot be done, and why: the button stays, can be reached, and says so. */
  readonly refusal?: string | undefined;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** It can still be reached, to be asked why: by a finger, too, which has no hints. */
const refused = (why: string | undefined) =>
  why === undefined
    ? {}
    : { "aria-disabled": true, "data-refused": true, onClick: () => toast({ text: why }) };

export function Button({
  tone,
  size,
  icon,
  keys,
  refusal,
  className,
  children,
  type = "button",
  ...rest
}: ButtonProps) {
  const button = (
    <button type={type} className={buttonClass({ tone, size }, className)} {...rest} {...refused(refusal)}>
      {icon}
      {children !== undefined && <span className={css.label}>{children}</span>}
      {keys !== undefined && refusal === undefined && <Keys keys={keys} />}
      {refusal !== undefined && <span className="sr-only">: {refusal}</span>}
    </button>
  );
  return refusal === undefined ? button : <Hint label={refusal}>{button}</Hint>;
}

/** A button that is only an icon has its name in a hint. */
export function IconButton({
  label,
  keys,
  children,
  className,
  tone: _,
  size: __,
  refusal,
  ...rest
}: Omit<ButtonProps, "icon"> & { readonly label: string }) {
  const name = refusal === undefined ? label : `${label}: ${refusal}`;
  return (
    <Hint label={name} keys={refusal === undefined ? keys : undefined}>
      <button
        type="button"
        aria-label={name}
        className={[css.icon, className].filter(Boolean).join(" ")}
        {...rest}
        {...refused(refusal)}
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
