/** Who read what, and who changed what: for those who run the hub. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ScrollText } from "lucide-react";
import type { HubAuditEntry } from "../../../../src/client/hub-types.ts";
import { moment } from "../../../../src/present/text/measure.ts";
import { Failure } from "../../change/failure.tsx";
import { line } from "../../lib/titles.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Skeleton } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useStops } from "../../ui/use-stops.ts";
import { hubApi, hubKeys } from "../api.ts";
import css from "./audit.module.css";
import { actionWords, isSessionName } from "./words.ts";

export function Audit() {
  const view = useStops("Audit log");
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: hubKeys.audit,
    queryFn: ({ pageParam, signal }) =>
      hubApi.audit(pageParam === null ? {} : { cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Page ref={view} title="Audit log" facts="Who read another person’s session, and who changed what">
      {error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton rows={10} height={40} />
      ) : entries.length === 0 ? (
        <Empty title="Nothing yet" icon={<ScrollText />}>
          When somebody reads another person’s session, it is listed here.
        </Empty>
      ) : (
        <>
          <div className={css.scroll}>
            <table className={css.table}>
              <thead>
                <tr>
                  <th scope="col">When</th>
                  <th scope="col">Who</th>
                  <th scope="col">What</th>
                  <th scope="col">About</th>
                </tr>
              </thead>
              <tbody>
                {entries.map((entry, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: entries are never changed, and come at the end
                  <Row key={at} entry={entry} />
                ))}
              </tbody>
            </table>
          </div>
          {hasNextPage && (
            <Button onClick={() => void fetchNextPage()} disabled={isFetchingNextPage}>
              Show more
            </Button>
          )}
        </>
      )}
    </Page>
  );
}

function Row({
  entry: { at, actor, account, action, subject, title, detail },
}: {
  readonly entry: HubAuditEntry;
}) {
  const whose = account !== null && account !== actor && account !== subject ? `of ${line(account)}` : "";
  const more = [whose, detailText(detail)].filter((part) => part !== "").join(" · ");
  return (
    <tr>
      <td className={css.when} title={moment(at)}>
        <Time at={at} isBrief />
      </td>
      <td className={css.who}>{actor === null ? "the operator" : line(actor)}</td>
      <td>{actionWords(action)}</td>
      <td className={css.about}>
        {isSessionName(subject) ? (
          <Link to="/s/$key" params={{ key: subject }} title={subject} data-stop>
            {line(title || subject)}
          </Link>
        ) : (
          line(subject)
        )}
        {more !== "" && <small>{more}</small>}
      </td>
    </tr>
  );
}

/** "scopes push, read · revoked 2" */
function detailText(detail: HubAuditEntry["detail"]): string {
  return line(
    Object.entries(detail)
      .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(", ") : JSON.stringify(value)}`)
      .join(" · "),
  );
}
