/** Highlights code apart from the page, which stays free to scroll; each grammar is loaded when first met. */
import { createCssVariablesTheme, createHighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import type { HighlightAnswer, HighlightRequest, Piece } from "./highlight-types.ts";
import { grammarOf } from "./languages.ts";

const PREFIX = "--code-";
const theme = createCssVariablesTheme({ name: "page", variablePrefix: PREFIX, fontStyle: false });
const highlighter = createHighlighterCore({
  themes: [theme],
  langs: [],
  // What a pattern cannot say in JavaScript is left uncoloured, rather than nothing at all.
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

/** A line longer than this is generated; its colours help nobody. */
const LONGEST_LINE = 2_000;

/** `var(--code-token-keyword)` becomes `keyword`. */
const kindOf = (color: string | undefined): string =>
  /^var\(--code-token-([a-z-]+)\)$/.exec(color ?? "")?.[1] ?? "";

async function highlight({ code, language }: HighlightRequest): Promise<readonly Piece[][]> {
  const shiki = await highlighter;
  const grammar = grammarOf(language);
  if (!grammar) return [];
  if (!shiki.getLoadedLanguages().includes(language)) await shiki.loadLanguage(grammar());
  const { tokens } = shiki.codeToTokens(code, {
    lang: language,
    theme: "page",
    tokenizeMaxLineLength: LONGEST_LINE,
  });
  return tokens.map((line) => {
    const pieces: [number, string][] = [];
    for (const { content, color } of line) {
      const kind = kindOf(color);
      const last = pieces.at(-1);
      if (last?.[1] === kind) last[0] += content.length;
      else pieces.push([content.length, kind]);
    }
    return pieces;
  });
}

self.onmessage = async ({ data }: MessageEvent<HighlightRequest>) => {
  const lines = await highlight(data).catch(() => []);
  self.postMessage({ id: data.id, lines } satisfies HighlightAnswer);
};
