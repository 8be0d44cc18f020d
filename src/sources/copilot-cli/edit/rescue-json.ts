/** JSON in bytes that are not what they should be: its end found, its texts made valid, what was cut off closed. */
import { isObject, type JsonObject } from "../../jsonl.ts";

/** How the program begins a record; inside a text its quotes would be escaped. */
const RECORD_START = /\{\s*"type"\s*:\s*"(?:abort|[a-z_]+(?:\.[A-Za-z_]+)+)"/g;

const RECORD_HERE = new RegExp(RECORD_START.source, "y");

export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // whoever asks has another use for what is no JSON
  }
}

/** Where the next record begins, or the end. `view` holds one character for each byte. */
export function nextRecord(view: string, from: number): number {
  RECORD_START.lastIndex = from;
  return RECORD_START.exec(view)?.index ?? view.length;
}

export function isRecordAt(view: string, at: number): boolean {
  RECORD_HERE.lastIndex = at;
  return RECORD_HERE.test(view);
}

/** The byte after the object that begins at `at`, or -1. Line breaks inside of texts are taken for part of them. */
export function endOfObject(view: string, at: number): number {
  let depth = 0;
  let isText = false;
  for (let i = at; i < view.length; i++) {
    const character = view[i];
    if (character === "\0") return -1;
    if (character === "\n" && (!isText || isRecordAt(view, i + 1))) return -1;
    if (isText) {
      if (character === "\\") i++;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") {
      depth--;
      if (depth === 0) return i + 1;
    }
  }
  return -1;
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
    else if (character === "{") open.unshift("}");
    else if (character === "[") open.unshift("]");
    else if (character === "}" || character === "]") open.shift();
  }
  const whole = isText && text[last] === "\\" ? text.slice(0, last) : text;
  const stem = isText ? `${toOneLine(whole.replace(/\\u[0-9a-fA-F]{0,3}$/, ""))}"` : toOneLine(whole);
  const closers = open.join("");
  // It may stop behind a value, a comma, a name, a colon, or within a word such as true.
  const tries = [
    stem,
    stem.replace(/,\s*$/, ""),
    `${stem}:null`,
    `${stem}null`,
    stem.replace(/[\w.+-]+$/, "null"),
  ];
  return tries.map((each) => each + closers).find((each) => parseObject(each) !== undefined);
}
