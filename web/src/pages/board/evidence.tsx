/** The sessions and turns that show what an item says; each opens at its turn. */
import { Link } from "@tanstack/react-router";
import { toKey } from "../../lib/session-key.ts";
import { clean } from "../../text/clean.ts";
import { SourceMark } from "../../ui/marks.tsx";
import css from "./board.module.css";
import type { Item } from "./items.ts";

export function Evidence({ evidence }: { readonly evidence: Item["evidence"] }) {
  return (
    <ul className={css.evidence}>
      {evidence.map(({ session, turn }) => (
        <li key={`${toKey(session)} ${turn}`}>
          <Link
            to="/s/$key"
            params={{ key: toKey(session) }}
            search={turn === null ? {} : { turn }}
            title={clean(session.title)}
          >
            <SourceMark source={session.source} />
            <span className="ellipsis">{clean(session.title) || session.id}</span>
            {turn !== null && <span className={css.turn}>turn {turn}</span>}
          </Link>
        </li>
      ))}
    </ul>
  );
}
