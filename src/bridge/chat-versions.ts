/** What earlier versions, and the design this began with, kept of a conversation, as what is kept today. */
import { memberOf } from "../model/member.ts";
import { printed } from "../model/printed.ts";
import { asObject } from "../sources/jsonl.ts";
import type { ChatMessage, ChatRecord } from "./chat-record.ts";

type Fields = Record<string, unknown>;

export interface NoChat {
  readonly why: string;
  /** Nothing is wrong with it: it is for a version that knows more. */
  readonly isNewer?: boolean;
  /** The system does not let us read it, or it is no file: then it stays where it is. */
  readonly isOutOfReach?: boolean;
}

/** A conversation, or why it is none. */
export function upgrade(raw: unknown): ChatRecord | NoChat {
  const fields = asObject(raw);
  if (!fields) return { why: "not an object" };
  const current = fields.version === undefined ? fromFirst(fields) : fields;
  if (typeof current.version === "number" && current.version > 1)
    return { why: `written by a newer version (${current.version})`, isNewer: true };
  const chat: Fields = { ...current, version: 1, title: printed(current.title ?? "") };
  if (isChat(chat)) return chat;
  return { why: `${findWrong(chat)} is missing or invalid` };
}

const isText = (value: unknown): boolean => typeof value === "string";
const maybe =
  (isSo: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || isSo(value);

/** People may mend these files, and what is wrong in one is to be told, not stumbled over when an answer comes. */
const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: isText,
  workspace: isText,
  createdAt: isText,
  updatedAt: isText,
  cliSession: maybe(isText),
  model: maybe(isText),
  earlier: maybe((value) => Array.isArray(value) && value.every(isText)),
  logEnd: maybe(Number.isFinite),
  answering: maybe((value) => Number.isInteger(asObject(value)?.pid)),
  messages: (value) => Array.isArray(value) && value.every(isMessage),
};

const findWrong = (fields: Fields): string | undefined =>
  Object.entries(FIELDS).find(([name, isSo]) => !isSo(memberOf(fields, name)))?.[0];

const isChat = (fields: Fields): fields is Fields & ChatRecord => findWrong(fields) === undefined;

function isMessage(value: unknown): boolean {
  const { role, text, at } = asObject(value) ?? {};
  return (role === "user" || role === "assistant") && isText(text) && isText(at);
}

/** Before there were versions: the names of an application that kept the same things. */
function fromFirst(raw: Fields): Fields {
  if (raw.SessionId === undefined) return raw;
  const history: unknown[] = Array.isArray(raw.MessageHistory) ? raw.MessageHistory : [];
  const messages = history.map((each): ChatMessage => {
    const { Role, Content, Timestamp } = asObject(each) ?? {};
    return {
      role: Role === "assistant" ? "assistant" : "user",
      text: printed(Content ?? ""),
      at: printed(Timestamp ?? raw.CreatedAt ?? new Date(0).toISOString()),
    };
  });
  const last = messages.at(-1)?.at ?? new Date(0).toISOString();
  return {
    version: 1,
    id: printed(raw.SessionId),
    ...(typeof raw.CopilotSessionId === "string" && { cliSession: raw.CopilotSessionId }),
    title: printed(raw.Title ?? messages[0]?.text.split("\n", 1)[0] ?? ""),
    workspace: printed(raw.WorkingDirectory ?? ""),
    createdAt: printed(raw.CreatedAt ?? messages[0]?.at ?? last),
    updatedAt: last,
    messages,
  };
}
