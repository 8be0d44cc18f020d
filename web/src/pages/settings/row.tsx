/** One line of a settings card: what it is on the left, what can be done on the right. */
import type { ReactNode } from "react";
import css from "./settings.module.css";

export function Card({ children }: { readonly children: ReactNode }) {
  return <div className={css.card}>{children}</div>;
}

export function Row({
  label,
  about,
  badge,
  error,
  isStacked = false,
  children,
}: {
  readonly label: ReactNode;
  readonly about?: ReactNode;
  readonly badge?: ReactNode;
  readonly error?: ReactNode;
  /** The control takes all of the width, below the words. */
  readonly isStacked?: boolean;
  readonly children?: ReactNode;
}) {
  return (
    <div className={css.row} data-stacked={isStacked || undefined}>
      <div className={css.words}>
        <h3>
          {label} {badge}
        </h3>
        {about !== undefined && <p>{about}</p>}
        {error !== undefined && (
          <p className={css.error} role="alert">
            {error}
          </p>
        )}
      </div>
      {children !== undefined && <div className={css.control}>{children}</div>}
    </div>
  );
}
