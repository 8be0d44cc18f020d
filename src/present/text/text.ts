/** Cuts or wraps text to fit a terminal. */
import { inert, oneLine, plain } from "./plain.ts";
import { isCommon, isSimple, widthOf } from "./width.ts";

export { inert, oneLine, plain, widthOf };

/** Made when it is first needed: most text is simple. */
function charactersOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), (each) => each.segment);
}
let segmenter: Intl.Segmenter | undefined;

/** However a character is put together, it is rarely longer than this: no need to look at a whole novel. */
const LONGEST_CHARACTER = 16;

/** As much as fits, with … for the rest; never cuts a character in two, however wide it is. Takes unstyled text. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  return width < 1 ? "" : `${take(text, width - 1).trimEnd()}…`;
}

/** The end instead of the beginning: what tells one path from another is its end. */
export function cutStart(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const end = charactersOf(text.slice(-width * LONGEST_CHARACTER));
  return `…${takeFrom(end.reverse(), width - 1)
    .reverse()
    .join("")}`;
}

/** Keeps what a title ends with in parentheses: it tells a copy, "(fork)" or "(clone 2)", from its original. */
export function cutTitle(text: string, width: number): string {
  const end = / \([^()]{1,24}\)$/.exec(text)?.[0] ?? "";
  const room = width - widthOf(end);
  return end === "" || room < LEAST_OF_A_TITLE || widthOf(text) <= width
    ? cut(text, width)
    : cut(text.slice(0, -end.length), room) + end;
}
const LEAST_OF_A_TITLE = 8;

/** The longest start that is no wider than `width`. */
export function take(text: string, width: number): string {
  // One more than fits: what follows could still belong to the last character.
  const head = text.slice(0, width + 1);
  if (isSimple(head)) return head.slice(0, width);
  if (isCommon(head)) return takeFrom([...head], width).join("");
  return takeFrom(charactersOf(text.slice(0, width * LONGEST_CHARACTER)), width).join("");
}

function takeFrom(characters: readonly string[], width: number): string[] {
  const taken: string[] = [];
  let used = 0;
  for (const character of characters) {
    used += widthOf(character);
    if (used > width) break;
    taken.push(character);
  }
  return taken;
}

/** Takes unstyled or styled text. */
export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** Breaks a paragraph into lines. Words longer than a line, and scripts without spaces, are broken where they must. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const word of text.split(" ")) {
    const room = widthOf(word);
    if (used > 0 && used + 1 + room <= width) {
      line += ` ${word}`;
      used += 1 + room;
      continue;
    }
    if (used > 0) lines.push(line);
    const parts = room > width ? pieces(word, width) : [word];
    line = parts.pop() ?? "";
    used = widthOf(line);
    for (const part of parts) lines.push(part);
  }
  if (used > 0 || lines.length === 0) lines.push(line);
  return lines;
}

/** Breaks a line at words. A command to be copied stays in one piece, on a line of its own if need be. */
export function fold(line: string, columns: number): string[] {
  if (widthOf(line) <= columns) return [line];
  const [indent = ""] = /^ */.exec(line) ?? [];
  const [words = "", command] = line.slice(indent.length).split(/(?<=: )(?=rethread )/, 2);
  const lines = wrap(words.trimEnd(), columns - indent.length);
  return [...lines, ...(command === undefined ? [] : [command])].map((each) => indent + each);
}

/** Preformatted text is cut at the edge, not at words: its spaces mean something. */
export function pieces(line: string, width: number): string[] {
  const parts: string[] = [];
  let rest = line;
  for (let head = takeSome(rest, width); head.length < rest.length; head = takeSome(rest, width)) {
    parts.push(head);
    rest = rest.slice(head.length);
  }
  return [...parts, rest];
}

/** One character at least, even if it alone is wider than the line. */
function takeSome(text: string, width: number): string {
  const head = take(text, width);
  if (head !== "") return head;
  return charactersOf(text.slice(0, LONGEST_CHARACTER))[0] ?? "";
}
