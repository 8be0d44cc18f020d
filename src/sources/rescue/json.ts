/**
 * Repairs broken JSON: makes strings valid, and closes what was cut off. It reads strings character by character, so
 * the scanner of platform/json/, which skips them, cannot be used here.
 */
import { isObject, type JsonObject } from "../log/jsonl.ts";

export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // whoever asks has another use for what is no JSON
  }
}

const ESCAPE = /^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/;
/** What may stand in a text only when it is escaped, and what some readers take for the end of a line. */
const mustEscape = (character: string): boolean =>
  character < " " || character === "\u2028" || character === "\u2029";
const escaped = (character: string): string =>
  character < " "
    ? JSON.stringify(character).slice(1, -1)
    : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** On one line, with everything escaped that must be; text that is valid already stays as it is. */
export function toOneLine(text: string): string {
  let made = "";
  let from = 0;
  let isText = false;
  const put = (at: number, length: number, instead: string): void => {
    made += text.slice(from, at) + instead;
    from = at + length;
  };
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    if (character === '"') isText = !isText;
    else if (!isText) {
      if (character === "\n" || character === "\r") put(i, 1, " ");
    } else if (mustEscape(character)) put(i, 1, escaped(character));
    else if (character === "\\") {
      if (!ESCAPE.test(text.slice(i + 1, i + 6))) put(i, 1, "\\\\");
      else i++;
    }
  }
  return made + text.slice(from);
}

/** The object that a text began to be, closed where it stops; nothing when that makes no sense. */
export function complete(text: string): string | undefined {
  const open: string[] = [];
  let isText = false;
  let last = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (isText) {
      last = i;
      if (character === "\\") i++;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === "{") open.push("}");
    else if (character === "[") open.push("]");
    else if (character === "}" || character === "]") open.pop();
  }
  if (open.length > DEEPEST) return undefined;
  const whole = isText && text[last] === "\\" ? text.slice(0, last) : text;
  const stem = isText ? `${toOneLine(whole.replace(/\\u[0-9a-fA-F]{0,3}$/, ""))}"` : toOneLine(whole);
  const closers = open.reverse().join("");
  const spaceless = stem.trimEnd();
  // It may stop behind a value, a comma, a name, a colon, or within a word such as true.
  const tries: (() => string)[] = [
    () => stem,
    () => (spaceless.endsWith(",") ? spaceless.slice(0, -1) : stem),
    () => `${stem}:null`,
    () => `${stem}null`,
    () => `${stem.slice(0, startOfLastWord(stem))}null`,
  ];
  for (const attempt of tries) {
    const closed = attempt() + closers;
    if (parseObject(closed) !== undefined) return closed;
  }
  return undefined;
}

/** What is nested so deeply and cut off there says nothing that is worth having. */
const DEEPEST = 10_000;

/** From the end, because a search from the start would restart within every word. */
function startOfLastWord(text: string): number {
  let at = text.length;
  while (at > 0 && /[\w.+-]/.test(text[at - 1] as string)) at--;
  return at;
}
