/** The teams that one is in, and who else is in them. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Users } from "lucide-react";
import { plural } from "../../../../src/present/text/measure.ts";
import { Failure } from "../../change/failure.tsx";
import { api, keys } from "../../lib/api.ts";
import { line } from "../../lib/titles.ts";
import type { Facets } from "../../pages/sessions/session-query.ts";
import { Page, Section } from "../../ui/page.tsx";
import { Empty, Skeleton } from "../../ui/states.tsx";
import { useStops } from "../../ui/use-stops.ts";
import { useAccount } from "../account.ts";
import { usePeople } from "../sharing/use-sharing.ts";
import css from "./people.module.css";

const FACETS = { facets: true, limit: 1 };

export function People() {
  const { user } = useAccount();
  const view = useStops("People");
  const { data, error, refetch } = usePeople();
  const { data: listed } = useQuery({
    queryKey: keys.sessions(FACETS),
    queryFn: ({ signal }) => api.sessions(FACETS, { signal }),
  });
  const facets = listed?.facets as Facets | undefined;
  const counts = new Map((facets?.people ?? []).map(({ value, count }) => [value, count]));
  return (
    <Page ref={view} title="People" facts="Your teams, and whose sessions you may see">
      {error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton rows={6} height={44} />
      ) : data.teams.length === 0 ? (
        <Empty title="You are in no team yet" icon={<Users />}>
          Whoever runs the hub adds you to one with{" "}
          <code>rethread hub team join &lt;team&gt; {line(user)}</code>. Until then you see your own sessions.
        </Empty>
      ) : (
        data.teams.map(({ team: name, members }) => (
          <Section
            key={name}
            title={
              <>
                {line(name)} <span className={css.count}>{plural(members.length, "person", "people")}</span>
              </>
            }
          >
            <ul className={css.people}>
              {members.map((member) => (
                <li key={member} data-initial={([...line(member)][0] ?? "?").toUpperCase()}>
                  <Link to="/sessions" search={{ person: member }} className={css.name} data-stop>
                    {line(member)}
                    {member === user && <span className={css.count}> you</span>}
                  </Link>
                  <span className={css.count}>
                    {(counts.get(member) ?? 0) === 0
                      ? "nothing shared"
                      : plural(counts.get(member) ?? 0, "session", "sessions")}
                  </span>
                </li>
              ))}
            </ul>
          </Section>
        ))
      )}
    </Page>
  );
}
