/** Text of others in Markdown, within a line or as a block of code: it never becomes markup. */
import { oneLine, plain } from "../text/plain.ts";

const longestTicks = (text: string): number =>
  text.matchAll(/`+/g).reduce((most, run) => Math.max(most, run[0].length), 0);

/** The fence is longer than any run of backticks inside, so that nothing breaks out of it. */
export function fenced(text: string, margin: string, language = ""): string {
  const fence = "`".repeat(Math.max(2, longestTicks(text)) + 1);
  return indent(`${fence}${language}\n${plain(text).trimEnd()}\n${fence}\n`, margin);
}

export const indent = (text: string, margin: string): string => text.replace(/^(?=.)/gm, margin);

/** Likewise within a line. */
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
