/** How many columns a text takes in a terminal. */
import { createRequire } from "node:module";
import { late } from "../../model/text/patterns.ts";

/** Latin, Greek and Cyrillic letters, dashes, arrows, mathematics, pictures of controls, lines, blocks and check marks. */
const NARROW =
  "\\x20-\\x7e\\xa1-\\xac\\xae-\\u02ff\\u0370-\\u0482\\u048a-\\u052f\\u2010-\\u2027\\u20ac\\u2190-\\u22ff\\u2400-\\u2426\\u2500-\\u259f\\u2713-\\u2718";
/** Chinese, Japanese and Korean as they are mostly written. */
const WIDE =
  "\\u3001-\\u3003\\u3008-\\u3011\\u3041-\\u3096\\u30a1-\\u30fe\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff5e";
/** Letters of flags and shades of skin are parts of other characters. */
const EMOJI = "[\\p{Emoji_Presentation}--[\\u{1f1e6}-\\u{1f1ff}\\u{1f3fb}-\\u{1f3ff}]]";

/** One column each, and never part of a longer character. */
const SIMPLE = new RegExp(`^[${NARROW}]*$`);
/** Nor are these, but some take two columns. */
const common = late(() => new RegExp(`^[${NARROW}${WIDE}${EMOJI}]*$`, "v"));
/** Our own colors; any other escape sequence has been made visible by now. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this is about
const STYLE = /\x1b\[[\d;]*m/g;

/** Each of its characters stands for itself. */
export const isCommon = (text: string): boolean => common().test(text);

export const isSimple = (text: string): boolean => SIMPLE.test(text);

/** Takes unstyled or styled text. */
export function widthOf(text: string): number {
  const seen = text.includes("\x1b") ? text.replace(STYLE, "") : text;
  if (isSimple(seen)) return seen.length;
  if (!common().test(seen)) return lookUp(seen);
  let width = 0;
  for (const character of seen) width += isSimple(character) ? 1 : 2;
  return width;
}

/** Knowing all of Unicode takes longer to load than most commands take in all, so it waits until it is needed. */
function lookUp(text: string): number {
  known ??= (createRequire(import.meta.url)("string-width") as typeof import("string-width")).default;
  return known(text);
}
let known: ((text: string) => number) | undefined;
