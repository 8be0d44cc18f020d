/** The next step of an error in the words of a page: what a page offers as a button is not written as a command line. */
import { ApiError } from "../lib/api.ts";
import { isHub } from "../lib/mode.ts";
import type { RemedyData } from "./remedies.ts";

export interface PageAdvice {
  /** A sentence without a full stop; empty where there is nothing to say. */
  readonly words: string;
  readonly remedy?: RemedyData;
}

/** Where the hint is about options of the command, and the page has a better way. */
const WORDS: Readonly<Record<string, string>> = {
  "vscode-running": "Close all its windows, then try again",
  "program-missing": "Install it on this machine with npm install -g @github/copilot, then try again",
};

export function adviceOf(error: unknown): PageAdvice {
  if (!(error instanceof ApiError)) return { words: error instanceof Error ? error.message : String(error) };
  const { code, hint, say, remedy } = error;
  // Who reads a hub cannot start it.
  if (code === "unreachable" && isHub()) return { words: "Look whether you are connected, then try again" };
  const words = WORDS[code] ?? inPage(say ?? (remedy ? "" : hint));
  return { words, ...(remedy && { remedy }) };
}

/** Clauses about options of the command, with what leads to them. */
const OPTION =
  /(?:[,;.:]\s*)?(?:(?:or|and|then)\s+)?(?:if [^,;.]*,\s*)?(?:add|use|leave out|with|name [^,;.]*? with)?\s*--[a-z][^;.]*/gi;

/** A hint for the command line, for somebody who looks at a page. */
export function inPage(hint: string): string {
  return hint
    .replace(OPTION, "")
    .replace(/\s+([;.,])/g, "$1")
    .replace(/\brun (?:the|that) command again\b/gi, (found) =>
      found.startsWith("R") ? "Try again" : "try again",
    )
    .trim();
}
