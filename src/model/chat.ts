/** Types of a conversation with an agent's program: its events, and how the program is started for a message. */

/** What a program says while it answers, in the order in which it says it. */
export type ChatEvent =
  /** A piece of the answer. An answer may be several messages, with tools run between them. */
  | { readonly kind: "text"; readonly message: string; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string }
  | {
      readonly kind: "tool";
      readonly call: string;
      readonly name: string;
      readonly state: "began" | "done" | "failed";
      /** What it is about to do, or why it failed, in words for people. */
      readonly says?: string;
    }
  /** Something the program wants its user to know. */
  | { readonly kind: "notice"; readonly text: string; readonly isError: boolean }
  | { readonly kind: "usage"; readonly usage: ChatUsage }
  /** The last one: which session of its own the program has held this in (empty: it does not say), and how it ended. */
  | {
      readonly kind: "end";
      readonly cliSession: string;
      readonly usage: ChatUsage;
      readonly isFailed?: boolean;
    };

/** The usage of an answer, as far as the program reports it. */
export interface ChatUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly premiumRequests?: number;
  /** In US dollars, as the program estimates it. */
  readonly costUsd?: number;
  readonly apiMs?: number;
}

/** How the next message reaches the conversation that is meant. */
export type StartMode =
  /** A new session under an id that we chose. */
  | { readonly start: "named"; readonly id: string }
  /** A new session whose id must be found afterwards. */
  | { readonly start: "unnamed" }
  | { readonly start: "resume"; readonly id: string }
  /** The program's last session: the last resort, because it may belong to another conversation. */
  | { readonly start: "continue" }
  /** Each message stands alone, because that is what was asked for. */
  | { readonly start: "alone" };

/** What is known when a message is about to be sent. */
export interface Standing {
  /** The program's own session, once it is known. */
  readonly cliSession?: string;
  /** A message of this conversation was sent since this process began. */
  readonly hasBegun: boolean;
  /** False where every message is to stand alone. */
  readonly keepsContext: boolean;
  /** The program lets us choose the id of a new session. */
  readonly takesId: boolean;
  /** For a new session. */
  readonly newId: string;
}

/** The whole matrix, in the order in which its rows count. */
export function decideStartMode({ cliSession, hasBegun, keepsContext, takesId, newId }: Standing): StartMode {
  if (!keepsContext) return { start: "alone" };
  if (cliSession !== undefined) return { start: "resume", id: cliSession };
  if (takesId) return { start: "named", id: newId };
  return hasBegun ? { start: "continue" } : { start: "unnamed" };
}

/** What its output means for the number of tokens and the like: later numbers are added to earlier ones. */
export const addUsage = (one: ChatUsage, other: ChatUsage): ChatUsage => {
  const sum = (of: keyof ChatUsage): Partial<ChatUsage> =>
    one[of] === undefined && other[of] === undefined ? {} : { [of]: (one[of] ?? 0) + (other[of] ?? 0) };
  return {
    ...sum("inputTokens"),
    ...sum("outputTokens"),
    ...sum("premiumRequests"),
    ...sum("costUsd"),
    ...sum("apiMs"),
  };
};

/** Whether anything was answered in a conversation, in whole or in part. */
export const hasAnswer = ({
  messages,
}: {
  readonly messages: readonly { readonly role: string; readonly text: string }[];
}): boolean => messages.some(({ role, text }) => role === "assistant" && text.trim() !== "");
