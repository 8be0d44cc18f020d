/** Shown before anything is asked: how one may ask, and the latest sessions. */
import { Link } from "@tanstack/react-router";
import { isHub } from "../../lib/mode.ts";
import { toKey } from "../../lib/session-key.ts";
import { titleOf } from "../../lib/titles.ts";
import { SourceMark } from "../../ui/marks.tsx";
import { Time } from "../../ui/time.tsx";
import { placeOf } from "../home/place.ts";
import { useLatest } from "../sessions/use-live.ts";
import css from "./search-help.module.css";

const EXAMPLES: readonly { readonly ask: string; readonly means: string }[] = [
  { ask: "login token", means: "turns that have both words, in any form" },
  { ask: '"rate limiter"', means: "the words in exactly this order" },
  { ask: "deploy*", means: "words that begin so" },
  { ask: "cache OR memo", means: "one or the other" },
  { ask: "migration -test", means: "without a word" },
];
const MOST = 8;

export function SearchHelp({ onAsk }: { readonly onAsk: (text: string) => void }) {
  const { data } = useLatest();
  return (
    <div className={css.help}>
      <section>
        <h2>How to ask</h2>
        <ul>
          {EXAMPLES.map(({ ask, means }) => (
            <li key={ask}>
              <button type="button" className={css.example} onClick={() => onAsk(ask)}>
                <code>{ask}</code>
                <span>{means}</span>
              </button>
            </li>
          ))}
        </ul>
        <p className={css.note}>
          Everything is searched: what {isHub() ? "people" : "you"} wrote, what agents answered, what tools
          ran and returned, files, checkpoints and titles.
        </p>
      </section>
      {data && data.sessions.length > 0 && (
        <section>
          <h2>Latest sessions</h2>
          <ul>
            {data.sessions.slice(0, MOST).map((session) => (
              <li key={toKey(session)} className={css.session}>
                <SourceMark source={session.source} />
                <Link to="/s/$key" params={{ key: toKey(session) }} className={css.title}>
                  {titleOf(session)}
                </Link>
                <span className={css.about}>
                  <span className="ellipsis">{placeOf(session)}</span>
                  <Time at={session.updatedAt} isBrief />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
