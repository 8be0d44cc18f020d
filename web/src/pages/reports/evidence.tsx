/** Where something was seen: a link to the session, at the turn. */
import { Link } from "@tanstack/react-router";
import type { HubNamed } from "../../../../src/client/hub-types.ts";
import { toKey } from "../../lib/session-key.ts";
import { line, titleOf } from "../../lib/titles.ts";
import { SourceMark } from "../../ui/marks.tsx";
import css from "./reports.module.css";

export interface Seen {
  readonly session: {
    readonly source: string;
    readonly id: string;
    readonly title: string;
  } & Partial<HubNamed>;
  readonly turn: number | null;
}

export function Evidence({ session, turn }: Seen) {
  return (
    <Link
      to="/s/$key"
      params={{ key: toKey(session) }}
      search={turn === null ? {} : { turn }}
      className={css.evidence}
      title={titleOf(session)}
      data-stop
    >
      <SourceMark source={session.source} />
      <span className="ellipsis">{titleOf(session)}</span>
      {session.person !== undefined && <span className={css.turn}>{line(session.person)}</span>}
      {turn !== null && <span className={css.turn}>turn {turn}</span>}
    </Link>
  );
}
