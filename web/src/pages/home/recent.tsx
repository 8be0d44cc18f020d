/** The last session of each repository, to continue where one was. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, keys } from "../../lib/api.ts";
import { Skeleton } from "../../ui/states.tsx";
import type { SessionRow } from "../sessions/session-query.ts";
import { useLiveness } from "../sessions/use-live.ts";
import css from "./home.module.css";
import { HomeSection } from "./home-section.tsx";
import { placeOf, repositoryOf } from "./place.ts";
import { SessionLine } from "./session-line.tsx";

/** Among so many sessions are those of all repositories that one works on. */
const QUERY = { limit: 300, owners: false };
const MOST = 8;

export function Recent() {
  const { data, isPending } = useQuery({
    queryKey: keys.sessions(QUERY),
    queryFn: ({ signal }) => api.sessions(QUERY, { signal }),
  });
  const livenessOf = useLiveness();
  return (
    <HomeSection
      title="Last in each repository"
      more={
        <Link to="/sessions" className={css.more}>
          All sessions
        </Link>
      }
    >
      {isPending ? (
        <div className={css.wait}>
          <Skeleton rows={MOST} height={54} />
        </div>
      ) : (
        <ul>
          {lastOfEach((data?.sessions ?? []).filter((each) => livenessOf(each) === undefined)).map(
            (session) => (
              <SessionLine
                key={`${session.source} ${session.id}`}
                session={session}
                where={placeOf(session)}
              />
            ),
          )}
        </ul>
      )}
    </HomeSection>
  );
}

/** Latest first; where all is one repository, its latest ones. */
function lastOfEach(sessions: readonly SessionRow[]): readonly SessionRow[] {
  const here = sessions.filter(({ vanishedAt }) => vanishedAt === null);
  const last = Map.groupBy(here, (session) => repositoryOf(session) ?? "");
  const each = [...last.values()].flatMap((all) => all.slice(0, 1));
  return (each.length > 2 ? each : here).slice(0, MOST);
}
