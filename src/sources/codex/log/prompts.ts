/** Which messages in the user's name a person wrote, and which the program: instructions, the environment, reminders. */
import { asArray, asObject, asString, type JsonObject } from "../../log/jsonl.ts";

/** How the program's own texts begin and end. Evidence: its `context` fragments, and sessions of 0.169.0. */
const OWN_TEXTS: readonly (readonly [begin: string, end: string])[] = [
  ["# AGENTS.md instructions", "</INSTRUCTIONS>"],
  ["<environment_context>", "</environment_context>"],
  ["<turn_aborted>", "</turn_aborted>"],
  ["<user_shell_command>", "</user_shell_command>"],
  ["<subagent_notification>", "</subagent_notification>"],
  ["<skill>", "</skill>"],
  ["<recommended_plugins>", "</recommended_plugins>"],
  ["<user_action>", "</user_action>"],
  ["<hook_prompt", "</hook_prompt>"],
];

/** Those of releases of 2025, which later ones take for a person's words. */
const EARLY_TEXTS: typeof OWN_TEXTS = [["<user_instructions>", "</user_instructions>"]];

const isOwnText = (text: string, own: typeof OWN_TEXTS): boolean => {
  const trimmed = text.trim();
  return own.some(([begin, end]) => startsWith(trimmed, begin) && endsWith(trimmed, end));
};
const startsWith = (text: string, begin: string): boolean =>
  text.slice(0, begin.length).toLowerCase() === begin.toLowerCase();
const endsWith = (text: string, end: string): boolean =>
  text.slice(-end.length).toLowerCase() === end.toLowerCase();

/** Newer releases note of each part what it is: `user.text`, `environments.environment_context` … */
const kindsOf = (item: JsonObject): string[] =>
  asArray(asObject(item.internal_chat_message_metadata_passthrough)?.content_item_kinds).flatMap(
    (kind) => asString(kind) ?? [],
  );

/** A message in the user's name that no person wrote. One text of the program's own is enough, as for the program. */
export const isContextual = (item: JsonObject): boolean => isOwn(item, [...OWN_TEXTS, ...EARLY_TEXTS]);

/** The same as the program of today sees it. */
export const isContextualToday = (item: JsonObject): boolean => isOwn(item, OWN_TEXTS);

function isOwn(item: JsonObject, own: typeof OWN_TEXTS): boolean {
  const kinds = kindsOf(item).filter((kind) => kind !== "unknown");
  if (kinds.length > 0) return !kinds.some((kind) => kind.startsWith("user."));
  return asArray(item.content).some((part) => isOwnText(asString(asObject(part)?.text) ?? "", own));
}

/** What a person typed: it begins a turn. */
export const isTyped = (item: JsonObject): boolean =>
  item.type === "message" && item.role === "user" && !isContextual(item);

/** The system prompt, where it stands among the messages. */
export const isSystemPrompt = (item: JsonObject): boolean =>
  item.type === "additional_tools" ||
  (item.type === "message" && (item.role === "system" || kindsOf(item).includes("model.base_instructions")));

/** The words that stand around a picture. */
const PICTURE_MARK = /^<image(?: name=(\[[^\]]*\]))?(?: path="([^"]*)")?>$|^<\/image>$/;

export function pictureMark(text: string): { readonly name?: string; readonly path?: string } | undefined {
  const found = PICTURE_MARK.exec(text.trim());
  if (!found) return undefined;
  const [, name, path] = found;
  return { ...(name !== undefined && { name: name.slice(1, -1) }), ...(path !== undefined && { path }) };
}
