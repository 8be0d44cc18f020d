/** How much there is of each source. */
import { Link } from "@tanstack/react-router";
import type { Answer } from "../../../../src/client/types.ts";
import { amount, bytes, plural } from "../../../../src/present/text/measure.ts";
import { sourceOf } from "../../lib/sources.ts";
import { SourceMark } from "../../ui/marks.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import home from "./home.module.css";
import { HomeSection } from "./home-section.tsx";
import css from "./sources.module.css";

export function Sources({ overview }: { readonly overview: Answer<"overview"> | undefined }) {
  return (
    <HomeSection
      title="Sources"
      {...(overview && { count: plural(overview.sessionCount, "session", "sessions") })}
    >
      {overview ? (
        <ul className={css.sources}>
          {overview.sources.map(({ source, sessionCount, turns, bytes: size, lastActivity }) => (
            <li key={source}>
              <SourceMark source={source} />
              <Link to="/sessions" search={{ source }} className={css.name}>
                {sourceOf(source).short}
              </Link>
              <span className={css.when}>
                <Time at={lastActivity} isBrief />
              </span>
              <span className={css.numbers}>
                {plural(sessionCount, "session", "sessions")} · {amount(turns)} turns · {bytes(size)}
              </span>
            </li>
          ))}
          {overview.vanished > 0 && (
            <li className={css.gone}>
              {plural(overview.vanished, "more session", "more sessions")}, whose files are gone, can still be
              read.
            </li>
          )}
        </ul>
      ) : (
        <div className={home.wait}>
          <Skeleton rows={3} height={54} />
        </div>
      )}
    </HomeSection>
  );
}
