/** Texts that were cut before secrets were taken out of them: half a key is still most of a key. Pure. */

/** So many signs without a space may be a part of a key. */
const LONG = 8;

/** Without the run of signs at each place where the text was cut, unless it is a short word. */
export const withoutCutWords = (snippet: string): string =>
  snippet
    .replace(new RegExp(`…\\s?[^\\s…]{${LONG},}`, "gu"), "…")
    .replace(new RegExp(`[^\\s…]{${LONG},}\\s?…`, "gu"), "…");
