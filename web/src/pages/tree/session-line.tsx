/** One session among its relatives: choose it for comparing, open it, see what it is. */
import { Link } from "@tanstack/react-router";
import { moment, plural } from "../../../../src/present/text/measure.ts";
import { sourceOf } from "../../lib/sources.ts";
import { clean } from "../../text/clean.ts";
import { SourceMark } from "../../ui/marks.tsx";
import { Time } from "../../ui/time.tsx";
import type { SessionRow } from "./rows.ts";
import css from "./tree.module.css";

const KINDS: Readonly<Record<string, string>> = {
  fork: "fork",
  clone: "clone",
  branch: "branch",
  agent: "sub-agent",
  handoff: "handed over",
  import: "imported",
};

const MOST_INDENT = 8;

export function SessionLine({
  row: { key, relative, depth },
  parentTitle,
  isChosen,
  isFull,
  isCurrent,
  onChoose,
  onFocus,
}: {
  readonly row: SessionRow;
  readonly parentTitle: string | undefined;
  readonly isChosen: boolean;
  /** Two others are chosen. */
  readonly isFull: boolean;
  readonly isCurrent: boolean;
  readonly onChoose: () => void;
  readonly onFocus: () => void;
}) {
  const { source, kind, turns, createdAt, updatedAt, isHere, vanishedAt } = relative;
  const title = clean(relative.title);
  const how = kind === null ? "" : (KINDS[kind] ?? kind);
  const isGone = !isHere || vanishedAt !== null;
  const facts = [
    title,
    [sourceOf(source).short, how, turns !== null && plural(turns, "turn", "turns")]
      .filter(Boolean)
      .join(" · "),
    createdAt !== null && `began ${moment(createdAt)}`,
    updatedAt !== null && `last active ${moment(updatedAt)}`,
  ].filter(Boolean);
  return (
    <div
      className={css.line}
      data-current={isCurrent || undefined}
      data-chosen={isChosen || undefined}
      title={facts.join("\n")}
    >
      <input
        type="checkbox"
        tabIndex={isCurrent ? 0 : -1}
        aria-label={`Compare ${title}`}
        checked={isChosen}
        disabled={isFull || !isHere}
        onChange={onChoose}
      />
      <div className={css.what} style={{ paddingLeft: Math.min(depth, MOST_INDENT) * 16 }}>
        {depth > 0 && <i className={css.elbow} aria-hidden="true" />}
        <SourceMark source={source} />
        {isHere ? (
          <Link
            to="/s/$key"
            params={{ key }}
            className={css.title}
            data-row={key}
            tabIndex={isCurrent ? 0 : -1}
            onFocus={onFocus}
          >
            {title}
          </Link>
        ) : (
          <span className={css.title} data-row={key} tabIndex={-1}>
            {title}
          </span>
        )}
        {how !== "" && (
          <span className={css.how}>
            {how}
            {parentTitle !== undefined && <span className="sr-only"> of {parentTitle}</span>}
          </span>
        )}
        {isGone && <span className={css.how}>{isHere ? "files gone" : "not on this machine"}</span>}
        <span className={css.facts}>
          {turns !== null && <span>{plural(turns, "turn", "turns")}</span>}
          <Time at={updatedAt} isBrief />
        </span>
      </div>
    </div>
  );
}
