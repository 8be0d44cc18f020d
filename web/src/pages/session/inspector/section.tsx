/** A part of the inspector, with its heading. */
import type { ReactNode } from "react";
import css from "./inspector.module.css";

export function Section({
  title,
  count,
  children,
}: {
  readonly title: string;
  readonly count?: number;
  readonly children: ReactNode;
}) {
  return (
    <section className={css.section}>
      <h2>
        {title}
        {count !== undefined && <span> · {count}</span>}
      </h2>
      {children}
    </section>
  );
}
