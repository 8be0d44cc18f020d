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
  /** Nothing for what has no repository. */
  readonly name: string | null;
  readonly sessions: number;
  /** What the bar stands for. */
  readonly weight: number;
  /** That, in words. */
  readonly says: string;
}

export function useShares(by: HubStatsName, query: HubStatsQuery) {
  return useQuery({
    queryKey: keys.stats({ by, ...query }),
    queryFn: ({ signal }) => hubApi.statsBy(by, query, { signal }),
  });
}

/** Models are counted by tokens, tools by calls, all others by turns. */
export const toShares = ({ rows }: Pick<HubStatsBy, "rows">): Share[] =>
  rows.flatMap((row) => {
    const sessions = row.sessionCount;
    if ("key" in row)
      return { name: row.key, sessions, weight: row.turns, says: plural(row.turns, "turn", "turns") };
    if ("model" in row) {
      const tokens = row.inputTokens + row.outputTokens;
      return { name: row.model, sessions, weight: tokens, says: `${compact(tokens)} tokens` };
    }
    if ("tool" in row) {
      const failed = row.failedCalls > 0 ? ` (${amount(row.failedCalls)} failed)` : "";
      const says = `${plural(row.toolCalls, "call", "calls")}${failed}`;
      return { name: row.tool, sessions, weight: row.toolCalls, says };
    }
    return [];
  });

export function ShareList({
  shares,
  toSearch,
  labelOf = (name) => name,
  most = Number.POSITIVE_INFINITY,
}: {
  readonly shares: readonly Share[];
  readonly labelOf?: (name: string) => string;
  /** The sessions that it is about. */
  readonly toSearch?: (name: string) => Filters;
  readonly most?: number;
}) {
  const largest = Math.max(1, ...shares.map(({ weight }) => weight));
  return (
    <ul className={css.shares}>
      {shares.slice(0, most).map(({ name, sessions, weight, says }) => (
        <li key={name}>
          {toSearch && name !== null ? (
            <Link to="/sessions" search={toSearch(name)} className={css.name} data-stop>
              {line(labelOf(name))}
            </Link>
          ) : (
            <span className={css.name}>{name === null ? "none" : line(labelOf(name))}</span>
          )}
          <span className={css.numbers}>
            {says}
            {" · "}
            {amount(sessions)} {sessions === 1 ? "session" : "sessions"}
          </span>
          <i className={css.track} aria-hidden="true">
            <i style={{ width: `${Math.max(1, (weight / largest) * 100)}%` }} />
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
