/**
 * A conversation at the terminal: reads messages, streams answers; Ctrl-C cancels the answer, and a second one quits.
 */
import type { Config } from "../app/config.ts";
import type { ChatApp, ChatRecord, SendOptions } from "../app/contract.ts";
import { hasAnswer } from "../model/chat.ts";
import { AppError } from "../model/errors.ts";
import { shortId } from "../model/values/id.ts";
import { commandText } from "../present/text/command-text.ts";
import { createChatView } from "./chat-view.ts";
import { createMessageInput } from "./message-input.ts";
import type { Output } from "./output.ts";
import { endLines, greeting, toolsLine } from "./print/terminal/chat.ts";

interface Terminal {
  readonly out: Output;
  readonly config: Pick<Config, "terminal">;
  /** That the conversation is about another folder, if it is. */
  readonly elsewhere: readonly string[];
  readonly isDemo: boolean;
}

export async function talk(
  chats: ChatApp,
  chat: ChatRecord,
  how: SendOptions,
  { out, config, elsewhere, isDemo }: Terminal,
): Promise<number> {
  if (!process.stdin.isTTY || !config.terminal.stdout)
    throw new AppError(
      "usage",
      "A conversation needs a terminal, and the input or output is not one",
      `Send one message instead: rethread chat --send "…"${isDemo ? " --demo" : ""}`,
    );
  const agent = chats.agents().find(({ source }) => source === chat.source)?.label ?? chat.source;
  for (const line of greeting(chat, agent, [...elsewhere, toolsLine(how.allowsTools ?? true)], out))
    out.line(line);
  let answering = new AbortController();
  const input = createMessageInput({
    history: chat.messages
      .flatMap(({ role, text }) => (role === "user" && !text.includes("\n") ? [text] : []))
      .reverse(),
    onInterrupt(isAnswering) {
      if (isAnswering && !answering.signal.aborted) answering.abort();
      else input.close();
    },
  });
  let isAnswered = hasAnswer(chat);
  try {
    for (;;) {
      const text = await input.next();
      if (text === undefined) break;
      if (text.trim() === "") continue;
      answering = new AbortController();
      const got = await answer(chats, chat.id, text, { ...how, signal: answering.signal }, out);
      isAnswered ||= got;
    }
  } finally {
    input.close();
  }
  const next = commandText(["chat", shortId(chat.id)], isDemo);
  out.note(isAnswered ? `\nContinue at any time: ${next}` : "");
  return 0;
}

/** Tells whether something was answered. */
async function answer(
  chats: ChatApp,
  id: string,
  text: string,
  how: SendOptions,
  out: Output,
): Promise<boolean> {
  const view = createChatView({ ...out, isLive: true }, (line) => out.line(line));
  let complaint: string | undefined;
  let isAnswered = false;
  try {
    for await (const event of chats.send(id, text, how)) {
      // The user has cancelled, so the program's own message about it is not shown.
      if (event.kind === "notice" && how.signal?.aborted) continue;
      view.show(event);
      if (event.kind === "notice" && event.isError) complaint = event.text;
      if (event.kind !== "finished") continue;
      isAnswered = event.answer.trim() !== "";
      view.end();
      for (const line of endLines(event, complaint, out)) out.line(line);
    }
  } catch (error) {
    // One message that cannot be sent does not end the conversation.
    if (!(error instanceof AppError)) throw error;
    view.end();
    out.failure(error.message, error.code, error.hint);
  }
  out.line();
  return isAnswered;
}
