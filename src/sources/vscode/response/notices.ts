/** Parts of an answer that come from VS Code itself: progress, warnings, questions, cards. */
import type { NoticeEvent } from "../../../model/session/session.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../log/jsonl.ts";
import { markdown } from "../format/text.ts";

type Notice = Pick<NoticeEvent, "level" | "text">;

/** Bookkeeping that is not shown. */
const SILENT = new Set([
  "autoModeResolution",
  "clearToPreviousToolInvocation",
  "codeblockUri",
  "disabledClaudeHooks",
  "hook",
  "mcpServersStarting",
  "prepareToolInvocation",
  "undoStop",
]);

export const isSilent = (kind: string): boolean => SILENT.has(kind);

/** The words of such a part; undefined when it is of another kind. */
export function noticeOf(part: JsonObject): Notice | undefined {
  switch (part.kind) {
    case "warning":
      return { level: "warning", text: markdown(part.content) ?? "" };
    case "progressMessage":
    case "progressTaskSerialized":
    case "info":
    case "systemNotification":
      return info(markdown(part.content));
    case "confirmation":
    case "elicitationSerialized":
      return info(markdown(part.title), markdown(part.subtitle), markdown(part.message));
    case "questionCarousel":
      return info(markdown(part.message), ...asArray(part.questions).map(questionText));
    case "planReview":
      return info(asString(part.title), markdown(part.content) ?? markdown(part.plan));
    case "command":
      return info(asString(asObject(part.command)?.title));
    case "extensions":
      return info(asArray(part.extensions).map(String).join(", "));
    case "pullRequest":
      return info(asString(part.title), markdown(part.description));
    case "treeData":
      return info(treeText(part.treeData));
    default:
      return undefined;
  }
}

const info = (...texts: (string | undefined)[]): Notice => ({
  level: "info",
  text: texts.filter((text) => text).join("\n"),
});

const questionText = (question: unknown): string | undefined =>
  isObject(question) ? (markdown(question.message) ?? asString(question.title)) : undefined;

/** A tree of files, one path a line. */
export function treeText(tree: unknown, indent = ""): string {
  if (!isObject(tree)) return "";
  const label = asString(tree.label) ?? asString(tree.name) ?? "";
  const children = asArray(tree.children).map((child) => treeText(child, `${indent}  `));
  return [`${indent}${label}`, ...children].join("\n");
}
