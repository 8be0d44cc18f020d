/** The records of a transcript as Claude Code writes them: which kinds there are, and how to read their content. */
import { printed } from "../../model/text/printed.ts";
import { asArray, asString, isObject, type JsonObject } from "../log/jsonl.ts";

export interface Block extends JsonObject {
  readonly type: string;
}

const CHAINED = new Set<unknown>(["user", "assistant", "system", "attachment", "progress"]);

/** Side notes: the state of a session, and copies of what was sent to the model. */
const SIDE_NOTES = new Set<unknown>([
  "last-prompt",
  "custom-title",
  "ai-title",
  "agent-name",
  "agent-color",
  "agent-setting",
  "tag",
  "summary",
  "queue-operation",
  "file-history-snapshot",
  "file-history-delta",
  "mode",
  "permission-mode",
  "worktree-state",
  "relocated",
  "pr-link",
  "cost-state",
  "tools-used",
  "atis-latch",
  "content-replacement",
  "bridge-session",
  "derived-from",
  "api-request",
  "api-request-shape",
  "api-request-blob",
]);

/** Those that say something about the session as a whole. */
const TELLING_NOTES = new Set<unknown>(["last-prompt", "custom-title", "ai-title", "summary", "relocated"]);

export const isChained = (record: JsonObject): boolean => CHAINED.has(record.type);
export const isSideNote = (record: JsonObject): boolean => SIDE_NOTES.has(record.type);

export const isIdleNote = (type: string): boolean => SIDE_NOTES.has(type) && !TELLING_NOTES.has(type);

/** Content as blocks, whether it was written as text or as a list. */
export function blocksOf(message: JsonObject): Block[] {
  if (typeof message.content === "string") return [{ type: "text", text: message.content }];
  return asArray(message.content).filter(
    (block): block is Block => isObject(block) && typeof block.type === "string",
  );
}

/** What a tool gave back, as text; anything that is not text is named by its kind. */
export function resultText(block: Block): string {
  if (typeof block.content === "string") return block.content;
  return asArray(block.content)
    .flatMap((part) => (isObject(part) ? [asString(part.text) ?? `[${printed(part.type)}]`] : []))
    .join("\n");
}

/** What the program writes in the user's name when a command is run in its prompt, or a turn is stopped. */
const ECHO =
  /^\s*<(command-name|command-message|command-args|local-command-caveat|local-command-stdout|local-command-stderr|bash-input|bash-stdout|bash-stderr|task-notification)>/;
const CAVEAT = /^\s*<local-command-caveat>/;
const COMMAND = /^\s*<(command-name|command-message|command-args|local-command-stdout|local-command-stderr)>/;
const INTERRUPTION = /^\[Request interrupted by user[^\]]*\]$/;

export const isEcho = (text: string): boolean => ECHO.test(text);
export const isCaveat = (text: string): boolean => CAVEAT.test(text);
/** A command of the program's own; not one of the shell, whose output is meant for the model. */
export const isCommand = (text: string): boolean => COMMAND.test(text);
export const isInterruption = (text: string): boolean => INTERRUPTION.test(text.trim());

/** Rows the program never sends: placeholders, and its own report of a failed request. */
export const isVirtual = (record: JsonObject): boolean => record.isVirtual === true;
export const isApiError = (record: JsonObject): boolean =>
  record.type === "assistant" && record.isApiErrorMessage === true;

/** The model that answered; `<synthetic>` is what the program calls itself when it writes an answer of its own. */
export function modelOf(message: JsonObject): string | undefined {
  const model = asString(message.model);
  return model?.startsWith("<") ? undefined : model;
}
