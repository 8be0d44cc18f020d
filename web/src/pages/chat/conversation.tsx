/** One conversation: what was said, what is being said, and the next message. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowDown, ChevronLeft, LoaderCircle } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { formatKey } from "../../../../src/model/values/id.ts";
import { plural } from "../../../../src/present/text/measure.ts";
import { Failure } from "../../change/failure.tsx";
import { useShortcuts } from "../../keys/keys.ts";
import { api, keys } from "../../lib/api.ts";
import { sourceOf } from "../../lib/sources.ts";
import { useStore } from "../../lib/store.ts";
import { connection } from "../../live/live.ts";
import { clean } from "../../text/clean.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Skeleton, useSlow } from "../../ui/states.tsx";
import { Announcer } from "./announcer.tsx";
import { answers, follow, forgetAnswer, type LiveAnswer, sendMessage, stop } from "./answers.ts";
import css from "./chat.module.css";
import { ChatError } from "./chat-error.tsx";
import { readChoices } from "./choices.ts";
import { Composer, type ComposerHandle, type Draft } from "./composer.tsx";
import messageCss from "./message.module.css";
import { Answered, Asked, type Message, Unanswered } from "./message.tsx";
import { Pieces } from "./pieces.tsx";
import { useSending } from "./use-sending.ts";
import { useStick } from "./use-stick.ts";

/** So many messages are shown at first, and with each step back. */
const STEP = 40;

export function Conversation({ id, refusal }: { readonly id: string; readonly refusal: string | undefined }) {
  const { data, error, refetch } = useQuery({
    queryKey: keys.chat(id),
    queryFn: ({ signal }) => api.chat(id, { signal }),
  });
  const live = useStore(answers).get(id);
  const state = useStore(connection);
  // What is under way is followed: when the page is opened, and when somebody else asked.
  const process = data?.chat.answering?.pid;
  useEffect(() => {
    if (process !== undefined && state !== "lost") void follow(id);
  }, [id, process, state]);
  // What was lost with the server is shown as the record has it, once that was read again.
  useEffect(() => {
    if (live?.status === "lost" && state !== "lost")
      void refetch().then(({ isSuccess }) => isSuccess && forgetAnswer(id));
  }, [id, live?.status, state, refetch]);

  const messages = data?.messages ?? [];
  const composer = useRef<ComposerHandle>(null);
  const isThere = data !== undefined;
  useEffect(() => {
    if (isThere && !matchMedia("(max-width: 700px)").matches) composer.current?.focus();
  }, [isThere]);
  const sending = useSending();
  const isAnswering = live?.status === "answering";
  const send = (
    { text, folder: _, model, allowsTools }: Draft,
    more: { ignoreLock?: true; workspace?: string } = {},
  ): Promise<boolean> =>
    sending.run(async (extra) => {
      await sendMessage(
        {
          session: id,
          message: text,
          allowsTools,
          ...(model.trim() !== "" && { model: model.trim() }),
          ...more,
          ...extra,
        },
        messages.length,
      );
    });
  /** What was refused after the conversation had been opened is in no record, and is sent anew. */
  const again = (more: Parameters<typeof send>[1] = {}): (() => void) | undefined => {
    const text = live?.error === undefined ? undefined : live.asked;
    if (text === undefined) return undefined;
    const { model, allowsTools } = readChoices(data?.chat.source ?? "");
    return () => {
      forgetAnswer(id);
      void send({ text, folder: "", model, allowsTools }, more);
    };
  };
  useShortcuts([
    { keys: "r", label: "Write a message", group: "Chat", run: () => composer.current?.focus() },
    ...(isAnswering
      ? [
          {
            keys: "escape",
            label: "Stop the answer",
            group: "Chat",
            inFields: true,
            run: () => void stop(id),
          },
        ]
      : []),
  ]);

  if (error && !data) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton rows={6} height={72} />;
  const { chat } = data;
  return (
    <section className={css.conversation} aria-label={clean(chat.title) || "Conversation"}>
      <header className={css.header}>
        <Link to="/chat" className={css.back} aria-label="All conversations">
          <ChevronLeft />
        </Link>
        <div className={css.headings}>
          <h2 className="ellipsis">{clean(chat.title) || "Without a title"}</h2>
          <p className="ellipsis" title={chat.workspace}>
            {sourceOf(chat.source).short} · {chat.workspace}
          </p>
        </div>
        {chat.cliSession !== undefined && (
          <Link
            to="/s/$key"
            params={{ key: formatKey({ source: chat.source, id: chat.cliSession }) }}
            className={buttonClass({ size: "small" })}
          >
            Open the session
          </Link>
        )}
      </header>
      <Messages
        key={id}
        id={id}
        agent={sourceOf(chat.source).short}
        messages={messages}
        live={live}
        isBusy={sending.isBusy}
        onSay={(text) => {
          const { model, allowsTools } = readChoices(chat.source);
          void send({ text, folder: "", model: model || (chat.model ?? ""), allowsTools });
        }}
      />
      <Announcer state={live?.state} isLive={isAnswering} />
      {(sending.error ?? live?.error) !== undefined && (
        <ChatError
          error={sending.error ?? live?.error}
          onRetry={sending.retry ?? again()}
          onAnyway={sending.retryWith({ ignoreLock: true }) ?? again({ ignoreLock: true })}
          onFolder={(workspace) => (sending.retryWith({ workspace }) ?? again({ workspace }))?.()}
          onDismiss={() => {
            sending.clear();
            if (live?.error !== undefined) forgetAnswer(id);
          }}
        />
      )}
      <Composer
        ref={composer}
        agent={chat.source}
        folder={chat.workspace}
        isFolderFixed
        model={chat.model}
        isAnswering={isAnswering}
        isBusy={sending.isBusy}
        refusal={refusal}
        onSend={send}
        onStop={() => void stop(id)}
      />
    </section>
  );
}

