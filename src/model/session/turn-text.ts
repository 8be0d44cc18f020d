/** The searchable text of a turn besides its prompt and last answer: interim messages and tool calls. */

/** Around what tools ran and gave back, so that it can be told apart from what the agent said. */
const MARK = { open: "\u001e", close: "\u001f" } as const;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const MARKS = /[\x1e\x1f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const TOOLS = /\x1e[^\x1f]*\x1f?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const PIECES = /(\x1e[^\x1f]*\x1f?)/;

export const toolText = (text: string): string => `${MARK.open}${text.replace(MARKS, " ")}${MARK.close}`;

/** The same with each of its texts changed. */
export const mapMore = (more: string, change: (text: string, isTool: boolean) => string): string =>
  more
    .split(PIECES)
    .map((piece) =>
      piece.startsWith(MARK.open) ? toolText(change(piece.replace(MARKS, ""), true)) : change(piece, false),
    )
    .join("");

/** The text of a turn's `more` by who said it. */
export function splitMore(more: string): { readonly agent: string; readonly tools: string } {
  const tools = more.match(TOOLS) ?? [];
  return { agent: more.replace(TOOLS, "\n"), tools: tools.join("\n").replace(MARKS, "") };
}
