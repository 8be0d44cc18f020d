/** One line: who wrote it, its number, and what it says. */
import { Link } from "@tanstack/react-router";
import { GitCommitVertical } from "lucide-react";
import { memo } from "react";
import { toKey } from "../../lib/session-key.ts";
import { line as oneLine, titleOf } from "../../lib/titles.ts";
import { clean } from "../../text/clean.ts";
import { paintLine } from "../../text/code.tsx";
import "../../text/code-colours.css";
import type { Piece } from "../../text/highlight-types.ts";
import { SourceMark } from "../../ui/marks.tsx";
import { Time } from "../../ui/time.tsx";
import css from "./blame.module.css";
import type { BlamedLine, Place } from "./groups.ts";

export const LineRow = memo(function LineRow({
  place: { line, isFirst, isLast, heat, prompt, isUncommitted },
  text,
  pieces,
  top,
  isSelected,
  isMarked,
  isNamed,
  onSelect,
}: {
  readonly place: Place;
  readonly text: string;
  readonly pieces: readonly Piece[] | undefined;
  readonly top: number;
  readonly isSelected: boolean;
  readonly isMarked: boolean;
  readonly isNamed: boolean;
  readonly onSelect: (line: number) => void;
}) {
  return (
    // The number is the link that does the same by keys.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <li
      className={css.line}
      style={{ transform: `translateY(${top}px)` }}
      data-line={line.line}
      data-by={line.session ? "session" : line.commit ? "commit" : "nobody"}
      data-first={isFirst || undefined}
      data-last={isLast || undefined}
      data-marked={isMarked || undefined}
      aria-current={isSelected || undefined}
      onClick={() => onSelect(line.line)}
    >
      <span className={css.gutter}>
        <i
          className={css.heat}
          style={heat === undefined ? {} : { ["--heat" as string]: `${Math.round(20 + heat * 80)}%` }}
          data-known={heat !== undefined || undefined}
        />
        {isNamed && <Writer line={line} prompt={prompt} isUncommitted={isUncommitted} />}
      </span>
      <Link
        to="/blame"
        search={(before) => ({ ...before, line: line.line })}
        replace
        className={css.number}
        aria-label={`Line ${line.line}`}
        onClick={(event) => event.stopPropagation()}
      >
        {line.line}
      </Link>
      <code className={css.code}>{paintLine(text, pieces)}</code>
    </li>
  );
});

function Writer({
  line,
  prompt,
  isUncommitted,
}: {
  readonly line: BlamedLine;
  readonly prompt: string | null;
  readonly isUncommitted: boolean;
}) {
  const { session, turn, time } = line;
  if (session)
    return (
      <>
        <SourceMark source={session.source} />
        <Link
          to="/s/$key"
          params={{ key: toKey(session) }}
          search={turn === null ? {} : { turn }}
          className={css.title}
          title={prompt === null ? titleOf(session) : clean(prompt)}
          onClick={(event) => event.stopPropagation()}
        >
          {titleOf(session)}
        </Link>
        {session.person !== undefined && <span className={css.person}>{oneLine(session.person)}</span>}
        <span className={css.time}>
          <Time at={time} isBrief />
        </span>
      </>
    );
  if (line.commit)
    return (
      <>
        <GitCommitVertical className={css.commitIcon} aria-hidden="true" />
        <span className={css.commit}>{line.commit.slice(0, 8)}</span>
        <span className={css.time}>
          <Time at={time} isBrief />
        </span>
      </>
    );
  return <span className={css.nobody}>{isUncommitted ? "not committed" : "no session"}</span>;
}
