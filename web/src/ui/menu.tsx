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
  /** It cannot be done, and why. */
  readonly refusal?: string | undefined;
  /** Begins a new group. */
  readonly isApart?: boolean;
}

/** One of those before has the same reason. */
const isSaid = (items: readonly MenuItem[], at: number): boolean =>
  items.slice(0, at).some(({ refusal }) => refusal === items[at]?.refusal);

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
            {items.map(({ label, run, icon, keys, isDanger, refusal, isApart }, at) => (
              <Base.Item
                key={label}
                className={css.item}
                onClick={run}
                disabled={refusal !== undefined}
                data-danger={(isDanger && refusal === undefined) || undefined}
                title={refusal}
                data-apart={isApart || undefined}
              >
                <span className={css.icon}>{icon}</span>
                <span className={css.label}>
                  {label}
                  {refusal !== undefined && (
                    <small className={isSaid(items, at) ? "sr-only" : css.refusal}>{refusal}</small>
                  )}
                </span>
                {keys !== undefined && refusal === undefined && <Keys keys={keys} />}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
