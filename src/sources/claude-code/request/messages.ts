/** Merges the rows into the messages of one request, in the order in which Claude Code sends them. */

import type { Origin } from "../../../model/session/session.ts";
import { printed } from "../../../model/text/printed.ts";
import { append } from "../../../model/values/lists.ts";
import { asArray, asObject } from "../../log/jsonl.ts";
import { type Block, resultText } from "../records.ts";
import type { AssistantEntry, Entry, ReminderEntry, UserEntry } from "./entries.ts";
import { pair } from "./pairing.ts";
import { type Message, made, NOTHING, type Piece, piece } from "./wire.ts";

/** Models up to this version know no system messages inside a conversation, and get reminders in the user's. */
const OLDER_THAN = [4, 8] as const;

export function takesSystemMessages(model: string | undefined): boolean {
  const version = /^claude-(?:[a-z]+-)?(\d+)(?:-(\d{1,2})(?!\d))?/.exec(model ?? "");
  if (!version) return true;
  const major = Number(version[1]);
  return major > OLDER_THAN[0] || (major === OLDER_THAN[0] && Number(version[2] ?? 0) >= OLDER_THAN[1]);
}

export function toMessages(entries: readonly Entry[], model: string | undefined): Message[] {
  const builder = createBuilder(takesSystemMessages(model));
  for (const entry of entries) {
    if (entry.kind === "reminder") builder.remind(entry);
    else if (entry.kind === "user") builder.hear(entry);
    else builder.answer(entry);
  }
  builder.end();
  return pair(builder.messages.flatMap(withoutBlanks));
}

/**
 * Reminders are recorded behind the prompt they came with and sent before it, or, as a system message, behind all that
 * the user said; so everything between two answers (or tool results) is held until it is known.
 */
function createBuilder(systemMessages: boolean) {
  const messages: Message[] = [];
  let prompts: UserEntry[] = [];
  let reminders: ReminderEntry[] = [];
  let notes: ReminderEntry[] = [];
  const replies = new Map<string, Message>();

  const place = (): void => {
    for (const entry of reminders) {
      if (systemMessages && entry.voice === "system") notes.push(entry);
      else addReminders(messages, entry);
    }
    for (const entry of prompts) addUser(messages, entry);
    prompts = [];
    reminders = [];
    // A reply goes on behind results, but not once the user has spoken.
    const last = messages.at(-1);
    if (last?.role === "user" && last.pieces.some(({ block }) => block.type !== "tool_result"))
      replies.clear();
  };
  const close = (isEnd: boolean): void => {
    place();
    if (notes.length > 0) addNote(messages, notes, isEnd);
    notes = [];
  };

  return {
    messages,
    remind: (entry: ReminderEntry) => void reminders.push(entry),
    hear(entry: UserEntry) {
      const answersCall = entry.blocks[0]?.type === "tool_result";
      if (answersCall) place();
      prompts.push(entry);
      if (answersCall) place();
    },
    answer({ isError, blocks, replyId, origin }: AssistantEntry) {
      // A failed request is not sent, but what came before it stays before it.
      if (isError) return place();
      close(false);
      const pieces = blocks.map((block) => piece(block, false, origin));
      const begun = replyId === undefined ? undefined : replies.get(replyId);
      if (begun) {
        append(begun.pieces, pieces);
        return;
      }
      const message: Message = { role: "assistant", pieces };
      messages.push(message);
      if (replyId !== undefined) replies.set(replyId, message);
    },
    end: () => close(true),
  };
}

/** A failed result is sent as words only. */
function withoutPictures(part: Piece): Piece {
  const { block } = part;
  const parts = asArray(block.content);
  const texts = parts.flatMap((each) => {
    const { type, text } = asObject(each) ?? {};
    return type === "text" ? [printed(text)] : [];
  });
  if (block.type !== "tool_result" || block.is_error !== true || texts.length === parts.length) return part;
  const content = texts.length === 0 ? [] : [{ type: "text", text: texts.join("\n\n") }];
  const { bare: _, ...rest } = part;
  return { ...rest, block: { ...block, content } };
}

