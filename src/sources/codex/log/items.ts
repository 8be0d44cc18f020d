/** Converts one item of the conversation to events: what was asked, answered, thought, called and given back. */
import { type ImageRef, toImageId } from "../../../model/session/image-ref.ts";
import type {
  Attachment,
  Event,
  Origin,
  ToolCallEvent,
  ToolResultEvent,
} from "../../../model/session/session.ts";
import { asksSomething } from "../../../model/session/turns.ts";
import { workIn } from "../../handed-work.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../log/jsonl.ts";
import { readOutput } from "./outputs.ts";
import { isContextual, pictureMark } from "./prompts.ts";
import { type LogRecord, textsOf } from "./records.ts";

export interface ItemContext {
  readonly model: string | undefined;
  /** The log of a sub-agent: what other agents tell it are its prompts. */
  readonly isAgent: boolean;
}

interface Base {
  readonly origin: Origin;
  readonly time?: string;
  readonly id?: string;
}

export function toEvents(record: LogRecord, origin: Origin, around: ItemContext): Event[] {
  const { payload: item, time, metadata } = record;
  const id = asString(item.id);
  const base: Base = { origin, ...(time !== undefined && { time }), ...(id !== undefined && { id }) };
  switch (item.type) {
    case "message":
      // The summary that a compaction makes stands in the record of the compaction, too.
      return metadata.compaction_output === true ? [] : messageEvents(base, record, around);
    case "agent_message":
      return agentEvents(base, textsOf(item.content).join(""), asString(item.author) ?? "", around);
    case "reasoning": {
      const text = [...textsOf(item.summary), ...textsOf(item.content)].join("\n\n");
      return text.trim() === "" ? [] : [{ ...base, kind: "thinking", text }];
    }
    case "function_call":
      return [call(base, item, item.call_id, asString(item.name) ?? "", toInput(item.arguments))];
    case "custom_tool_call":
      return [call(base, item, item.call_id, asString(item.name) ?? "", item.input)];
    case "local_shell_call":
      return [call(base, item, item.call_id ?? item.id, "local_shell", item.action)];
    case "tool_search_call":
      return [call(base, item, item.call_id, "tool_search", item.arguments)];
    case "function_call_output":
    case "custom_tool_call_output":
      return [resultOf(base, item, metadata)];
    case "tool_search_output":
      return [{ ...answer(base, item.call_id), text: toolNames(item.tools) }];
    case "web_search_call":
      return atOnce(base, item, "web_search", item.action);
    case "image_generation_call":
      return atOnce(base, item, "image_generation", { prompt: item.revised_prompt });
    default:
      return [];
  }
}

function messageEvents(base: Base, { payload: item, metadata }: LogRecord, { model }: ItemContext): Event[] {
  if (item.role === "assistant") {
    const text = textsOf(item.content).join("\n");
    return text.trim() === "" ? [] : [{ ...base, kind: "text", text, ...(model !== undefined && { model }) }];
  }
  if (item.role !== "user") return [];
  if (isContextual(item)) return shellCommandOf(base, textsOf(item.content).join("\n"));
  const texts = textsOf(item.content).filter((text) => !pictureMark(text));
  const attachments = picturesIn(item.content, base.origin);
  const prompt = {
    ...base,
    kind: "prompt",
    text: texts.join("\n"),
    attachments,
    ...workIn(metadata),
  } as const;
  if (!asksSomething(prompt)) return [];
  const { attachments: _, ...plain } = prompt;
  return [attachments.length > 0 ? prompt : plain];
}

/** A command that a person ran from the prompt, with what it printed. */
const shellCommandOf = (base: Base, text: string): Event[] =>
  text.trimStart().startsWith("<user_shell_command>")
    ? [{ ...base, kind: "notice", level: "info", text: text.trim() }]
    : [];

