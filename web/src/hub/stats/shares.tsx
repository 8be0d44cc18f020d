/** Who, where and with what: each with its share of the work as a bar. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { HubStatsBy, HubStatsName, HubStatsQuery } from "../../../../src/client/hub-types.ts";
import { amount, compact, plural } from "../../../../src/present/text/measure.ts";
import { keys } from "../../lib/api.ts";
import { line } from "../../lib/titles.ts";
import { useNow } from "../../lib/use-now.ts";
import { mondayBefore } from "../../pages/home/calendar.ts";
import home from "../../pages/home/home.module.css";
import { HomeSection } from "../../pages/home/home-section.tsx";
import { WEEKS } from "../../pages/home/use-stats.ts";
import type { Filters } from "../../router.tsx";
import { hubApi } from "../api.ts";
import css from "./stats.module.css";

export interface Share {
  readonly name: string;
  readonly sessions: number;
  readonly turns: number | undefined;
  readonly tokens: number;
}

export function useShares(by: HubStatsName, query: HubStatsQuery) {
  return useQuery({
    queryKey: keys.stats({ by, ...query }),
    queryFn: ({ signal }) => hubApi.statsBy(by, query, { signal }),
  });
}

/** Models are counted by calls, all others by turns. */
export const toShares = ({ rows }: Pick<HubStatsBy, "rows">): Share[] =>
  rows.flatMap((row) => {
    if ("key" in row)
      return {
        name: row.key ?? "none",
        sessions: row.sessionCount,
        turns: row.turns,
        tokens: row.inputTokens + row.outputTokens,
      };
    if ("model" in row)
      return {
        name: row.model,
        sessions: row.sessionCount,
        turns: undefined,
        tokens: row.inputTokens + row.outputTokens,
      };
    return [];
  });

/** What a bar stands for: turns, where they are counted, else tokens. */
const weightOf = ({ turns, tokens }: Share): number => turns ?? tokens;

export function ShareList({
  shares,
  toSearch,
  most = Number.POSITIVE_INFINITY,
}: {
  readonly shares: readonly Share[];
  /** The sessions that it is about. */
  readonly toSearch?: (name: string) => Filters;
  readonly most?: number;
}) {
  const largest = Math.max(1, ...shares.map(weightOf));
  return (
    <ul className={css.shares}>
      {shares.slice(0, most).map((share) => (
        <li key={share.name}>
          {toSearch ? (
            <Link to="/sessions" search={toSearch(share.name)} className={css.name} data-stop>
              {line(share.name)}
            </Link>
          ) : (
            <span className={css.name}>{line(share.name)}</span>
          )}
          <span className={css.numbers}>
            {share.turns === undefined
              ? `${compact(share.tokens)} tokens`
              : `${plural(share.turns, "turn", "turns")}`}
            {" · "}
            {amount(share.sessions)} {share.sessions === 1 ? "session" : "sessions"}
          </span>
          <i className={css.track} aria-hidden="true">
            <i style={{ width: `${Math.max(1, (weightOf(share) / largest) * 100)}%` }} />
          </i>
        </li>
      ))}
    </ul>
  );
}

const MOST_PEOPLE = 6;

/** Of the home page: the last half year. */
export function ByPerson() {
  const since = mondayBefore(WEEKS - 1, useNow()).toISOString();
  const { data } = useShares("person", { since });
  const shares = data ? toShares(data) : [];
  if (data && shares.length === 0) return null;
  return (
    <HomeSection
      title="People"
      {...(data && { count: plural(shares.length, "person", "people") })}
      more={
        <Link to="/stats" className={home.more}>
          Statistics
        </Link>
      }
    >
      <ShareList shares={shares} most={MOST_PEOPLE} toSearch={(person) => ({ person })} />
    </HomeSection>
  );
}
