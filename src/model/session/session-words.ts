/** By which words a list of sessions is filtered while they are typed: a part of what a session is known by. */
import type { Session } from "./session.ts";

/** So much of the first prompt, in characters. */
const PROMPT_START = 200;

type Known = Pick<Session, "title" | "repository" | "branch" | "workspace">;

/** What the words are looked for in. */
export function sessionWords(
  { title, repository, branch, workspace }: { readonly [Field in keyof Known]: Known[Field] | undefined },
  prompt = "",
): string {
  const [start = ""] = prompt.trim().slice(0, PROMPT_START).split("\0", 1); // as far as SQLite tells a text
  return [title, repository, branch, workspace, start]
    .filter((text) => text !== undefined)
    .join("\n")
    .toLowerCase();
}

const MOST_WORDS = 20;

/** The words of a filter, each of which has to be found. */
export const toWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "")
    .slice(0, MOST_WORDS);
