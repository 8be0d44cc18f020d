/** What was I doing, and is anything wrong? */
import { useQuery } from "@tanstack/react-query";
import type { Answer } from "../../../../src/client/types.ts";
import { Failure } from "../../change/failure.tsx";
import { api, keys } from "../../lib/api.ts";
import { useMedia } from "../../lib/use-media.ts";
import { useSteady } from "../../ui/use-steady.ts";
import { NoSessions } from "../sessions/no-sessions.tsx";
import { Activity } from "./activity.tsx";
import css from "./home.module.css";
import { InProgress } from "./in-progress.tsx";
import { Problems } from "./problems.tsx";
import { Recent } from "./recent.tsx";
import { SearchBox } from "./search-box.tsx";
import { Sources } from "./sources.tsx";
import { Weeks } from "./weeks.tsx";

export function Home() {
  const overview = useQuery({
    queryKey: keys.overview,
    queryFn: ({ signal }) => api.overview({ signal }),
  });
  const { data } = overview;
  const steady = useSteady();
  if (overview.isError && !data)
    return <Failure error={overview.error} retry={() => void overview.refetch()} />;
  return (
    <div className={css.page} {...steady}>
      <div className={css.inner}>
        <h1 className="sr-only">Home</h1>
        <SearchBox sessionCount={data?.sessionCount} />
        {data?.sessionCount === 0 && data.vanished === 0 ? <NoSessions /> : <Parts overview={data} />}
      </div>
    </div>
  );
}

/** In two columns, what to go on with is on the left; in one, what is wrong comes before the numbers. */
function Parts({ overview }: { readonly overview: Answer<"overview"> | undefined }) {
  const isOne = useMedia("(max-width: 1000px)");
  const problems = <Problems overview={overview} />;
  const sources = <Sources overview={overview} />;
  return isOne ? (
    <div className={css.columns}>
      <div className={css.column}>
        <InProgress />
        {problems}
        <Recent />
        {sources}
        <Activity />
        <Weeks />
      </div>
    </div>
  ) : (
    <div className={css.columns}>
      <div className={css.column}>
        <InProgress />
        <Recent />
        <Activity />
      </div>
      <div className={css.column}>
        {problems}
        {sources}
        <Weeks />
      </div>
    </div>
  );
}
