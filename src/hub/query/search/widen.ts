/** Widens a search whose words are rare, by what stands in rows that the asker may see. */
import { editDistance } from "../../../model/text/nearest.ts";
import { formsOf } from "../../../model/text/word-forms.ts";
import type { SearchQuery, Term } from "../../../store/search/query.ts";
import { fold } from "../../../store/search/text-match.ts";
import {
  COMMON,
  LONG_ENOUGH_FOR_TWO,
  MOST_RESPELT,
  mayBegin,
  mayBeMistyped,
  oneSlipAway,
  type Respelling,
  SURE_LETTERS,
  type Widened,
} from "../../../store/search/widen.ts";
import type { SearchIndex } from "./index.ts";
import { toAnyWord, toBeginning, toTerm } from "./tsquery.ts";

/** All forms of a word are asked for: which of them there are costs as much to find out. */
export async function widen(
  index: SearchIndex,
  query: SearchQuery,
): Promise<Pick<Widened, "wide" | "unknown">> {
  const unknown = new Set<Term>();
  const widenTerm = async (term: Term): Promise<Term> => {
    if (term.quoted || term.prefix) return term;
    const [before = 0] = await index.count([toTerm(term)], COMMON);
    const forms = term.tokens.length > 1 ? [] : formsOf(term.tokens[0] ?? "");
    const wider = { ...term, forms, prefix: before < COMMON && mayBegin(term) };
    const [after = 0] = before > 0 ? [before] : await index.count([toTerm(wider)], 1);
    if (after === 0) unknown.add(wider);
    return wider;
  };
  const groups: Term[][] = [];
  for (const group of query.groups) {
    const wide: Term[] = [];
    for (const term of group) wide.push(await widenTerm(term));
    groups.push(wide);
  }
  return { wide: { ...query, groups }, unknown };
}

/** Puts known words in the place of unknown ones, as far as there are any that come close. */
export async function respell(
  index: SearchIndex,
  query: SearchQuery,
  unknown: ReadonlySet<Term>,
): Promise<{ corrected: SearchQuery; respelt: Respelling[] }> {
  const respelt: Respelling[] = [];
  let tried = 0;
  const groups: Term[][] = [];
  for (const group of query.groups) {
    const terms: Term[] = [];
    for (const term of group) {
      const [only] = term.tokens;
      const isTried = unknown.has(term) && only !== undefined && term.tokens.length === 1;
      const used =
        isTried && ++tried <= MOST_RESPELT.near
          ? await findSpelling(index, fold(only), tried <= MOST_RESPELT.far)
          : undefined;
      if (used !== undefined) respelt.push({ typed: term.typed, used });
      terms.push(used === undefined ? term : { ...term, tokens: [used], prefix: false });
    }
    groups.push(terms);
  }
  return { corrected: { ...query, groups }, respelt };
}

async function findSpelling(index: SearchIndex, word: string, far: boolean): Promise<string | undefined> {
  if (!mayBeMistyped(word)) return undefined;
  const slips = oneSlipAway(word).filter((slip) => slip !== "");
  const [near] = await index.words(toAnyWord(slips), slips);
  if (near !== undefined || !far || word.length < LONG_ENOUGH_FOR_TWO) return near;
  const start = word.slice(0, SURE_LETTERS);
  const likely = await index.words(toBeginning(start), [], start);
  return likely.find((each) => editDistance(word, each, 3) === 2);
}
