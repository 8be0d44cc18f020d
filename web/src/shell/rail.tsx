/** The rail: one icon for each view, and a dot where something is wrong. */
import { Link, useLocation } from "@tanstack/react-router";
import { plural } from "../../../src/present/text/measure.ts";
import { Hint } from "../ui/button.tsx";
import type { Place } from "./places.ts";
import css from "./shell.module.css";

export function Rail({ places, wrong }: { readonly places: readonly Place[]; readonly wrong: number }) {
  const { pathname } = useLocation();
  const isAt = (to: string): boolean =>
    to === "/"
      ? pathname === "/"
      : pathname.startsWith(to) || (to === "/sessions" && pathname.startsWith("/s/"));
  return (
    <nav className={css.rail} aria-label="Views">
      <Link to="/" className={css.logo} aria-label="Rethread, home">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path d="M10 24V13.500c0-3 2-5 5-5h7M10 16.500c4 0 12-.5 12 7.500" />
        </svg>
      </Link>
      {places.map(({ to, label, keys: shortcut, icon: Icon, isLast }) => {
        const says =
          to === "/doctor" && wrong > 0 ? `${label}, ${plural(wrong, "problem", "problems")}` : label;
        return (
          <Hint key={to} label={says} keys={shortcut} side="right">
            <Link
              to={to}
              className={css.place}
              aria-label={says}
              aria-current={isAt(to) ? "page" : undefined}
              data-last={isLast || undefined}
            >
              <Icon />
              {to === "/doctor" && wrong > 0 && <i className={css.dot} />}
            </Link>
          </Hint>
        );
      })}
    </nav>
  );
}
