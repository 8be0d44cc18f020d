/** Text of others within a line of Markdown: it never becomes markup. */
import { oneLine } from "../text/text.ts";

export const longestTicks = (text: string): number =>
  text.matchAll(/`+/g).reduce((most, run) => Math.max(most, run[0].length), 0);

/** The fence is longer than any run of backticks inside, so that nothing breaks out of it. */
export function code(text: string): string {
  const line = oneLine(text);
  const fence = "`".repeat(longestTicks(line) + 1);
  return fence.length > 1 ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

export const escapeInline = (text: string): string => oneLine(text).replace(/[\\`*_[\]<>#|]/g, "\\$&");

/** The same for a line of prose that people may also read as it is: no more signs are escaped than have to be. */
export const escapeProse = (text: string): string =>
  oneLine(text)
    .replace(/[\\`*[\]<>]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\$&")
    .replace(/^(?:[#+-]|\d+(?=[.)]))/, (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`));
