/** A session: the list it was chosen from, the conversation, and what can be done with it. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Origin } from "../../../../src/model/session/session.ts";
import { api, keys } from "../../lib/api.ts";
import { useStore } from "../../lib/store.ts";
import { Skeleton } from "../../ui/states.tsx";
import { useSteady } from "../../ui/use-steady.ts";
import { SessionListPane } from "../sessions/session-list-pane.tsx";
import { Conversation } from "./conversation/conversation.tsx";
import { firstPage, pageQuery } from "./conversation/turn-pages.ts";
import { FindBar } from "./find/find-bar.tsx";
import { Header } from "./header/header.tsx";
import { ImageDialog, type ImageRequest } from "./images/image-dialog.tsx";
import type { SessionParts } from "./parts.ts";
import { createReadingState, type Reading, ReadingContext } from "./reading.ts";
import { RecordDialog, type RecordRequest } from "./record-dialog.tsx";
import css from "./session.module.css";
import { TurnRail } from "./turn-rail.tsx";
import type { Outline } from "./types.ts";
import { useSessionKeys } from "./use-session-keys.ts";

export function SessionView({ parts }: { readonly parts: SessionParts }) {
  const { key } = useParams({ from: "/s/$key" });
  return (
    <div className={css.page}>
      <div className={css.list}>
        <SessionListPane current={key} />
      </div>
      <OneSession key={key} sessionKey={key} parts={parts} />
    </div>
  );
}

/** Another session is another page: nothing of the one before stays. */
function OneSession({ sessionKey, parts }: { readonly sessionKey: string; readonly parts: SessionParts }) {
  const turn = useSearch({ from: "/s/$key", select: (search) => search.turn });
  const [firstTurn] = useState(turn);
  const steady = useSteady();
  const client = useQueryClient();
  // Asked at the same time as the outline, so that both are there at once.
  useEffect(() => {
    void client.prefetchQuery(pageQuery(sessionKey, firstPage(firstTurn)));
  }, [client, sessionKey, firstTurn]);
  const { data, error, refetch } = useQuery({
    queryKey: keys.session(sessionKey),
    queryFn: ({ signal }) => api.session(sessionKey, { signal }),
  });
  if (error && !data)
    return (
      <div className={css.reading}>
        <parts.Missing error={error} retry={() => void refetch()} />
      </div>
    );
  if (!data)
    return (
      <div className={css.reading}>
        <Skeleton rows={6} height={88} />
      </div>
    );
  return (
    <Loaded
      sessionKey={sessionKey}
      parts={parts}
      outline={data}
      error={error}
      firstTurn={firstTurn}
      steady={steady}
    />
  );
}

function Loaded({
  sessionKey,
  parts,
  outline,
  error,
  firstTurn,
  steady,
}: {
  readonly sessionKey: string;
  readonly parts: SessionParts;
  readonly outline: Outline;
  /** What is shown was read before, and cannot be read now. */
  readonly error: Error | null;
  readonly firstTurn: number | undefined;
  readonly steady: ReturnType<typeof useSteady>;
}) {
  const [state] = useState(createReadingState);
  const [record, setRecord] = useState<RecordRequest>();
  const [images, setImages] = useState<ImageRequest>();
  const { session } = outline;
  const refuse = parts.useRefuse();
  const reading = useMemo(
    (): Reading => ({
      key: sessionKey,
      parts,
      session,
      outline,
      error,
      state,
      showRecord: (origin: Origin, about: string) => setRecord({ origin, about }),
      showImages: setImages,
      refusalOf: (kind) => refuse(kind, [session]),
    }),
    [error, outline, parts, refuse, session, sessionKey, state],
  );
  const find = useSearch({ from: "/s/$key", select: (search) => search.find });
  const isFinding = useStore(state.isFinding) || find !== undefined;
  useAddress(reading, firstTurn);
  useSessionKeys(reading);
  parts.useKeys(reading);
  useEffect(() => {
    document.title = `${session.title} · Rethread`;
    return () => {
      document.title = "Rethread";
    };
  }, [session.title]);
  return (
    <ReadingContext value={reading}>
      <section className={css.reading} aria-label={session.title} {...steady}>
        <Header />
        {isFinding && <FindBar onClose={() => state.isFinding.set(false)} />}
        {outline.turns.length === 0 && !outline.preamble ? (
          <parts.Empty />
        ) : (
          <div className={css.conversation}>
            <TurnRail />
            <Conversation firstTurn={firstTurn} />
          </div>
        )}
      </section>
      <aside className={css.inspector} aria-label="About this session" {...steady}>
        <parts.Inspector />
      </aside>
      {record && <RecordDialog request={record} onClose={() => setRecord(undefined)} />}
      {images && <ImageDialog request={images} onClose={() => setImages(undefined)} />}
    </ReadingContext>
  );
}

const ADDRESS_MS = 250;

/** The address names the turn that is read, and a link to another turn of this session goes there. */
function useAddress({ state }: Reading, firstTurn: number | undefined): void {
  const navigate = useNavigate({ from: "/s/$key" });
  const turn = useSearch({ from: "/s/$key", select: (search) => search.turn });
  const written = useRef(firstTurn);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = (): void => {
      const current = state.current.get();
      const next = current === 0 && written.current === undefined ? undefined : current;
      if (next === written.current) return;
      written.current = next;
      void navigate({
        search: ({ turn: _, ...before }) => (next === undefined ? before : { ...before, turn: next }),
        replace: true,
        resetScroll: false,
      });
    };
    const stop = state.current.subscribe(() => {
      clearTimeout(timer);
      timer = setTimeout(write, ADDRESS_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [navigate, state]);
  useEffect(() => {
    if (turn === undefined || turn === written.current) return;
    written.current = turn;
    state.jump.to(turn);
  }, [turn, state]);
}