function openUser(messages: Message[]): Message {
  const last = messages.at(-1);
  if (last?.role === "user") return last;
  const opened: Message = { role: "user", pieces: [] };
  messages.push(opened);
  return opened;
}

/** Where two texts meet in one message, the first gets a line feed; where rows are joined, results come first. */
function addUser(messages: Message[], entry: UserEntry): void {
  const message = openUser(messages);
  const added = entry.blocks.map((block) => piece(block, entry.madeUp, entry.origin));
  if (message.pieces.length === 0) {
    message.pieces = added;
    return;
  }
  const seam = message.pieces.at(-1);
  if (seam?.block.type === "text" && added[0]?.block.type === "text") {
    const text = `${printed(seam.block.text)}\n`;
    message.pieces[message.pieces.length - 1] = { ...seam, block: { ...seam.block, text } };
  }
  const all = [...message.pieces, ...added];
  const isResult = ({ block }: Piece): boolean => block.type === "tool_result";
  message.pieces = [...all.filter(isResult), ...all.filter((part) => !isResult(part))];
}

function addReminders(messages: Message[], { said, origin }: ReminderEntry): void {
  for (const blocks of said) {
    const [only, ...more] = blocks;
    if (only?.type === "text" && more.length === 0) addReminder(messages, printed(only.text), origin);
    else openUser(messages).pieces.push(...blocks.map((block) => piece(block, true, origin)));
  }
}

/** Behind tool results a reminder becomes part of the last one. */
function addReminder(messages: Message[], text: string, origin: Origin | undefined): void {
  const message = openUser(messages);
  const last = message.pieces.at(-1);
  if (last?.block.type !== "tool_result") message.pieces.push(piece({ type: "text", text }, true, origin));
  else {
    const { block } = last;
    const said = typeof block.content === "string" ? block.content.trim() : resultText(block);
    const { bare = said.length } = last;
    message.pieces.splice(-1, 1, { ...last, bare, block: { ...block, content: joined(block, text) } });
  }
}

function joined(result: Block, text: string): string | unknown[] {
  if (typeof result.content === "string") return `${result.content.trim()}\n\n${text}`.trim();
  const parts = asArray(result.content);
  const last = asObject(parts.at(-1));
  if (last?.type !== "text") return [...parts, { type: "text", text }];
  return [...parts.slice(0, -1), { ...last, text: `${printed(last.text)}\n\n${text}` }];
}

const REMINDER = /^<system-reminder>\n?([\s\S]*?)\n?<\/system-reminder>\s*$/;

/** System messages carry the reminders without their wrapping, behind a user's message; at the end the next one is to come. */
function addNote(messages: Message[], reminders: readonly ReminderEntry[], isEnd: boolean): void {
  const origin = reminders[0]?.origin;
  if (!isEnd && messages.at(-1)?.role !== "user") {
    for (const entry of reminders) addReminders(messages, entry);
    return;
  }
  const bare = (wrapped: string): string => REMINDER.exec(wrapped)?.[1] ?? wrapped;
  const text = reminders
    .map((entry) =>
      entry.said
        .flat()
        .map(({ text }) => bare(printed(text)))
        .join("\n"),
    )
    .join("\n\n");
  messages.push({ role: "system", pieces: [piece({ type: "text", text }, true, origin)] });
}

/** White space beside other words is left out; alone it is all the user said. */
function withoutBlanks(message: Message): Message[] {
  if (message.role !== "user") return [message];
  const isBlank = ({ block }: Piece): boolean => block.type === "text" && printed(block.text).trim() === "";
  const [only, ...more] = message.pieces;
  if (only && more.length === 0)
    return only.block.text === "" ? [] : [{ ...message, pieces: [withoutPictures(only)] }];
  const spoken = message.pieces.filter((part) => !isBlank(part)).map(withoutPictures);
  return [{ ...message, pieces: spoken.length > 0 ? spoken : [made(NOTHING)] }];
}
