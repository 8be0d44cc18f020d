/** What has the team been doing? */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { plural } from "../../../../src/present/text/measure.ts";
import { Failure } from "../../change/failure.tsx";
import { api, keys } from "../../lib/api.ts";
import { toKey } from "../../lib/session-key.ts";
import { line } from "../../lib/titles.ts";
import { useMedia } from "../../lib/use-media.ts";
import { Activity } from "../../pages/home/activity.tsx";
import css from "../../pages/home/home.module.css";
import { HomeSection } from "../../pages/home/home-section.tsx";
import { repositoryOf } from "../../pages/home/place.ts";
import { SearchBox } from "../../pages/home/search-box.tsx";
import { SessionLine } from "../../pages/home/session-line.tsx";
import { Weeks } from "../../pages/home/weeks.tsx";
import type { SessionRow } from "../../pages/sessions/session-query.ts";
import { Skeleton } from "../../ui/states.tsx";
import { useSteady } from "../../ui/use-steady.ts";
import { useStops } from "../../ui/use-stops.ts";
import { NothingShared } from "../sessions/nothing-shared.tsx";
import { ByPerson } from "../stats/shares.tsx";

/** Among so many are those of all repositories that are worked on. */
const QUERY = { limit: 200 };
const MOST_REPOSITORIES = 5;
const MOST_SESSIONS = 3;

export function Home() {
  const latest = useQuery({
    queryKey: keys.sessions(QUERY),
    queryFn: ({ signal }) => api.sessions(QUERY, { signal }),
  });
  const steady = useSteady();
  const isOne = useMedia("(max-width: 1000px)");
  const view = useStops("Home");
  const { data } = latest;
  if (latest.isError && !data) return <Failure error={latest.error} retry={() => void latest.refetch()} />;
  const work = <LatestWork sessions={data?.sessions} />;
  return (
    <div className={css.page} ref={view} {...steady}>
      <div className={css.inner}>
        <h1 className="sr-only">Home</h1>
        <SearchBox sessionCount={data?.total} />
        {data?.total === 0 ? (
          <NothingShared />
        ) : isOne ? (
          <div className={css.columns}>
            <div className={css.column}>
              {work}
              <ByPerson />
              <Activity />
              <Weeks />
            </div>
          </div>
        ) : (
          <div className={css.columns}>
            <div className={css.column}>
              {work}
              <Activity />
            </div>
            <div className={css.column}>
              <ByPerson />
              <Weeks />
            </div>
          </div>
        )}
      </div>
    </div>
  );
}

/** The latest sessions by repository: who did what. */
function LatestWork({ sessions }: { readonly sessions: readonly SessionRow[] | undefined }) {
  if (!sessions)
    return (
      <HomeSection title="Latest work">
        <div className={css.wait}>
          <Skeleton rows={8} height={54} />
        </div>
      </HomeSection>
    );
  const groups = [...Map.groupBy(sessions, (session) => repositoryOf(session) ?? "No repository")];
  return (
    <>
      {groups.slice(0, MOST_REPOSITORIES).map(([repository, all]) => (
        <HomeSection
          key={repository}
          title={line(repository)}
          count={whoOf(all)}
          more={
            all[0]?.repository ? (
              <Link to="/sessions" search={{ repo: all[0].repository }} className={css.more}>
                All of it
              </Link>
            ) : undefined
          }
        >
          <ul>
            {all.slice(0, MOST_SESSIONS).map((session) => (
              <SessionLine key={toKey(session)} session={session} where={whereOf(session)} isRead />
            ))}
          </ul>
        </HomeSection>
      ))}
      {groups.length > MOST_REPOSITORIES && (
        <Link to="/sessions" className={css.more}>
          {plural(groups.length - MOST_REPOSITORIES, "more repository", "more repositories")}
        </Link>
      )}
    </>
  );
}

/** "ada, robin and 2 more" */
function whoOf(sessions: readonly SessionRow[]): string {
  const people = [...new Set(sessions.flatMap(({ person }) => person ?? []))];
  const shown = people.slice(0, 3).map(line);
  const rest = people.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}

const whereOf = ({ person, branch }: SessionRow): string =>
  line([person, branch].filter((part) => typeof part === "string").join(" @ "));
