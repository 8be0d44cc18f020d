/** Converts the records of earlier versions to today's form. */

import type * as z from "zod/mini";
import { printed } from "../model/text/printed.ts";
import { memberOf } from "../model/values/member.ts";
import { asObject } from "../sources/log/jsonl.ts";
import type { ChatMessage, ChatRecord } from "./chat-record.ts";
import { CHAT } from "./chat-schema.ts";

type Fields = Record<string, unknown>;

/** Records that name no program were made when there was only one to talk to. */
const FIRST_SOURCE = "copilot-cli";

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
  const chat: Fields = {
    ...current,
    version: 1,
    source: current.source ?? FIRST_SOURCE,
    title: printed(current.title ?? ""),
  };
  const [issue] = CHAT.safeParse(chat).error?.issues ?? [];
  return issue ? { why: describe(issue, chat) } : (chat as Fields & ChatRecord);
}

/** `messages[3].at is missing`: where it is, and what is wrong with it. */
function describe({ path, message }: z.core.$ZodIssue, chat: Fields): string {
  const found = path.reduce((inside: unknown, key) => memberOf((inside ?? {}) as Fields, String(key)), chat);
  const place = path.reduce<string>(
    (before, key) =>
      typeof key === "number"
        ? `${before}[${key}]`
        : before === ""
          ? String(key)
          : `${before}.${String(key)}`,
    "",
  );
  return `${place} ${found === undefined ? "is missing" : message}`;
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
