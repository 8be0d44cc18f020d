/** The head of a session: what it is called, where it belongs, and what is most often done with it. */
import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { plural } from "../../../../../src/present/text/measure.ts";
import { sourceOf } from "../../../lib/sources.ts";
import { clean } from "../../../text/clean.ts";
import { Hint } from "../../../ui/button.tsx";
import { Badge, SourceMark } from "../../../ui/marks.tsx";
import { Time } from "../../../ui/time.tsx";
import { useReading } from "../reading.ts";
import css from "./header.module.css";

export function Header() {
  const { session, parts } = useReading();
  const { title } = session;
  const place = session.repository ?? session.workspace;
  return (
    <header className={css.header}>
      <div className={css.top}>
        <Link to="/sessions" className={css.back} aria-label="Back to the sessions">
          <ArrowLeft />
        </Link>
        <h1 title={clean(title)}>{clean(title)}</h1>
        <div className={css.actions}>
          <parts.Actions />
        </div>
      </div>
      <p className={css.facts}>
        <parts.Facts />
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
        {/* On a hub, whose it is takes the room. */}
        {session.createdAt !== null && session.person === undefined && (
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
      <parts.Above />
    </header>
  );
}

/** Repositories and folders by their last name. */
const nameOf = (place: string): string => place.split(/[\\/]/).filter(Boolean).at(-1) ?? place;
