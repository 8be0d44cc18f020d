/** A session as one line of the home page: what it is, when and where it was, and the button that continues it. */
import { Link } from "@tanstack/react-router";
import { plural } from "../../../../src/present/text/measure.ts";
import { toKey } from "../../lib/session-key.ts";
import { titleOf } from "../../lib/titles.ts";
import { SourceMark } from "../../ui/marks.tsx";
import { Time } from "../../ui/time.tsx";
import { LiveMark } from "../sessions/row-marks.tsx";
import type { SessionRow } from "../sessions/session-query.ts";
import type { Liveness } from "../sessions/use-live.ts";
import { ContinueButton } from "./continue-button.tsx";
import css from "./session-line.module.css";

export function SessionLine({
  session,
  liveness,
  where,
  isRead = false,
}: {
  readonly session: SessionRow;
  /** What is in progress is not continued a second time. */
  readonly liveness?: Liveness;
  /** What the line below the title begins with. */
  readonly where: string | null;
  /** It is read here, and continued elsewhere. */
  readonly isRead?: boolean;
}) {
  return (
    <li className={css.line}>
      <SourceMark source={session.source} />
      <div className={css.words}>
        <Link className={css.title} to="/s/$key" params={{ key: toKey(session) }}>
          {titleOf(session)}
        </Link>
        <span className={css.about}>
          {where !== null && <span className="ellipsis">{where}</span>}
          <span>{plural(session.turns, "turn", "turns")}</span>
          {liveness === undefined ? <Time at={session.updatedAt} /> : <LiveMark state={liveness} />}
        </span>
      </div>
      {!isRead && (
        <div className={css.action}>{liveness === undefined && <ContinueButton session={session} />}</div>
      )}
    </li>
  );
}