function Messages({
  id,
  agent,
  messages,
  live,
  isBusy,
  onSay,
}: {
  readonly id: string;
  /** Who answers. */
  readonly agent: string;
  readonly messages: readonly Message[];
  readonly live: LiveAnswer | undefined;
  /** A message is on its way. */
  readonly isBusy: boolean;
  readonly onSay: (text: string) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const { isAway, toEnd } = useStick(scroller, id);
  const [shown, setShown] = useState(STEP);
  const isLive = live !== undefined && (live.status === "answering" || live.status === "lost");
  const known = live?.known ?? 0;
  const kept = isLive ? withoutUnfinished(messages, known) : messages;
  const hidden = Math.max(0, kept.length - shown);
  // An answer that is under way is followed within a moment.
  const isUnanswered = useSlow(!isLive && !isBusy && kept.at(-1)?.role === "user");
  const lastAsked = kept.findLast(({ role }) => role === "user")?.text;
  return (
    <div ref={scroller} className={css.scroller}>
      <div className={css.messages}>
        {hidden > 0 && (
          <Button size="small" className={css.earlier} onClick={() => setShown(shown + STEP)}>
            {`Show earlier messages (${plural(hidden, "message", "messages")})`}
          </Button>
        )}
        {kept.slice(hidden).map((message, offset) => {
          const at = hidden + offset;
          return message.role === "user" ? (
            <Asked key={at} text={message.text} at={message.at} />
          ) : (
            <Answered
              key={at}
              agent={agent}
              message={message}
              pieces={live?.at === at ? live.state.pieces : undefined}
              isLast={at === kept.length - 1 && !isLive}
              onAgain={() => lastAsked !== undefined && onSay(lastAsked)}
              onContinue={() => onSay("Please continue.")}
            />
          );
        })}
        {isUnanswered && (
          <Unanswered agent={agent} onAgain={() => lastAsked !== undefined && onSay(lastAsked)} />
        )}
        {isLive && (
          <>
            {live.asked !== undefined && messages.length <= known && <Asked text={live.asked} />}
            <article className={messageCss.answered} aria-label={agent}>
              <Pieces pieces={live.state.pieces} isLive={live.status === "answering"} />
              <Waiting live={live} agent={agent} />
            </article>
          </>
        )}
      </div>
      {isAway && (
        <Button size="small" className={css.toEnd} icon={<ArrowDown />} onClick={toEnd}>
          {isLive ? "New text below" : "To the end"}
        </Button>
      )}
    </div>
  );
}

function Waiting({ live, agent }: { readonly live: LiveAnswer; readonly agent: string }) {
  if (live.status === "lost")
    return (
      <p className={messageCss.waiting}>
        The server is gone. What came so far is kept; this page reconnects by itself.
      </p>
    );
  const last = live.state.pieces.at(-1);
  const words =
    last === undefined
      ? `${agent} is starting`
      : last.kind === "tool" && last.state === "began"
        ? "Running a tool"
        : "Answering";
  return (
    <p className={messageCss.waiting}>
      <LoaderCircle className={`${messageCss.mark} ${messageCss.spin}`} aria-hidden="true" /> {words}
    </p>
  );
}

/** The record has the beginning of an answer that is under way; the page has all of it. */
function withoutUnfinished(messages: readonly Message[], known: number): readonly Message[] {
  const last = messages.at(-1);
  const isNew = messages.length > known;
  return isNew && last?.role === "assistant" && last.state === "interrupted"
    ? messages.slice(0, -1)
    : messages;
}
