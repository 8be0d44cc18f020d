/** The head of a session: what it is called, where it belongs, and what is most often done with it. */
import { Link } from "@tanstack/react-router";
import { ArrowLeft, Copy, GitFork } from "lucide-react";
import type { ReactNode } from "react";
import { plural } from "../../../../../src/present/text/measure.ts";
import { openChange } from "../../../change/change.ts";
import { sourceOf } from "../../../lib/sources.ts";
import { useNarrow } from "../../../lib/use-media.ts";
import { clean } from "../../../text/clean.ts";
import { Button, Hint } from "../../../ui/button.tsx";
import { Badge, LiveDot, SourceMark } from "../../../ui/marks.tsx";
import { Time } from "../../../ui/time.tsx";
import { Lens } from "../lens/lens.tsx";
import { useReading } from "../reading.ts";
import { useIsLive } from "../use-is-live.ts";
import { ContinueButton } from "./continue-button.tsx";
import css from "./header.module.css";
import { MoreMenu } from "./more-menu.tsx";
import { Trouble } from "./trouble.tsx";

export function Header({ inspector }: { readonly inspector: ReactNode }) {
  const { key, session, state, refusalOf } = useReading();
  const { title } = session;
  const place = session.repository ?? session.workspace;
  const isLive = useIsLive(key);
  const isNarrow = useNarrow();
  return (
    <header className={css.header}>
      <div className={css.top}>
        <Link to="/sessions" className={css.back} aria-label="Back to the sessions">
          <ArrowLeft />
        </Link>
        <h1 title={clean(title)}>{clean(title)}</h1>
        <div className={css.actions}>
          <Button
            className={css.wide}
            icon={<GitFork />}
            refusal={refusalOf("fork")}
            onClick={() =>
              openChange({ kind: "fork", sessions: [key], input: { at: state.current.get() }, title })
            }
          >
            Fork here
          </Button>
          <Button
            className={css.wide}
            icon={<Copy />}
            refusal={refusalOf("clone")}
            onClick={() => openChange({ kind: "clone", sessions: [key], title })}
          >
            Clone…
          </Button>
          <ContinueButton />
          {inspector}
          <MoreMenu />
        </div>
      </div>
      <p className={css.facts}>
        {isLive && (
          <span className={css.live}>
            <LiveDot /> writing now
          </span>
        )}
        <span className={css.source}>
          <SourceMark source={session.source} /> {sourceOf(session.source).short}
        </span>
        {place !== null && (
          <Hint label={clean(session.workspace ?? place)}>
            <span className="ellipsis">
              <b>{clean(nameOf(place))}</b>
              {session.branch !== null && ` @ ${clean(session.branch)}`}
            </span>
          </Hint>
        )}
        <span>{plural(session.turns, "turn", "turns")}</span>
        {session.createdAt !== null && (
          <span className={css.started}>
            started <Time at={session.createdAt} />
          </span>
        )}
        {session.updatedAt !== null && (
          <span>
            last active <Time at={session.updatedAt} />
          </span>
        )}
        {session.openIn !== null && <Badge tone="warn">open in its program</Badge>}
      </p>
      <Trouble />
      {/* On a narrow screen it would leave no room to read. */}
      {!isNarrow && <Lens />}
    </header>
  );
}

/** Repositories and folders by their last name. */
const nameOf = (place: string): string => place.split(/[\\/]/).filter(Boolean).at(-1) ?? place;
