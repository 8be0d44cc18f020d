/** A conversation at the terminal: lines in, answers as they come, Ctrl-C for the answer and again for the whole. */
import { createInterface } from "node:readline/promises";
import type { Config } from "../app/config.ts";
import type { ChatApp, ChatRecord, SendOptions } from "../app/contract.ts";
import { AppError } from "../model/errors.ts";
import type { Output } from "./output.ts";
import { besideLine } from "./print/chat.ts";
import { createTyping } from "./print/typing.ts";

interface Terminal {
  readonly out: Output;
  readonly config: Pick<Config, "terminal">;
  /** That the conversation is about another folder, if it is. */
  readonly elsewhere: readonly string[];
}

const PROMPT = "› ";
const MORE = "  ";

export async function talk(
  chats: ChatApp,
  chat: ChatRecord,
  how: SendOptions,
  { out, config, elsewhere }: Terminal,
): Promise<number> {
  if (!process.stdin.isTTY || !config.terminal.stdout)
    throw new AppError(
      "usage",
      "A conversation needs a terminal, and this is none",
      'Send one message instead: rethread chat --send "…"',
    );
  greet(chat, out);
  for (const line of elsewhere) out.line(out.style.yellow(line));
  const lines = createInterface({
    input: process.stdin,
    output: process.stdout,
    history: chat.messages
      .flatMap(({ role, text }) => (role === "user" && !text.includes("\n") ? [text] : []))
      .reverse(),
  });
  let answering: AbortController | undefined;
  let isLeaving = false;
  lines.on("SIGINT", () => {
    if (answering && !answering.signal.aborted) answering.abort();
    else {
      isLeaving = true;
      lines.close();
    }
  });
  try {
    for (;;) {
      const text = await readMessage(lines);
      if (text === undefined || isLeaving) break;
      if (text.trim() === "") continue;
      answering = new AbortController();
      await answer(chats, chat.id, text, { ...how, signal: answering.signal }, out);
      answering = undefined;
    }
  } finally {
    lines.close();
  }
  out.note(`\nGo on with it at any time: rethread chat ${chat.id.slice(0, 8)}`);
  return 0;
}

function greet({ id, title, workspace, messages }: ChatRecord, out: Output): void {
  const { style } = out;
  const what =
    messages.length === 0 ? "A new conversation" : `"${title}", ${messages.length} messages so far`;
  out.line(`${style.bold(what)} ${style.dim(`· ${workspace} · ${id.slice(0, 8)}`)}`);
  out.line(style.dim("End a line with \\ to go on in the next. Ctrl-C cancels an answer, Ctrl-D leaves."));
}

/** A line, or several that end with a backslash; nothing when the input has ended. */
async function readMessage(lines: ReturnType<typeof createInterface>): Promise<string | undefined> {
  const message: string[] = [];
  for (;;) {
    const line = await question(lines, message.length === 0 ? PROMPT : MORE);
    if (line === undefined) return undefined;
    message.push(line.replace(/\\$/, ""));
    if (!line.endsWith("\\")) return message.join("\n");
  }
}

function question(lines: ReturnType<typeof createInterface>, prompt: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const closed = (): void => resolve(undefined);
    lines.once("close", closed);
    lines.question(prompt).then((line) => {
      lines.off("close", closed);
      resolve(line);
    }, closed);
  });
}

async function answer(
  chats: ChatApp,
  id: string,
  text: string,
  how: SendOptions,
  out: Output,
): Promise<void> {
  const typing = createTyping({ ...out, isLive: true });
  try {
    for await (const event of chats.send(id, text, how)) {
      if (event.kind === "text") {
        typing.add(event.text);
        continue;
      }
      const line = besideLine(event, out);
      if (line !== undefined || event.kind === "finished") typing.end();
      if (line !== undefined) out.line(line);
      if (event.kind !== "finished" || event.state === "whole") continue;
      out.line(
        out.style.yellow(event.state === "cancelled" ? "(cancelled)" : `(no answer: ${event.reason})`),
      );
    }
  } catch (error) {
    // One message that cannot be sent does not end the conversation.
    if (!(error instanceof AppError)) throw error;
    typing.end();
    out.failure(error.message, error.code, error.hint);
  }
  out.line();
}
