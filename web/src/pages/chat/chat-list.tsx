/** The conversations that rethread keeps, the latest first. */
import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import type { Answer } from "../../../../src/client/index.ts";
import { plural } from "../../../../src/present/text/measure.ts";
import { useStore } from "../../lib/store.ts";
import { clean } from "../../text/clean.ts";
import { buttonClass } from "../../ui/button.tsx";
import { LiveDot, SourceMark } from "../../ui/marks.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { answers } from "./answers.ts";
import css from "./chat.module.css";
import { ChatMenu } from "./chat-menu.tsx";

export function ChatList({
  list,
  current,
  isReadOnly,
}: {
  readonly list: Answer<"chats"> | undefined;
  readonly current: string | undefined;
  readonly isReadOnly: boolean;
}) {
  const live = useStore(answers);
  const hasSeveral = (list?.agents.filter(({ isInstalled }) => isInstalled).length ?? 0) > 1;
  return (
    <nav className={css.list} aria-label="Conversations">
      <header>
        <h1>Chat</h1>
        <Link to="/chat" search={{ new: true }} className={buttonClass({ size: "small" })}>
          <Plus aria-hidden="true" /> New
        </Link>
      </header>
      {!list && <Skeleton rows={5} height={52} />}
      {list?.chats.length === 0 && (
        <p className={css.none}>
          No conversation yet. What you ask here is kept, and continues after any restart.
        </p>
      )}
      <ul>
        {list?.chats.map((chat) => (
          <li key={chat.id} className={css.item}>
            <Link
              to="/chat"
              search={{ id: chat.id }}
              className={css.entry}
              aria-current={chat.id === current ? "page" : undefined}
            >
              <span className={css.entryTitle}>
                <span className="ellipsis">{clean(chat.title) || "Without a title"}</span>
                {live.get(chat.id)?.status === "answering" && <LiveDot label="being answered" />}
              </span>
              <span className={css.entryFacts}>
                <span className={css.entryPlace}>
                  {hasSeveral && <SourceMark source={chat.source} />}
                  <span className="ellipsis" title={chat.workspace}>
                    {chat.workspace.split(/[\\/]/).at(-1) || chat.workspace}
                  </span>
                </span>
                <Time at={chat.updatedAt} isBrief />
              </span>
            </Link>
            <ChatMenu
              chat={chat}
              isOpen={chat.id === current}
              isAnswering={live.get(chat.id)?.status === "answering"}
              isReadOnly={isReadOnly}
            />
          </li>
        ))}
      </ul>
      {list && list.unreadable.length > 0 && (
        <details className={css.unreadable}>
          <summary>
            {plural(list.unreadable.length, "conversation", "conversations")} could not be read
          </summary>
          <ul>
            {list.unreadable.map(({ path, why }) => (
              <li key={path}>
                {why} <code>{path}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </nav>
  );
}
