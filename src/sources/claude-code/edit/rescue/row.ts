/** Repairs a row that Claude Code cannot use: adds what it lacks, corrects what is wrong, and keeps all words. */
import { printed } from "../../../../model/text/printed.ts";
import { writeJson } from "../../../../model/values/json.ts";
import { memberOf } from "../../../../model/values/member.ts";
import { changeMembers } from "../../../../platform/json/members.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../../log/jsonl.ts";
import { complete, parseObject } from "../../../rescue/json.ts";
import { type Block, isChained, isSideNote, resultText } from "../../records.ts";

/** What is wrong with a record by itself; nothing where the program can use it, or knows no such record. */
export function faultOf(record: JsonObject): string | undefined {
  if (asString(record.type) === undefined)
    return typeOf(record) === undefined ? undefined : "a row does not say what kind it is";
  if (!isChained(record)) return undefined;
  if (!asString(record.uuid)) return "a row has no id";
  if (record.type === "attachment" && !isObject(record.attachment)) return "an attachment is missing";
  if (record.type !== "user" && record.type !== "assistant") return undefined;
  const message = asObject(record.message);
  if (!message) return "a row has no message";
  if (typeof message.content === "string") return undefined;
  return Array.isArray(message.content) && message.content.every(isBlock)
    ? undefined
    : "the content of a message is not what it must be";
}

/** What the program needs of the blocks that it looks into. */
function isBlock(block: unknown): boolean {
  if (!isObject(block) || typeof block.type !== "string") return false;
  if (block.type === "text") return typeof block.text === "string";
  if (block.type === "tool_use") return typeof block.id === "string";
  return block.type !== "tool_result" || typeof block.tool_use_id === "string";
}

/** What kind of row it must have been. */
export function typeOf(record: JsonObject): string | undefined {
  const said = asString(record.type);
  if (said !== undefined) return said;
  const { role } = asObject(record.message) ?? {};
  if (role === "user" || role === "assistant") return role;
  if (isObject(record.attachment)) return "attachment";
  return typeof record.subtype === "string" && typeof record.uuid === "string" ? "system" : undefined;
}

/** Where the row stands. */
export interface Around {
  /** The id that it gets if it has none. */
  readonly uuid: string;
  /** Of the row before it. */
  readonly time: string;
}

/** The row as the program can use it, and what was wrong with it. */
export function repairRow(text: string, around: Around): { readonly text: string; readonly why?: string } {
  const record = parseObject(text) ?? {};
  const why = faultOf(record);
  const type = typeOf(record);
  if (type === undefined || !isChained({ type })) return { text };
  const time = validTime(record.timestamp) ?? around.time;
  if (why === undefined && time === record.timestamp) return { text };
  const changes: JsonObject = {
    ...(record.type !== type && { type }),
    ...(!asString(record.uuid) && { uuid: around.uuid }),
    ...(record.timestamp !== time && { timestamp: time }),
    ...contentOf(type, record),
  };
  const replaced = replacedIn(record, changes);
  const changed = changeMembers(text, {
    ...changes,
    ...(Object.keys(replaced).length > 0 && { rescued: replaced }),
  });
  return { text: changed, ...(why !== undefined && { why }) };
}

/** Values of which nothing is left where they stood. The program passes over names that it does not know. */
const replacedIn = (record: JsonObject, changes: JsonObject): JsonObject =>
  Object.fromEntries(
    ["type", "uuid", "timestamp", "attachment"].flatMap((key) => {
      const was = memberOf(record, key);
      return Object.hasOwn(changes, key) && was !== undefined && was !== null ? [[key, was]] : [];
    }),
  );

/** A time in the one form that the program reads, if it is one at all. */
export function validTime(value: unknown): string | undefined {
  if (typeof value === "string") return Number.isNaN(Date.parse(value)) ? undefined : value;
  if (typeof value !== "number") return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function contentOf(type: string, record: JsonObject): JsonObject {
  if (type === "attachment" && !isObject(record.attachment)) return { type: "system", subtype: "rescued" };
  if (type !== "user" && type !== "assistant") return {};
  const message = asObject(record.message);
  const said = message ? message.content : (record.message ?? record.content);
  const content = toContent(said);
  // A row that says nothing only holds the rows around it together.
  if (content === undefined) return { type: "system", subtype: "rescued" };
  if (message && content === message.content) return {};
  return { message: { role: type, ...message, content } };
}

function toContent(said: unknown): unknown {
  if (typeof said === "string") return said;
  if (Array.isArray(said)) return said.every(isBlock) ? said : said.map(toBlock);
  if (said === undefined || said === null) return undefined;
  return isObject(said) ? [toBlock(said)] : writeJson(said);
}

/** What is no block of a kind that the program knows becomes words. */
function toBlock(value: unknown): JsonObject {
  if (isBlock(value)) return value as JsonObject;
  const block = asObject(value);
  const text =
    typeof value === "string"
      ? value
      : block?.type === "tool_result"
        ? resultText(block as Block)
        : (asString(block?.text) ?? writeJson(value));
  return { type: "text", text };
}

/** What a row that was cut off still says, when that is worth having. */
export function halfOf(torn: string): string | undefined {
  const whole = complete(torn);
  const record = whole === undefined ? undefined : parseObject(whole);
  if (whole === undefined || !record) return undefined;
  const last = Object.keys(record).at(-1) ?? "";
  // The member in which it stops is not what it was.
  const text = last === "message" ? whole : changeMembers(whole, { [last]: undefined });
  const left = last === "message" ? record : Object.fromEntries(Object.entries(record).slice(0, -1));
  const type = typeOf(left);
  if (type === undefined || !isChained({ type })) return undefined;
  if (type !== "user" && type !== "assistant") return left.uuid === undefined ? undefined : text;
  const message = asObject(left.message);
  if (!message) return undefined;
  if (last !== "message") return text;
  const cut = cutMessage(message);
  return cut && changeMembers(text, { message: cut });
}

/** A message without what was cut off in it: a call without all of its input, a thought without its signature. */
function cutMessage(message: JsonObject): JsonObject | undefined {
  const keys = Object.keys(message);
  if (keys.at(-1) !== "content") {
    const { [keys.at(-1) ?? ""]: _, ...left } = message;
    return left.content === undefined ? undefined : left;
  }
  if (typeof message.content === "string") return message.content === "" ? undefined : message;
  const blocks = asArray(message.content);
  const content = blocks.filter((block, at) => isBlock(block) && (at < blocks.length - 1 || isWords(block)));
  return content.length === 0 ? undefined : { ...message, content };
}

function isWords(block: unknown): boolean {
  const { type, text, content } = asObject(block) ?? {};
  if (type === "text") return printed(text) !== "";
  return (
    type === "tool_result" && (typeof content === "string" ? content !== "" : asArray(content).length > 0)
  );
}

/** A record that stands on a line with others, by what no object inside of one has. */
export const isRecord = (value: JsonObject): boolean =>
  (isChained(value) || isSideNote(value)) &&
  ["uuid", "parentUuid", "sessionId", "leafUuid", "messageId"].some((key) => Object.hasOwn(value, key));
