/** Text that a terminal can take: nothing in it is obeyed, and it is as wide as it looks. */
import stringWidth from "string-width";

/** All C0 and C1 controls but tab and line feed, and the marks that make text run backwards. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const UNSAFE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * What agents and people wrote may hold escape sequences that clear the screen, set the title or fake output. They
 * are made visible instead: ESC becomes ␛.
 */
export function plain(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(UNSAFE, (char) => {
      const code = char.charCodeAt(0);
      if (code < 0x20) return String.fromCharCode(0x2400 + code);
      return code === 0x7f ? "␡" : code < 0xa0 ? "�" : "";
    })
    .replaceAll("\t", "    ");
}

/** The same on one line, for a table or a title. */
export const oneLine = (text: string): string => plain(text.replace(/[\r\n\t ]+/g, " ").trim());

export const widthOf = (text: string): number => stringWidth(text);

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** As much as fits, with … for the rest; never cuts a character in two, however wide it is. Takes unstyled text. */
export function cut(text: string, width: number): string {
  if (text.length <= width && widthOf(text) <= width) return text;
  if (width < 1) return "";
  return `${take(text, width - 1).trimEnd()}…`;
}

/** The end instead of the beginning: what tells one path from another is its end. */
export function cutStart(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const chars = Array.from(segmenter.segment(text.slice(-width * 4)), (each) => each.segment).reverse();
  return `…${takeFrom(chars, width - 1)
    .reverse()
    .join("")}`;
}

/** The longest start that is no wider than `width`. */
export function take(text: string, width: number): string {
  // A character is at least one unit long, and a cluster rarely more than a few: no need to segment a whole novel.
  const chars = Array.from(segmenter.segment(text.slice(0, width * 16)), (each) => each.segment);
  return takeFrom(chars, width).join("");
}

function takeFrom(chars: readonly string[], width: number): string[] {
  const taken: string[] = [];
  let used = 0;
  for (const char of chars) {
    used += widthOf(char);
    if (used > width) break;
    taken.push(char);
  }
  return taken;
}

export function pad(text: string, width: number, align: "left" | "right" = "left"): string {
  const space = " ".repeat(Math.max(0, width - widthOf(text)));
  return align === "left" ? text + space : space + text;
}

/** Breaks a paragraph into lines. Words longer than a line, and scripts without spaces, are broken where they must. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const word of text.split(" ")) {
    let rest = word;
    let restWidth = widthOf(rest);
    if (used > 0 && used + 1 + restWidth <= width) {
      line += ` ${rest}`;
      used += 1 + restWidth;
      continue;
    }
    if (used > 0) lines.push(line);
    while (restWidth > width) {
      const head = take(rest, width);
      if (head === "") break; // a character wider than the line
      lines.push(head);
      rest = rest.slice(head.length);
      restWidth = widthOf(rest);
    }
    line = rest;
    used = restWidth;
  }
  if (used > 0 || lines.length === 0) lines.push(line);
  return lines;
}
