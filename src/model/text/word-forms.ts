/** Stop words, and the other forms of a word, for search. */
import { patternFor } from "./patterns.ts";

/** Articles, pronouns, helping verbs and the like, in English and German: they stand in every text. */
const LITTLE = new Set(
  `a about after again all am an and any are as at be because been before being but by can could did do does doing
   during each for from get got had has have having he her here his how i if in into is it its just me more most my no
   not now of off on once only or other our out over own same she should so some such than that the their them then
   there these they this those to too under until up us very was we were what when where which while who why will with
   would you your
   aber als am an auch auf aus bei das dass dem den der des die doch ein eine einem einen einer er es für haben hat ich
   im ist man mein mit nach nicht noch nur ob oder sich sie sind und uns von war warum was wenn wer wie wir wird wo zu
   zum zur`.split(/\s+/),
);

/** "don't" and "it's" say as little as "do" and "it". */
const CONTRACTION = /(?:n['’]t|['’](?:t|s|m|re|ve|ll|d))$/;

export function isLittleWord(word: string): boolean {
  // GET, OR and IT mean something else than get, or and it.
  if (word.length > 1 && word === word.toUpperCase()) return false;
  const lower = word.toLowerCase();
  return LITTLE.has(lower) || LITTLE.has(lower.replace(CONTRACTION, ""));
}

/** Longest first: what is taken off is the longest ending that fits. */
const ENDINGS = "ations ation ators ator ings ions ing ion ies ied ors ers or er ed es en s e y".split(" ");
/** What a stem may go on with; which of these are words at all, the index knows. */
const CONTINUATIONS = ["", ...ENDINGS, "al", "ate", "ated", "ates", "ating", "n"];
const SHORTEST_STEM = 3;

/**
 * Words that may be forms of this one: "removing" might be "remove", "removed", "removal", and also "removor", which
 * nobody says and therefore no index holds. Nothing for short words, numbers and other scripts.
 */
export function formsOf(word: string): string[] {
  const lower = word.toLowerCase();
  if (!patternFor(lower, /^[a-z]{4,}$/, () => /^\p{Script=Latin}{4,}$/u).test(lower)) return [];
  const forms = new Set<string>();
  for (const stem of stemsOf(lower)) for (const end of CONTINUATIONS) forms.add(stem + end);
  forms.delete(lower);
  return [...forms];
}

function stemsOf(word: string): string[] {
  const ending = ENDINGS.find((end) => word.endsWith(end) && word.length - end.length >= SHORTEST_STEM);
  const stem = ending === undefined ? word : word.slice(0, -ending.length);
  // "stopped" is "stopp" without its ending, and "stop" to everybody.
  return /([b-df-hj-np-tv-z])\1$/.test(stem) ? [stem, stem.slice(0, -1)] : [stem];
}
