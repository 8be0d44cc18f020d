/** What was I doing, and is anything wrong? */
import { useQuery } from "@tanstack/react-query";
import { api, keys } from "../../lib/api.ts";
import { Failure } from "../../ui/states.tsx";
import { NoSessions } from "../sessions/no-sessions.tsx";
import { Activity } from "./activity.tsx";
import css from "./home.module.css";
import { InProgress } from "./in-progress.tsx";
import { Problems } from "./problems.tsx";
import { Recent } from "./recent.tsx";
import { SearchBox } from "./search-box.tsx";
import { Sources } from "./sources.tsx";

export function Home() {
  const overview = useQuery({
    queryKey: keys.overview,
    queryFn: ({ signal }) => api.overview({ signal }),
  });
  const { data } = overview;
  if (overview.isError && !data)
    return <Failure error={overview.error} retry={() => void overview.refetch()} />;
  return (
    <div className={css.page}>
      <div className={css.inner}>
        <h1 className="sr-only">Home</h1>
        <SearchBox overview={data} />
        {data?.sessionCount === 0 && data.vanished === 0 ? (
          <NoSessions />
        ) : (
          <div className={css.columns}>
            <div className={css.column}>
              <InProgress />
              <Recent />
            </div>
            <div className={css.column}>
              <Problems overview={data} />
              <Sources overview={data} />
            </div>
            <Activity />
          </div>
        )}
      </div>
    </div>
  );
}
