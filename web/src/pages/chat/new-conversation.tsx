/** The first message of a conversation: a new one, or one that continues a session of an agent. */
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { ChevronLeft, MessageSquare } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Answer } from "../../../../src/client/index.ts";
import { plural } from "../../../../src/present/text/measure.ts";
import { Failure } from "../../change/failure.tsx";
import { useKnown } from "../../change/refusals.ts";
import { api, keys } from "../../lib/api.ts";
import { fromKey } from "../../lib/session-key.ts";
import { sourceOf } from "../../lib/sources.ts";
import { clean } from "../../text/clean.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Empty, Skeleton } from "../../ui/states.tsx";
import { sendMessage } from "./answers.ts";
import css from "./chat.module.css";
import { ChatError } from "./chat-error.tsx";
import { keepAgent, readAgent } from "./choices.ts";
import { Composer, type ComposerHandle, type Draft, useFolders } from "./composer.tsx";
import { Answered, Asked } from "./message.tsx";
import { useSending } from "./use-sending.ts";

export function NewConversation({
  session,
  agents,
  workspace,
  refusal,
}: {
  /** `source:id`, to be continued. */
  readonly session: string | undefined;
  /** The agents that can be talked to; the first is asked unless another is chosen. */
  readonly agents: Answer<"chats">["agents"];
  readonly workspace: string | undefined;
  readonly refusal: string | undefined;
}) {
  const navigate = useNavigate();
  const folders = useFolders();
  const sending = useSending();
  const composer = useRef<ComposerHandle>(null);
  useEffect(() => composer.current?.focus(), []);
  const continued = useQuery({
    queryKey: keys.session(session ?? ""),
    queryFn: ({ signal }) => api.session(session ?? "", { signal }),
    enabled: session !== undefined,
  });
  const about = continued.data?.session;
  const send = ({ text, folder, model, allowsTools }: Draft): Promise<boolean> =>
    sending.run(async (extra) => {
      const id = await sendMessage({
        message: text,
        allowsTools,
        ...(session === undefined ? { agent } : { session }),
        ...(session === undefined && folder.trim() !== "" && { workspace: folder.trim() }),
        ...(model.trim() !== "" && { model: model.trim() }),
        ...extra,
      });
      void navigate({ to: "/chat", search: { id }, replace: true });
    });
  const { sources } = useKnown();
  const installed = agents.filter(({ isInstalled }) => isInstalled).map(({ source }) => source);
  const [wanted, setWanted] = useState(readAgent);
  const preferred = wanted !== undefined && installed.includes(wanted) ? wanted : agents[0]?.source;
  const agent = session === undefined ? (preferred ?? "copilot-cli") : fromKey(session).source;
  const isForeign =
    session !== undefined &&
    sources.some(({ source, canChat }) => source === fromKey(session).source && !canChat);
  return (
    <section className={css.conversation} aria-label="New conversation">
      <header className={css.header}>
        <Link to="/chat" className={css.back} aria-label="All conversations">
          <ChevronLeft />
        </Link>
        <div className={css.headings}>
          <h2 className="ellipsis">{about ? clean(about.title) : "New conversation"}</h2>
          {about && (
            <p className="ellipsis">
              continues a session of {sourceOf(agent).short} · {plural(about.turns, "turn", "turns")} so far
            </p>
          )}
        </div>
        {session !== undefined && (
          <Link to="/s/$key" params={{ key: session }} className={buttonClass({ size: "small" })}>
            Open the session
          </Link>
        )}
      </header>
      <div className={css.scroller}>
        {isForeign ? (
          <Empty title={`Only sessions of ${nameAll(agents)} can be continued here`}>
            This one belongs to {sourceOf(fromKey(session).source).short}; continue it there.
          </Empty>
        ) : continued.error ? (
          <Failure error={continued.error} retry={() => void continued.refetch()} />
        ) : session === undefined ? (
          <Empty icon={<MessageSquare />} title={`Talk to ${sourceOf(agent).short} from here`}>
            The program runs on this machine, in the folder you choose below. Each conversation is kept, and
            can be continued after the server, the program or the machine was restarted.
          </Empty>
        ) : about ? (
          <LastTurns session={session} agent={sourceOf(agent).short} turns={about.turns} />
        ) : (
          <Skeleton rows={4} height={72} />
        )}
      </div>
      {sending.error !== undefined && (
        <ChatError
          error={sending.error}
          onRetry={sending.retry}
          onAnyway={sending.retryWith({ ignoreLock: true })}
          onDismiss={sending.clear}
        />
      )}
      {!isForeign && (
        <Composer
          ref={composer}
          agent={agent}
          agents={session === undefined ? installed : []}
          onAgent={(next) => {
            setWanted(next);
            keepAgent(next);
          }}
          folder={session === undefined ? (workspace ?? folders[0]) : (about?.workspace ?? undefined)}
          isFolderFixed={session !== undefined}
          isAnswering={false}
          isBusy={sending.isBusy}
          refusal={refusal}
          onSend={send}
          onStop={() => undefined}
        />
      )}
    </section>
  );
}

const nameAll = (agents: Answer<"chats">["agents"]): string =>
  agents.map(({ source }) => sourceOf(source).short).join(" and ");

/** Enough to remember what it was about. */
const SHOWN = 2;

function LastTurns({
  session,
  agent,
  turns,
}: {
  readonly session: string;
  readonly agent: string;
  readonly turns: number;
}) {
  const from = Math.max(0, turns - SHOWN);
  const { data } = useQuery({
    queryKey: ["session", session, "last", from],
    queryFn: ({ signal }) => api.turns(session, { from, textLimit: 0 }, { signal }),
    enabled: turns > 0,
  });
  return (
    <div className={css.messages}>
      {from > 0 && (
        <Link to="/s/$key" params={{ key: session }} className={buttonClass({ size: "small" }, css.earlier)}>
          {plural(from, "earlier turn", "earlier turns")}
        </Link>
      )}
      {data?.turns.map(({ index, user, assistant, startedAt, endedAt }) => (
        <div key={index} className={css.past}>
          <Asked text={user} {...(startedAt !== null && { at: startedAt })} />
          {assistant !== "" && (
            <Answered
              agent={agent}
              message={{
                role: "assistant",
                text: assistant,
                at: endedAt ?? "",
                state: "whole",
                usage: null,
                tools: [],
                reason: null,
              }}
              pieces={undefined}
              isLast={false}
              onAgain={() => undefined}
              onContinue={() => undefined}
            />
          )}
        </div>
      ))}
    </div>
  );
}
