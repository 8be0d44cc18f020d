/** The turn of a hit beside the list, with the words that matched. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Part } from "../../../../src/model/session/turns.ts";
import { moment } from "../../../../src/present/text/measure.ts";
import { Failure } from "../../change/failure.tsx";
import { api, keys } from "../../lib/api.ts";
import { toKey } from "../../lib/session-key.ts";
import { titleOf } from "../../lib/titles.ts";
import { clean } from "../../text/clean.ts";
import { buttonClass, IconButton } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { markIn } from "./highlight-words.ts";
import { placeOf, wordsOf } from "./hit-words.ts";
import { Marked } from "./marked.tsx";
import css from "./preview.module.css";
import { PreviewPart } from "./preview-part.tsx";
import type { Hit } from "./search-query.ts";

export function Preview({ hit, onClose }: { readonly hit: Hit; readonly onClose: () => void }) {
  const { session, turn } = hit;
  return (
    <aside className={css.preview} aria-label="Preview">
      <header className={css.header}>
        <div>
          <h2>{titleOf(session)}</h2>
          <p>{placeOf(hit)}</p>
        </div>
        <Link
          to="/s/$key"
          params={{ key: toKey(session) }}
          search={turn === null ? {} : { turn }}
          className={buttonClass({ size: "small" })}
        >
          Open
        </Link>
        <IconButton label="Close the preview" keys="left" onClick={onClose}>
          <X />
        </IconButton>
      </header>
      {turn === null ? (
        <div className={css.body}>
          <p className={css.beside}>This is beside the conversation, not in a turn.</p>
          <p className={css.text}>
            <Marked text={hit.snippet} matches={hit.matches} />
          </p>
        </div>
      ) : (
        <TurnPreview key={`${toKey(session)} ${turn}`} hit={hit} turn={turn} />
      )}
    </aside>
  );
}

function TurnPreview({ hit, turn: index }: { readonly hit: Hit; readonly turn: number }) {
  const key = toKey(hit.session);
  const { data, isPending, error, refetch } = useQuery({
    queryKey: [...keys.turns(key, index), "preview"],
    queryFn: ({ signal }) => api.turns(key, { from: index, to: index }, { signal }),
  });
  const body = useRef<HTMLDivElement>(null);
  const turn = data?.turns[0];
  const words = wordsOf(hit).join("\n");
  useEffect(() => {
    if (!body.current || !turn) return;
    return markIn(body.current, words.split("\n"));
  }, [turn, words]);
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (isPending) return <Skeleton rows={6} />;
  if (!turn) return <p className={css.body}>This turn is no longer there.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <div ref={body} className={css.body} tabIndex={0}>
      {turn.startedAt !== null && <p className={css.when}>{moment(turn.startedAt)}</p>}
      <div className={css.prompt}>{clean(turn.user)}</div>
      {(turn.parts as readonly Part[]).map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name, and stay where they are
        <PreviewPart key={at} part={part} words={words.split("\n")} />
      ))}
    </div>
  );
}
