/** The frame of a view that is not split: a heading with actions, and what scrolls below it. */
import type { ReactNode, Ref } from "react";
import css from "./page.module.css";
import { useSteady } from "./use-steady.ts";

export function Page({
  title,
  actions,
  facts,
  isWide = false,
  ref,
  children,
}: {
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  readonly facts?: ReactNode;
  /** Uses all of the width, for tables. */
  readonly isWide?: boolean;
  readonly ref?: Ref<HTMLDivElement>;
  readonly children: ReactNode;
}) {
  const steady = useSteady();
  return (
    <div className={css.page} ref={ref} {...steady}>
      <div className={css.inner} data-wide={isWide || undefined}>
        <header className={css.header}>
          <div>
            <h1>{title}</h1>
            {facts !== undefined && <p className={css.facts}>{facts}</p>}
          </div>
          {actions !== undefined && <div className={css.actions}>{actions}</div>}
        </header>
        {children}
      </div>
    </div>
  );
}

export function Section({
  title,
  actions,
  children,
}: {
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className={css.section}>
      <header>
        <h2>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
}
