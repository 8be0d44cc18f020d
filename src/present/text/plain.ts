/** Makes text safe for a terminal, and short texts fit one line. Also for pages: it needs nothing of Node. */

/** All C0 and C1 controls but tab and line feed, and the marks that make text run backwards. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const UNSAFE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * What agents and people wrote may hold escape sequences that clear the screen, set the title or fake output. They
 * are made visible instead: ESC becomes ␛.
 */
export function plain(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(UNSAFE, visible).replaceAll("\t", "    ");
}

function visible(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "␡" : code < 0xa0 ? "�" : "";
}

/** The last look at a line that is drawn already: only colors are left to be obeyed, whoever has forgotten what. */
export const inert = (line: string): string =>
  line.replace(COLOR_OR_UNSAFE, (found) => (found.length > 1 ? found : visible(found)));

const COLOR_OR_UNSAFE = new RegExp(`\\x1b\\[[\\d;]*m|${UNSAFE.source}`, "g");

/** The same on one line, for a table or a title. */
export const oneLine = (text: string): string => plain(text.replace(/[\r\n\t ]+/g, " ").trim());
