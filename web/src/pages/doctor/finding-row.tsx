/** One thing that is wrong: what it means, where it is, the raw record there, and what helps. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Copy } from "lucide-react";
import { useState } from "react";
import { amount, bytes } from "../../../../src/present/text/measure.ts";
import { inPage } from "../../change/advice.ts";
import { RemedyButton } from "../../change/next-step.tsx";
import { api, keys } from "../../lib/api.ts";
import { copyText } from "../../lib/clipboard.ts";
import { clean } from "../../text/clean.ts";
import { IconButton } from "../../ui/button.tsx";
import { SourceMark } from "../../ui/marks.tsx";
import { describe } from "../../ui/states.tsx";
import css from "./doctor.module.css";
import { type Alike, type Finding, meaningOf, SEVERITY_WORDS } from "./findings.ts";

/** Of problems that say the same, so many places are shown. */
const MOST_PLACES = 3;

export function FindingRow({
  alike: { first, all },
  isNamed = false,
}: {
  readonly alike: Alike;
  /** With the session, where the heading does not say it. */
  readonly isNamed?: boolean;
}) {
  const { severity, code, message, remedy, fix, source, session, title } = first;
  const [isAll, setAll] = useState(false);
  const places = isAll ? all : all.slice(0, MOST_PLACES);
  return (
    <li className={css.finding} data-finding tabIndex={-1}>
      <i
        className={css.dot}
        data-severity={severity}
        role="img"
        aria-label={SEVERITY_WORDS[severity].label}
        title={`${SEVERITY_WORDS[severity].label}: ${SEVERITY_WORDS[severity].means}`}
      />
      <div className={css.words}>
        {isNamed ? (
          <p className={css.name}>
            <SourceMark source={source} />
            {session !== null && title !== null ? (
              <Link to="/s/$key" params={{ key: `${source}:${session}` }} className="ellipsis">
                {clean(title)}
              </Link>
            ) : (
              <span className="ellipsis">{session ?? source}</span>
            )}
          </p>
        ) : (
          <p className={css.means}>
            {meaningOf(code)} <code className={css.code}>{code}</code>
          </p>
        )}
        <p className={css.message}>{clean(message)}</p>
        {places.map((place) => (
          <Place key={`${place.path}:${place.line}`} finding={place} />
        ))}
        {all.length > places.length && (
          <button type="button" className={css.link} onClick={() => setAll(true)}>
            Show {amount(all.length - places.length)} more places
          </button>
        )}
      </div>
      {remedy ? (
        <RemedyButton
          remedy={remedy}
          around={session === null ? undefined : `${source}:${session}`}
          tone={remedy.action === "rescue" ? "primary" : "plain"}
          about={title ?? ""}
        />
      ) : (
        fix !== null && <p className={css.fix}>{inPage(fix)}</p>
      )}
    </li>
  );
}

/** Where it is; a line of a session's log opens. */
function Place({ finding: { path, line, source, session } }: { readonly finding: Finding }) {
  const [isOpen, setOpen] = useState(false);
  const where = line === null ? path : `${path}:${line}`;
  const canOpen = line !== null && session !== null;
  return (
    <div>
      <div className={css.place}>
        {canOpen ? (
          <button
            type="button"
            className={css.path}
            aria-expanded={isOpen}
            title={`Show the record at ${where}`}
            onClick={() => setOpen(!isOpen)}
          >
            <bdi>{where}</bdi>
          </button>
        ) : (
          <code className={css.path} title={where}>
            <bdi>{where}</bdi>
          </code>
        )}
        <IconButton label="Copy the path" onClick={() => void copyText(path, "Path")}>
          <Copy />
        </IconButton>
      </div>
      {isOpen && canOpen && <RawRecord session={`${source}:${session}`} line={line} />}
    </div>
  );
}

function RawRecord({ session, line }: { readonly session: string; readonly line: number }) {
  const { data, error } = useQuery({
    queryKey: keys.record(session, line),
    queryFn: ({ signal }) => api.record(session, line, {}, { signal }),
  });
  if (error) return <p className={css.hint}>{describe(error).message}</p>;
  if (!data) return <p className={css.hint}>Reading line {line}…</p>;
  return (
    <>
      <pre className={css.record}>{clean(data.text)}</pre>
      {data.cut && <p className={css.hint}>The record has {bytes(data.bytes)}; this is the start of it.</p>}
    </>
  );
}
