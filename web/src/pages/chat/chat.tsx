/** Chat: talk to Copilot CLI or Claude Code through the bridge, in conversations that survive any restart. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { Failure } from "../../change/failure.tsx";
import { useShortcuts } from "../../keys/keys.ts";
import { api, keys } from "../../lib/api.ts";
import { fromKey } from "../../lib/session-key.ts";
import { chatRoute } from "../../router.tsx";
import { useSteady } from "../../ui/use-steady.ts";
import css from "./chat.module.css";
import { ChatList } from "./chat-list.tsx";
import { Conversation } from "./conversation.tsx";
import { NewConversation } from "./new-conversation.tsx";

export function Chat() {
  const search = chatRoute.useSearch();
  const { id, session, workspace } = search;
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery({
    queryKey: keys.chats,
    queryFn: ({ signal }) => api.chats({ signal }),
  });
  const health = useQuery({ queryKey: keys.health, queryFn: ({ signal }) => api.health({ signal }) });
  const refusal = health.data?.isReadOnly ? "The server is read-only: no message can be sent" : undefined;
  // A session that one of the conversations holds already continues there.
  const holder =
    session === undefined
      ? undefined
      : data?.chats.find(({ cliSession }) => cliSession === fromKey(session).id)?.id;
  useEffect(() => {
    if (holder !== undefined) void navigate({ to: "/chat", search: { id: holder }, replace: true });
  }, [holder, navigate]);
  const go = (by: 1 | -1): void => {
    const all = data?.chats ?? [];
    const at = all.findIndex((chat) => chat.id === id);
    const next = all[at < 0 ? 0 : at + by];
    if (next) void navigate({ to: "/chat", search: { id: next.id } });
  };
  useShortcuts([
    {
      keys: "n",
      label: "New conversation",
      group: "Chat",
      run: () => void navigate({ to: "/chat", search: { new: true } }),
    },
    { keys: "j", label: "Next conversation", group: "Chat", isKeyOnly: true, run: () => go(1) },
    { keys: "k", label: "Previous conversation", group: "Chat", isKeyOnly: true, run: () => go(-1) },
  ]);
  const isList = id === undefined && session === undefined && workspace === undefined && search.new !== true;
  const steady = useSteady();
  return (
    <div className={css.view} data-list={isList || undefined} {...steady}>
      <ChatList list={data} current={id} isReadOnly={refusal !== undefined} />
      {error && !data ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : id !== undefined ? (
        <Conversation key={id} id={id} refusal={refusal} />
      ) : session === undefined || (data && holder === undefined) ? (
        <NewConversation
          key={session ?? "new"}
          session={session}
          agents={data?.agents ?? []}
          workspace={workspace}
          refusal={refusal}
        />
      ) : (
        <div />
      )}
    </div>
  );
}
