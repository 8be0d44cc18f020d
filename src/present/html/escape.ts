/** Text as it stands in HTML. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
export const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

export const escapeHtml = (text: string): string =>
  text
    .replace(CONTROLS, "\u{FFFD}")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
