/** The words of a search as a `tsquery`, by the variants that the local index is asked for. Pure. */

import type { Role } from "../../../model/session/role.ts";
import { pairs } from "../../../model/text/words.ts";
import { memberOf } from "../../../model/values/member.ts";
import { type SearchQuery, type Term, type TermVariant, variantsOf } from "../../../store/search/query.ts";
import { LONGEST_WORD, toWord } from "../../derive/words.ts";

/** Words and phrases whose places are known, or only whether all of their words are there: long texts keep no more. */
export type Closeness = "adjacent" | "anywhere";

/** Where a role's words stand; see `Weight` in `derive/words.ts`. */
const PLACES: Readonly<Record<Role, string>> = { user: "AC", assistant: "", tool: "BC" };

/** Empty where there is nothing to look for. */
export function toTsquery(query: SearchQuery, closeness: Closeness, role?: Role): string {
  const places = role ? PLACES[role] : "";
  const groups = query.groups.map((group) => toAny(group, closeness, places));
  if (groups.length === 0 || groups.includes("")) return "";
  const unwanted = toAny(query.not, "adjacent", "");
  return unwanted === "" ? groups.join(" & ") : `${groups.join(" & ")} & !${unwanted}`;
}

/** Rows with any of the groups. */
export function toAnyGroup(query: SearchQuery): string {
  const groups = query.groups.map((group) => toAny(group, "anywhere", "")).filter((each) => each !== "");
  const unwanted = toAny(query.not, "adjacent", "");
  const any = `(${groups.join(" | ")})`;
  return groups.length === 0 ? "" : unwanted === "" ? any : `${any} & !${unwanted}`;
}

/** The words as one phrase, in the order they were typed; empty when they were not typed as one. */
export function toTyped({ groups, not }: SearchQuery): string {
  const terms = groups.flat();
  if (terms.length < 2 || terms.length > groups.length || not.length > 0) return "";
  if (terms.some(({ prefix }) => prefix)) return "";
  return inOrder(
    terms.flatMap(({ tokens }) => toLexemes(tokens)),
    false,
    "AB",
  );
}

export const toTerm = (term: Term): string => toAny([term], "adjacent", "");

/** Any of these words. */
export const toAnyWord = (words: readonly string[]): string => words.map((word) => quoted(word)).join(" | ");
/** All words that begin so. */
export const toBeginning = (start: string): string => `${quoted(start)}:*`;

function toAny(terms: readonly Term[], closeness: Closeness, places: string): string {
  const ways = terms
    .flatMap((term) => variantsOf(term).map((variant) => toVariant(variant, closeness, places)))
    .filter((way) => way !== "");
  return ways.length === 0 ? "" : `(${ways.join(" | ")})`;
}

function toVariant(variant: TermVariant, closeness: Closeness, places: string): string {
  if (variant.kind === "runs") {
    const parts = variant.runs.flatMap((run) =>
      // The index holds pairs of characters: a single one is the beginning of some.
      [...run].length === 1
        ? [word(toWord(run), true, "C")]
        : pairs(run).map((each) => word(toWord(each), false, "C")),
    );
    return `(${[...parts, ...toLexemes(variant.words).map((each) => word(each, false, places))].join(" & ")})`;
  }
  const lexemes = toLexemes(variant.tokens);
  const [only] = lexemes;
  if (only === undefined) return "";
  if (lexemes.length === 1) return word(only, variant.begins, places);
  // Parts of different names stand side by side without doing so in the text, so the text is asked about those.
  if (variant.kind === "inside")
    return `(${lexemes.map((each, at) => word(each, variant.begins && at === lexemes.length - 1, "C")).join(" & ")})`;
  const within = places === "" ? "AB" : places.replace("C", "");
  return closeness === "adjacent"
    ? inOrder(lexemes, variant.begins, within)
    : `(${lexemes.map((each, at) => word(each, variant.begins && at === lexemes.length - 1, within)).join(" & ")})`;
}

const inOrder = (lexemes: readonly string[], begins: boolean, places: string): string =>
  `(${lexemes.map((each, at) => word(each, begins && at === lexemes.length - 1, places)).join(" <-> ")})`;

const word = (lexeme: string, begins: boolean, places: string): string =>
  begins || places !== "" ? `${quoted(lexeme)}:${begins ? "*" : ""}${places}` : quoted(lexeme);

const toLexemes = (tokens: readonly string[]): string[] =>
  tokens.map(toWord).filter((lexeme) => lexeme !== "");

/** No word: what is longer than any that the index holds stands nowhere. */
const NOWHERE = ".";

/** Words consist of letters and digits; whatever else there were would mean itself. */
const quoted = (lexeme: string): string =>
  `'${Buffer.byteLength(lexeme) > LONGEST_WORD ? NOWHERE : lexeme.replaceAll(/['\\]/g, "")}'`;

/** One word or phrase of a question, and how often it stands in a row whose words are counted. */
export interface Way {
  readonly tsquery: string;
  readonly group: number;
  count(hits: Readonly<Record<string, number>>): number;
}

export interface Ways {
  readonly ways: readonly Way[];
  /** The words to be counted, and the patterns of beginnings. */
  readonly lexemes: readonly string[];
  readonly beginnings: readonly string[];
}

export function toWays(query: SearchQuery): Ways {
  const lexemes = new Set<string>();
  const beginnings = new Set<string>();
  const ways = query.groups.flatMap((group, at) =>
    group.flatMap(variantsOf).map((variant): Way => {
      const words =
        variant.kind === "runs" ? [...variant.runs.flatMap(pairs), ...variant.words] : variant.tokens;
      const all = toLexemes(words);
      const begins = variant.kind !== "runs" && variant.begins ? all.at(-1) : undefined;
      for (const each of all) if (each !== begins) lexemes.add(each);
      if (begins !== undefined) beginnings.add(`${begins}%`);
      return {
        tsquery: toVariant(variant, "anywhere", ""),
        group: at,
        // A phrase stands there no more often than the rarest of its words.
        count: (hits) =>
          all.length === 0
            ? 0
            : Math.min(
                ...all.map((each) => (each === begins ? sumOf(hits, each) : (memberOf(hits, each) ?? 0))),
              ),
      };
    }),
  );
  return { ways, lexemes: [...lexemes], beginnings: [...beginnings] };
}

const sumOf = (hits: Readonly<Record<string, number>>, start: string): number =>
  Object.entries(hits).reduce((sum, [lexeme, count]) => (lexeme.startsWith(start) ? sum + count : sum), 0);
