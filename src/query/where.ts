/** Where a file was touched, a commit, pull request or issue came up, or a text or an error was seen: turns, not texts. */
import { AppError } from "../model/errors.ts";
import { refsNamed } from "../model/session/ref-text.ts";
import { type FoundPlaces, type Place, placesOfFile, placesOfRefs } from "../store/places.ts";
import { type Hit, type SearchAnswer, search } from "../store/search/search.ts";
import type { SessionStore } from "../store/session-store.ts";

/** One of them. */
export interface WhereRequest {
  /** A path, or any part of one. */
  readonly file?: string;
  /** As it was printed; of several lines, the longest is looked for. */
  readonly error?: string;
  /** `pr:42`, `#42`, `issue:7`, a commit, or an address of one of them. */
  readonly ref?: string;
  /** Word for word. */
  readonly text?: string;
  readonly limit?: number;
}

export interface Places extends FoundPlaces {
  /** The text as such stands nowhere, and these have its words. */
  readonly partial: boolean;
}

export const ENOUGH_PLACES = 20;

export function whereIs(db: SessionStore["db"], request: WhereRequest, now: Date): Places {
  const { file, error, ref, text, limit = ENOUGH_PLACES } = request;
  const asked = [file, error, ref, text].filter((each) => each !== undefined);
  const [only = ""] = asked;
  if (asked.length !== 1 || only.trim() === "")
    throw new AppError(
      "usage",
      asked.length > 1
        ? "where takes only one of file, error, ref and text"
        : "where needs something to find",
      "Name a file, an error, a ref or a text",
    );
  if (file !== undefined) return { ...placesOfFile(db, file.trim(), limit), partial: false };
  if (ref !== undefined) return { ...placesOfRefs(db, namedRefs(ref), limit), partial: false };
  return ofWords(db, error === undefined ? only : longestLine(only), error !== undefined, limit, now);
}

function namedRefs(text: string) {
  const refs = refsNamed(text);
  if (refs.length > 0) return refs;
  throw new AppError("usage", `"${text}" is not a reference`, "Use pr:42, issue:7 or commit:1a2b3c4");
}

/** Numbers and paths differ from run to run, but the longest line says most. */
const longestLine = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .reduce((longest, line) => (line.length > longest.length ? line : longest), "");

/** As a phrase; an error in what tools printed before anywhere else. Else by its words. */
function ofWords(db: SessionStore["db"], text: string, isError: boolean, limit: number, now: Date): Places {
  const ask = (words: string, role?: "tool"): SearchAnswer =>
    search(db, { text: words, filter: {}, limit, now, ...(role && { role }) });
  const phrase = `"${text.replaceAll('"', " ")}"`;
  const tries: (() => SearchAnswer)[] = [
    ...(isError ? [() => ask(phrase, "tool")] : []),
    () => ask(phrase),
    () => ask(text),
  ];
  for (const [at, attempt] of tries.entries()) {
    const { hits, partial, isMore } = attempt();
    const isLast = at === tries.length - 1;
    if (hits.length === 0 || (partial && !isLast)) continue;
    const places = hits.map(toPlace);
    return { places, total: places.length + Number(isMore), partial: partial || isLast };
  }
  return { places: [], total: 0, partial: false };
}

const toPlace = ({ session, turn, time, where, label, snippet }: Hit): Place => ({
  session: { source: session.source, id: session.id, title: session.title },
  ...(turn !== undefined && { turn }),
  ...((time ?? session.updatedAt) !== undefined && { time: time ?? session.updatedAt ?? "" }),
  found: snippet,
  how: label ?? where,
  prompt: "",
  alsoIn: [],
});
