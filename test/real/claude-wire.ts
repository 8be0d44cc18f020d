/** From a request of Claude Code to the messages of the history in it, in the shape of our own context. */
import type { ContextMessage } from "../../src/model/session/context.ts";
import { blocksOf, textOf, type WireBlock, type WireMessage } from "./anthropic.ts";

/** A message as far as the wire can tell: it knows neither where the words came from nor who made them up. */
export type SentMessage = Omit<ContextMessage, "origin" | "madeUp" | "appended">;

/** The reminders that the program wrote down as it took the new prompt: exactly what it announced with it. */
export function remindersIn(appended: string): string[] {
  const texts: string[] = [];
  for (const line of appended.split("\n")) {
    if (!line.startsWith("{")) continue;
    const row = JSON.parse(line);
    if (row.type !== "attachment") continue;
    for (const { content } of row.rendered ?? [])
      for (const block of blocksOf({ role: "user", content })) texts.push(String(block.text));
  }
  return texts;
}

/**
 * The request without the new prompt and what was announced with it. Both can only stand behind the last answer:
 * an unanswered prompt is closed by the program itself, a command's echo is joined to the new prompt.
 */
export function historyOf(
  sent: readonly WireMessage[],
  prompt: string,
  announced: readonly string[],
): WireMessage[] {
  const open = sent.findLastIndex((message) => message.role === "assistant") + 1;
  const isNew = createSieve([prompt, ...announced]);
  // From the end: a reminder that says the same again comes behind the one in the history.
  const tail = sent
    .slice(open)
    .reverse()
    .map((message): WireMessage => {
      if (message.role !== "system") {
        const blocks = blocksOf(message).map((block) => withoutJoined(block, announced));
        return { ...message, content: withoutBlocks(blocks, isNew) };
      }
      const text = withoutAnnounced(textOf(message), announced);
      return { ...message, content: text === "" ? [] : [{ type: "text", text }] };
    });
  return [...sent.slice(0, open), ...tail.reverse()].filter(({ content }) => content.length > 0);
}

/** Says of each text once whether it is among those given, with or without the line feed of a seam. */
function createSieve(texts: readonly string[]): (text: string) => boolean {
  const left = [...texts];
  return (text) => {
    const at = left.findIndex((one) => text === one || text === `${one}\n`);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  };
}

/** Where texts meet, all but the last end with a line feed, which moves when the text is taken out. */
function withoutBlocks(blocks: readonly WireBlock[], isNew: (text: string) => boolean): WireBlock[] {
  const fresh = new Set(blocks.toReversed().filter((block) => isNew(String(block.text))));
  const kept: WireBlock[] = [];
  const reseam = (change: (text: string) => string): void => {
    const last = kept.at(-1);
    if (last?.type === "text") last.text = change(String(last.text));
  };
  for (const block of blocks) {
    if (!fresh.has(block)) kept.push({ ...block });
    else if (String(block.text).endsWith("\n")) reseam((text) => `${text.replace(/\n$/, "")}\n`);
  }
  if (fresh.has(blocks.at(-1) as WireBlock)) reseam((text) => text.replace(/\n$/, ""));
  return kept;
}

/** Where nothing was said since a result, what is announced joins it, with a blank line before each. */
function withoutJoined(block: WireBlock, announced: readonly string[]): WireBlock {
  if (block.type !== "tool_result" || typeof block.content !== "string") return block;
  let content = block.content;
  for (const reminder of announced.toReversed()) {
    const joined = `\n\n${reminder.trimEnd()}`;
    if (content.endsWith(joined)) content = content.slice(0, -joined.length);
  }
  return { ...block, content };
}

/** System messages join their reminders with blank lines, the newly announced ones last. */
function withoutAnnounced(text: string, announced: readonly string[]): string {
  let left = text;
  for (const wrapped of announced.toReversed()) {
    const reminder = wrapped.replace(/^<system-reminder>\n|\n<\/system-reminder>\n?$/g, "");
    if (left === reminder) return "";
    if (left.endsWith(`\n\n${reminder}`)) left = left.slice(0, -reminder.length - 2);
  }
  return left;
}

/** One that holds no other: warnings inside of reminders are written as reminders, too. */
const REMINDER = /<system-reminder>(?:(?!<system-reminder>)[\s\S])*?<\/system-reminder>\s*/g;

/** What is left for whoever takes out the reminders: the words of people, models and tools. */
export function withoutReminders(messages: readonly SentMessage[]): SentMessage[] {
  return messages
    .map((message) => ({ ...message, text: spoken(message.text).trim() }))
    .filter(({ role, text }) => role !== "user" || text !== "");
}

function spoken(text: string): string {
  const left = text.replace(REMINDER, "");
  return left === text ? text : spoken(left);
}

/** One message for each thing that is said: an answer, a tool result, a text. System messages become reminders. */
export function toSent(message: WireMessage): SentMessage[] {
  const blocks = blocksOf(message);
  const all = (type: string, key: string): string =>
    blocks.flatMap((block) => (block.type === type ? [String(block[key])] : [])).join("\n");
  if (message.role === "assistant") {
    const thinking = all("thinking", "thinking");
    const toolCalls = blocks
      .filter((block) => block.type === "tool_use")
      .map((block) => ({ id: String(block.id), name: String(block.name), arguments: block.input }));
    return [
      {
        role: "assistant",
        text: all("text", "text"),
        ...(thinking !== "" && { thinking }),
        ...(toolCalls.length > 0 && { toolCalls }),
      },
    ];
  }
  return blocks.map((block): SentMessage => {
    if (message.role === "system")
      return { role: "user", text: `<system-reminder>\n${block.text}\n</system-reminder>` };
    if (block.type === "text") return { role: "user", text: String(block.text) };
    if (block.type !== "tool_result") return { role: "user", text: `[${block.type}]` };
    const content = block.content as string | WireBlock[] | undefined;
    return {
      role: "tool",
      text:
        typeof content === "string"
          ? content
          : (content ?? []).map((part) => part.text ?? `[${part.type}]`).join("\n"),
      toolCallId: String(block.tool_use_id),
      ...(block.is_error === true && { isError: true }),
    };
  });
}
