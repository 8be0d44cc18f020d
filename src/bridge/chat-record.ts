/** The record of a conversation, and its updates: plain data, stored as one readable JSON file. */
import { type ChatUsage, hasAnswer } from "../model/chat.ts";
import type { SourceId } from "../model/session/session.ts";
import type { ProcessMark } from "../platform/process/program.ts";

export interface ChatMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly at: string;
  /** How an answer ended. An interrupted one may be incomplete. */
  readonly state?: "whole" | "cancelled" | "failed" | "interrupted";
  readonly usage?: ChatUsage;
  /** The tools that were run for it, in their order. */
  readonly tools?: readonly { readonly name: string; readonly says?: string; readonly isDone: boolean }[];
  /** Why it failed. */
  readonly reason?: string;
}

export interface ChatRecord {
  readonly version: 1;
  readonly id: string;
  /** The source whose program it is held with. */
  readonly source: SourceId;
  /** The program's own session. */
  readonly cliSession?: string;
  /**
   * The program was asked to continue its last session, which may belong to another conversation. Without `cliSession`,
   * nothing says which one that was.
   */
  readonly isImprecise?: boolean;
  /** Sessions of the program that held this conversation before: gone, or about another folder. */
  readonly earlier?: readonly string[];
  /**
   * Where the log of that session ended after our last message; it has grown if the session was continued in the
   * program.
   */
  readonly logEnd?: number;
  readonly title: string;
  readonly workspace: string;
  readonly model?: string;
  /** Nothing was answered yet, so the program may have nothing of it. */
  readonly isUnanswered?: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The program that is answering now, or was when its starter died. */
  readonly answering?: ProcessMark;
  readonly messages: readonly ChatMessage[];
}

/** All but what was said: for lists. */
export type ChatHead = Omit<ChatRecord, "messages">;

const TITLE_LENGTH = 80;

export function newChat(
  { id, source }: Pick<ChatRecord, "id" | "source">,
  workspace: string,
  now: Date,
  model?: string,
): ChatRecord {
  const at = now.toISOString();
  return {
    version: 1,
    id,
    source,
    title: "",
    workspace,
    ...(model !== undefined && { model }),
    createdAt: at,
    updatedAt: at,
    messages: [],
  };
}

/** Before the program is started: what was asked is never lost. */
export function ask(chat: ChatRecord, text: string, now: Date): ChatRecord {
  const at = now.toISOString();
  const [line = ""] = text.trim().split("\n", 1);
  return {
    ...chat,
    title: chat.title === "" ? line.slice(0, TITLE_LENGTH) : chat.title,
    updatedAt: at,
    ...(!hasAnswer(chat) && { isUnanswered: true }),
    messages: [...chat.messages, { role: "user", text, at }],
  };
}

/** What has come of the answer so far takes the place of what had come before. */
export function answer(chat: ChatRecord, message: Omit<ChatMessage, "role" | "at">, now: Date): ChatRecord {
  const at = now.toISOString();
  const last = chat.messages.at(-1);
  const before = last?.role === "assistant" ? chat.messages.slice(0, -1) : chat.messages;
  const { isUnanswered: _, ...rest } = chat;
  const answered = {
    ...rest,
    updatedAt: at,
    messages: [...before, { role: "assistant" as const, at, ...message }],
  };
  return hasAnswer(answered) ? answered : { ...answered, isUnanswered: true };
}

/** The program has ended. */
export function settle({ answering: _, ...chat }: ChatRecord): ChatRecord {
  return chat;
}

/** From now on the program holds it in this session. */
export function hold(chat: ChatRecord, cliSession: string, isPrecise: boolean): ChatRecord {
  if (chat.cliSession === cliSession) return chat;
  const { cliSession: before, isImprecise: _, logEnd: __, ...rest } = chat;
  return {
    ...rest,
    cliSession,
    ...(!isPrecise && { isImprecise: true }),
    ...(before !== undefined && { earlier: [...(chat.earlier ?? []), before] }),
  };
}
