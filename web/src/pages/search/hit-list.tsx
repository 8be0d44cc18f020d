/** Hits under the session that they are in. */
import { Link } from "@tanstack/react-router";
import { Eye } from "lucide-react";
import { Fragment, useState } from "react";
import { toKey } from "../../lib/session-key.ts";
import { sourceOf } from "../../lib/sources.ts";
import { line, titleOf } from "../../lib/titles.ts";
import { SourceMark } from "../../ui/marks.tsx";
import { Time } from "../../ui/time.tsx";
import { folderName } from "../sessions/filters.ts";
import css from "./hit-list.module.css";
import { copiesText, placeOf, restOf, titleExcerpt } from "./hit-words.ts";
import { Marked } from "./marked.tsx";
import type { Hit, HitGroup } from "./search-query.ts";

export const HITS_ID = "hits";
/** Of one session, as many as show that it is the right one. */
export const FEW_HITS = 3;

export interface Shown {
  readonly id: string;
  readonly hit: Hit;
}

/** The rows that can be moved to, in order; hits beyond the first few of a session are folded. */
export const rowsOf = (groups: readonly HitGroup[], unfolded: ReadonlySet<string>): Shown[] =>
  groups.flatMap((group) =>
    shownOf(group, unfolded).map((hit, at) => ({ id: `hit ${group.id} ${at}`, hit })),
  );

const shownOf = ({ id, hits }: HitGroup, unfolded: ReadonlySet<string>): readonly Hit[] => {
  const rows = rowsIn(hits);
  return unfolded.has(id) ? rows : rows.slice(0, FEW_HITS);
};

/** A session of which only the title matches has one row all the same, to be moved to. */
const rowsIn = (hits: readonly Hit[]): readonly Hit[] => {
  const rows = hits.filter((hit) => restOf(hit).length > 0);
  return rows.length > 0 ? rows : hits.slice(0, 1);
};

export function useUnfolded(): readonly [ReadonlySet<string>, (id: string) => void] {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  return [unfolded, (id) => setUnfolded((before) => new Set(before).add(id))];
}

export function HitList({
  groups,
  unfolded,
  onUnfold,
  here,
  onPreview,
  isBusy,
}: {
  readonly groups: readonly HitGroup[];
  readonly unfolded: ReadonlySet<string>;
  readonly onUnfold: (id: string) => void;
  /** The row that the keys are at. */
  readonly here: string | undefined;
  readonly onPreview: (id: string) => void;
  readonly isBusy: boolean;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the field moves through its rows
    <table id={HITS_ID} role="grid" aria-label="Hits" className={css.hits} aria-busy={isBusy}>
      {groups.map((group) => {
        const { id, session, hits } = group;
        const inTitle = titleExcerpt(hits);
        const rows = shownOf(group, unfolded);
        const rest = rowsIn(hits).length - rows.length;
        return (
          <tbody key={id} className={css.group}>
            <tr className={css.head}>
              <th scope="rowgroup" colSpan={2}>
                <SourceMark source={session.source} />
                <Link to="/s/$key" params={{ key: toKey(session) }} className={css.title} preload={false}>
                  {inTitle ? <Marked {...inTitle} /> : titleOf(session)}
                </Link>
                <span className={css.facts}>
                  {session.person !== undefined && <b>{line(session.person)}</b>}
                  {session.workspace !== undefined && (
                    <span className="ellipsis" title={session.workspace}>
                      {line(folderName(session.workspace))}
                    </span>
                  )}
                  <span>{sourceOf(session.source).short}</span>
                  <Time at={session.updatedAt} isBrief />
                  {session.vanishedAt !== undefined && <span className={css.gone}>files are gone</span>}
                  {copiesText(hits) !== undefined && <span>{copiesText(hits)}</span>}
                </span>
              </th>
            </tr>
            {rows.map((hit, at) => (
              <HitRow
                key={`hit ${id} ${hit.turn} ${hit.where} ${hit.snippet}`}
                id={`hit ${id} ${at}`}
                hit={hit}
                isHere={here === `hit ${id} ${at}`}
                onPreview={onPreview}
              />
            ))}
            {rest > 0 && (
              <tr className={css.rest}>
                <td colSpan={2}>
                  <button type="button" onClick={() => onUnfold(id)}>
                    {rest} more in this session
                  </button>
                </td>
              </tr>
            )}
          </tbody>
        );
      })}
    </table>
  );
}

function HitRow({
  id,
  hit,
  isHere,
  onPreview,
}: {
  readonly id: string;
  readonly hit: Hit;
  readonly isHere: boolean;
  readonly onPreview: (id: string) => void;
}) {
  return (
    <tr id={id} className={css.hit} aria-selected={isHere} data-here={isHere || undefined}>
      <td className={css.place}>{placeOf(hit)}</td>
      <td className={css.snippet}>
        <Link
          to="/s/$key"
          params={{ key: toKey(hit.session) }}
          search={hit.turn === null ? {} : { turn: hit.turn }}
          preload={false}
        >
          <Snippet hit={hit} />
        </Link>
        <button
          type="button"
          tabIndex={-1}
          className={css.preview}
          aria-label={`Preview ${placeOf(hit)}`}
          onClick={() => onPreview(id)}
        >
          <Eye aria-hidden="true" />
        </button>
      </td>
    </tr>
  );
}

function Snippet({ hit }: { readonly hit: Hit }) {
  const [first, ...rest] = restOf(hit);
  if (!first) return "The title matches";
  return (
    <>
      <Marked {...first} />
      {rest.map((excerpt) => (
        <Fragment key={excerpt.text}>
          {" · "}
          <Marked {...excerpt} />
        </Fragment>
      ))}
    </>
  );
}