/** Agents tell one another things; what the service encrypts can be read by models alone. */
export function agentEvents(base: Base, text: string, author: string, { isAgent }: ItemContext): Event[] {
  const [, task = "", payload = ""] =
    /^Message Type: [^\n]*\nTask name: ([^\n]*)\nSender: [^\n]*\nPayload:\n?([\s\S]*)$/.exec(text) ?? [];
  const said = (task === "" ? text : payload).trim();
  const shown = said === "" ? `${task === "" ? "A message" : `Task ${task}`} (its text is encrypted)` : said;
  return isAgent
    ? [{ ...base, kind: "prompt", text: shown }]
    : [{ ...base, kind: "notice", level: "info", text: `${author}: ${shown}` }];
}

function call(base: Base, item: JsonObject, callId: unknown, name: string, input: unknown): ToolCallEvent {
  const namespace = asString(item.namespace);
  const server = namespace?.startsWith("mcp__") ? namespace.slice("mcp__".length) : undefined;
  return {
    ...base,
    kind: "tool-call",
    callId: asString(callId) ?? "",
    name,
    input,
    ...(server !== undefined && { provider: { kind: "mcp", name: server.replace(/__$/, "") } }),
  };
}

/** Arguments are JSON in a string; what cannot be parsed stays a string. */
export function toInput(text: unknown): unknown {
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const answer = (base: Base, callId: unknown) =>
  ({ ...base, kind: "tool-result", callId: asString(callId) ?? "", status: "ok" }) as const;

const STATUS = ["ok", "failed", "interrupted"] as const;

function resultOf(base: Base, item: JsonObject, metadata: JsonObject): ToolResultEvent {
  const images = imagesIn(item.output, { ...base.origin, at: ["payload", "output"] });
  // Of a call that another program made: its words are not those by which this one says how a call ended.
  const status = STATUS.find((each) => each === asObject(metadata.handoff)?.status);
  return {
    ...answer(base, item.call_id),
    ...readOutput(item.output),
    ...(status !== undefined && { status }),
    ...(images.length > 0 && { images }),
  };
}

/** What the service does by itself: its result is no item of its own. */
function atOnce(base: Base, item: JsonObject, name: string, input: unknown): Event[] {
  const callId = base.id ?? `line ${base.origin.line}`;
  const isPicture = typeof item.result === "string" && item.result !== "";
  const image = { id: toImageId({ ...base.origin, at: ["payload", "result"] }) };
  return [
    call(base, item, callId, name, input),
    {
      ...answer(base, callId),
      status: item.status === "failed" ? "failed" : "ok",
      text: "",
      ...(isPicture && { images: [image] }),
    },
  ];
}

const toolNames = (tools: unknown): string =>
  asArray(tools)
    .flatMap((tool) => asString(asObject(tool)?.name) ?? [])
    .join("\n");

function picturesIn(content: unknown, origin: Origin): Attachment[] {
  let mark: ReturnType<typeof pictureMark>;
  return asArray(content).flatMap((part, index): Attachment[] => {
    if (!isObject(part)) return [];
    if (part.type !== "input_image") {
      mark = pictureMark(asString(part.text) ?? "") ?? mark;
      return [];
    }
    const { name = "image", path } = mark ?? {};
    mark = undefined;
    const image = toImage(part, { ...origin, at: ["payload", "content"] }, index);
    return [
      {
        kind: "image",
        name: path?.split(/[\\/]/).at(-1) ?? name,
        ...(path !== undefined && { path }),
        image,
      },
    ];
  });
}

const imagesIn = (content: unknown, origin: Origin): ImageRef[] =>
  asArray(content).flatMap((part, index) =>
    isObject(part) && part.type === "input_image" ? [toImage(part, origin, index)] : [],
  );

/** An address of elsewhere names a picture that is not here. */
function toImage(part: JsonObject, list: Origin, index: number): ImageRef {
  const type = /^data:([^;,]+)[;,]/.exec(asString(part.image_url) ?? "")?.[1];
  return {
    ...(type !== undefined && { id: toImageId({ ...list, at: [...(list.at ?? []), index] }), type }),
  };
}
