/** Plain text out of the forms VS Code wraps text in: markdown objects, prompt trees, parts of tool results. */
import { printed } from "../../../model/text/printed.ts";
import { asArray, asString, isObject } from "../../log/jsonl.ts";

/** A string, or a markdown object. */
export const markdown = (value: unknown): string | undefined =>
  asString(value) ?? (isObject(value) ? asString(value.value) : undefined);

/** The tag that VS Code's revival leaves on the parts of a tool result that are rendered prompts. */
const PROMPT_TREE = 23;

/** What a tool gave back to the model. */
export function toolResultText(result: unknown): string | undefined {
  if (!isObject(result) || !Array.isArray(result.content)) return undefined;
  return result.content.map(partText).join("");
}

function partText(part: unknown): string {
  if (!isObject(part)) return asString(part) ?? "";
  if (typeof part.value === "string") return part.value;
  if (part.$mid === PROMPT_TREE || isObject(part.value)) {
    return treeText(isObject(part.value) ? part.value.node : undefined).replace(/^\n+/, "");
  }
  return part.mimeType === undefined ? "" : `[${printed(part.mimeType)}]`;
}

/** The texts of a result as one, and its parts that hold none. */
export function toTextAndRest(content: readonly unknown[]): { text: string; rest: unknown[] } {
  const isText = (part: unknown): boolean => !isObject(part) || part.mimeType === undefined;
  return {
    text: content.filter(isText).map(partText).join(""),
    rest: content.filter((part) => !isText(part)),
  };
}

/** A rendered prompt: elements with children, and text that may begin a new line. Each element before its children. */
function treeText(top: unknown): string {
  const texts: string[] = [];
  const waiting: unknown[] = [top];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (!isObject(node)) continue;
    if (typeof node.text === "string") texts.push(`${node.lineBreakBefore ? "\n" : ""}${node.text}`);
    for (const child of asArray(node.children).toReversed()) waiting.push(child);
  }
  return texts.join("");
}

/** What the details of a finished tool call show: texts, and other data by its type. */
export function detailsText(details: unknown): string | undefined {
  const output = isObject(details) ? details.output : undefined;
  if (Array.isArray(output)) return output.map(outputText).join("\n");
  return output === undefined ? undefined : outputText(output);
}

function outputText(item: unknown): string {
  if (!isObject(item)) return asString(item) ?? "";
  if (item.isText !== false && typeof item.value === "string") return item.value;
  return `[${asString(item.mimeType) ?? asString(item.type) ?? "data"}]`;
}
