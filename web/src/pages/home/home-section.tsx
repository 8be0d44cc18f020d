/** A part of the home page: a heading, a link to where there is more, and what it is about. */
import type { ReactNode } from "react";
import css from "./home.module.css";

export function HomeSection({
  title,
  count,
  more,
  children,
}: {
  readonly title: string;
  readonly count?: ReactNode;
  readonly more?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className={css.section}>
      <header>
        <h2>
          {title}
          {count !== undefined && <span>{count}</span>}
        </h2>
        {more}
      </header>
      {children}
    </section>
  );
}
