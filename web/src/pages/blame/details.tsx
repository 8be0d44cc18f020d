/** What is known of one line: its session and prompt, and what the agent thought before it wrote. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowRight, X } from "lucide-react";
import { keys } from "../../lib/api.ts";
import { toKey } from "../../lib/session-key.ts";
import { sourceOf } from "../../lib/sources.ts";
import { line as oneLine, titleOf } from "../../lib/titles.ts";
import { useDebounced } from "../../lib/use-debounced.ts";
import { clean } from "../../text/clean.ts";
import { buttonClass, IconButton } from "../../ui/button.tsx";
import { SourceMark } from "../../ui/marks.tsx";
import { Time } from "../../ui/time.tsx";
import css from "./blame.module.css";
import type { Blame, BlamedLine, Place } from "./groups.ts";

/** While one moves from line to line, nothing is asked. */
const REST_MS = 150;

export interface AskWhy {
  readonly file: string;
  ask(line: number, signal: AbortSignal): Promise<Blame["why"]>;
}

export function Details({
  place,
  commits,
  isSelected,
  askWhy,
  onClose,
}: {
  readonly place: Place | undefined;
  readonly commits: Blame["commits"];
  /** Otherwise it is only pointed at. */
  readonly isSelected: boolean;
  readonly askWhy?: AskWhy;
  readonly onClose?: () => void;
}) {
  const line = place?.line;
  const commit = commits.find((each) => each.commit === line?.commit);
  return (
    <aside className={css.details} aria-label="About the line">
      {onClose && (
        <div className={css.close}>
          <IconButton label="Close" keys="escape" onClick={onClose}>
            <X />
          </IconButton>
        </div>
      )}
      {!line ? (
        <p className={css.hint}>
          Point at a line to see who wrote it. Select it to see why: <kbd>j</kbd> and <kbd>k</kbd> move,{" "}
          <kbd>Enter</kbd> opens its session.
        </p>
      ) : line.session ? (
        <Written
          line={line}
          session={line.session}
          gist={place.prompt ?? ""}
          isSelected={isSelected}
          {...(askWhy && { askWhy })}
        />
      ) : (
        <p className={css.nobodyWrote}>No session wrote line {line.line}.</p>
      )}
      {line && commit && (
        <dl className={css.facts}>
          <div>
            <dt>Commit</dt>
            <dd>
              <code>{commit.commit.slice(0, 10)}</code> {clean(commit.summary)}
              <small>
                {clean(commit.author)}, <Time at={commit.time} />
              </small>
            </dd>
          </div>
        </dl>
      )}
      {place?.isUncommitted && <p className={css.hint}>It is not committed.</p>}
    </aside>
  );
}

function Written({
  line,
  session,
  gist,
  isSelected,
  askWhy,
}: {
  readonly line: BlamedLine;
  /** How the prompt begins. */
  readonly gist: string;
  readonly session: NonNullable<BlamedLine["session"]>;
  readonly isSelected: boolean;
  readonly askWhy?: AskWhy;
}) {
  const asked = useDebounced(isSelected ? line.line : 0, REST_MS);
  const isAsked = isSelected && asked === line.line;
  const { data } = useQuery({
    queryKey: [...keys.blame(askWhy?.file ?? ""), "why", line.line],
    queryFn: async ({ signal }) => (await askWhy?.ask(line.line, signal)) ?? null,
    enabled: isAsked && askWhy !== undefined,
  });
  const why = isAsked ? data : undefined;
  return (
    <>
      <h2 className={css.session}>
        <SourceMark source={session.source} />
        <span>{titleOf(session)}</span>
      </h2>
      <p className={css.where}>
        {session.person !== undefined && <b>{oneLine(session.person)} · </b>}
        {sourceOf(session.source).short} · turn {line.turn} · <Time at={line.time} />
      </p>
      <Link
        to="/s/$key"
        params={{ key: toKey(session) }}
        search={line.turn === null ? {} : { turn: line.turn }}
        className={buttonClass({ size: "small" }, css.open)}
      >
        Open the turn
        <ArrowRight aria-hidden="true" />
      </Link>
      <h3>Prompt</h3>
      <blockquote className={css.prompt}>{clean(why?.prompt ?? gist)}</blockquote>
      {why?.reasons.map(({ kind, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no other name, and never move
        <section key={at}>
          <h3>{kind === "thinking" ? "Thinking" : "Answer"}</h3>
          <p className={css.reason} data-kind={kind}>
            {clean(text)}
          </p>
        </section>
      ))}
      {why && why.reasons.length === 0 && <p className={css.hint}>Nothing was said before the edit.</p>}
    </>
  );
}
