/** What one shares and with whom; everything else is private. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Lock, Share2, Undo2 } from "lucide-react";
import { useState } from "react";
import type { HubSession, HubShare } from "../../../../src/client/hub-types.ts";
import { plural } from "../../../../src/present/text/measure.ts";
import { Failure } from "../../change/failure.tsx";
import { line, titleOf } from "../../lib/titles.ts";
import { Button } from "../../ui/button.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { Empty, Skeleton } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useStops } from "../../ui/use-stops.ts";
import { useAccount } from "../account.ts";
import { hubApi, hubKeys } from "../api.ts";
import { type Shareable, ShareDialog } from "./share-dialog.tsx";
import css from "./sharing.module.css";
import { UnshareDialog } from "./unshare-dialog.tsx";
import { useShares } from "./use-sharing.ts";

export function Sharing() {
  const { data, error, refetch } = useShares();
  const view = useStops("Sharing");
  const [taken, setTaken] = useState<{ readonly share: HubShare; readonly name: string }>();
  const [shared, setShared] = useState<Shareable>();
  const own = useOwn();
  const shares = (data?.shares ?? []).map((share) => ({ share, name: nameOf(share, own.data?.sessions) }));
  return (
    <Page
      ref={view}
      title="Sharing"
      facts="What you push is private: nobody else sees it, until you share it with a team"
    >
      {error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton rows={4} height={52} />
      ) : (
        <>
          <Section title="What you share">
            {shares.length === 0 ? (
              <p className={css.none}>
                <Lock aria-hidden="true" />
                Nothing. Choose a repository below, or open a session and share only that.
              </p>
            ) : (
              <ul className={css.rows}>
                {shares.map((each) => (
                  <ShareRow key={each.share.id} {...each} onTake={() => setTaken(each)} />
                ))}
              </ul>
            )}
          </Section>
          <Repositories shares={data.shares} own={own} onShare={setShared} />
        </>
      )}
      {taken && <UnshareDialog {...taken} onClose={() => setTaken(undefined)} />}
      {shared && <ShareDialog what={shared} onClose={() => setShared(undefined)} />}
    </Page>
  );
}

/** One's own sessions, for the names of those that are shared, and their repositories. */
function useOwn() {
  const { user } = useAccount();
  const query = { person: user, facets: true, limit: 500 };
  return useQuery({
    queryKey: hubKeys.own(query),
    queryFn: ({ signal }) => hubApi.sessions(query, { signal }),
  });
}

function nameOf({ repository, session }: HubShare, own: readonly HubSession[] = []): string {
  const found = own.find(({ hubSession }) => hubSession === session);
  return found ? titleOf(found) : line(repository ?? session ?? "");
}

function ShareRow({
  share: { team, repository, session, sessionCount, sharedAt },
  name,
  onTake,
}: {
  readonly share: HubShare;
  readonly name: string;
  readonly onTake: () => void;
}) {
  return (
    <li>
      <div className={css.what}>
        {repository !== null ? (
          <Link to="/sessions" search={{ repo: repository, team }} className={css.name} data-stop>
            {name}
          </Link>
        ) : (
          <Link to="/s/$key" params={{ key: session ?? "" }} className={css.name} data-stop>
            {name}
          </Link>
        )}
        <span className={css.about}>
          {repository !== null ? plural(sessionCount, "session", "sessions") : "one session"} · since{" "}
          <Time at={sharedAt} />
        </span>
      </div>
      <span className={css.team}>
        <Share2 aria-hidden="true" />
        <span className="ellipsis">{line(team)}</span>
      </span>
      <Button size="small" icon={<Undo2 />} aria-label={`Stop sharing ${name}`} onClick={onTake}>
        Stop sharing…
      </Button>
    </li>
  );
}

/** One's own, each with how many sessions it has. */
function Repositories({
  shares,
  own: { data, error, refetch },
  onShare,
}: {
  readonly shares: readonly HubShare[];
  readonly own: ReturnType<typeof useOwn>;
  readonly onShare: (what: Shareable) => void;
}) {
  const { user } = useAccount();
  const shared = new Set(shares.map(({ repository }) => repository));
  const rest = (data?.facets?.repository ?? []).filter(({ value }) => !shared.has(value));
  return (
    <Section title="Your other repositories">
      {error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton rows={4} height={52} />
      ) : data.total === 0 ? (
        <Empty title="You have pushed nothing yet">
          <code>rethread sync</code> shows what would be sent, without secrets, before it sends it.
        </Empty>
      ) : rest.length === 0 ? (
        <p className={css.none}>All of your repositories are shared.</p>
      ) : (
        <ul className={css.rows}>
          {rest.map(({ value, count }) => (
            <li key={value}>
              <div className={css.what}>
                <Link to="/sessions" search={{ repo: value, person: user }} className={css.name} data-stop>
                  {line(value)}
                </Link>
                <span className={css.about}>{plural(count, "session", "sessions")}</span>
              </div>
              <span className={css.team}>
                <Lock aria-hidden="true" />
                private
              </span>
              <Button
                size="small"
                icon={<Share2 />}
                aria-label={`Share ${line(value)}`}
                onClick={() => onShare({ repository: value, name: value, sessionCount: count })}
              >
                Share…
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
