/** Text out of sessions as it may stand on a page: what steers a terminal or reverses text is taken out. */

/** Colours, cursor moves, titles, links: everything that begins with an escape. */
const ESCAPES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]/g;
/** Marks that make text run backwards: in code they hide what a program does. */
const REVERSING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const CONTROLS = /[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const SUSPECT = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

export function clean(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text
    .replace(ESCAPES, "")
    .replaceAll("\r\n", "\n")
    .replace(/^.*\r(?=[^\n])/gm, "")
    .replaceAll("\r", "\n")
    .replaceAll("\f", "\n")
    .replace(REVERSING, "")
    .replace(CONTROLS, "\u{FFFD}");
}
