/** A menu of actions behind a button. */
import { Menu as Base } from "@base-ui/react/menu";
import type { ReactElement, ReactNode } from "react";
import { Keys } from "./keys.tsx";
import css from "./menu.module.css";

export interface MenuItem {
  readonly label: string;
  readonly run: () => void;
  readonly icon?: ReactNode;
  readonly keys?: string;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  /** Begins a new group. */
  readonly isApart?: boolean;
}

export function Menu({
  trigger,
  items,
  align = "end",
}: {
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly items: readonly MenuItem[];
  readonly align?: "start" | "end";
}) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} className={css.positioner}>
          <Base.Popup className={css.popup}>
            {items.map(({ label, run, icon, keys, isDanger, isDisabled, isApart }) => (
              <Base.Item
                key={label}
                className={css.item}
                onClick={run}
                disabled={isDisabled === true}
                data-danger={isDanger || undefined}
                data-apart={isApart || undefined}
              >
                <span className={css.icon}>{icon}</span>
                <span className={css.label}>{label}</span>
                {keys !== undefined && <Keys keys={keys} />}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
