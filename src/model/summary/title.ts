/** A title of a few words, taken from a request. */

/** How people begin to ask, and what a cut leaves at the end. */
const FILLER = new Set(
  "a able about add after also an and are as at be but by can could do for from go have how i if in into is it its just let let's like make me my need next not now of ok okay on or our out please should so that the then there this to up us want was we what when why will with would yes you your".split(
    " ",
  ),
);
/** They say what is to be done, so they may begin a title. */
const VERBS = new Set(["add", "make", "do", "go"]);
const MOST = 6;

/** Two to six words; nothing where there are no such words. */
export function titleOf(request: string): string | undefined {
  const clauses = request
    .replace(/[\p{C}`*_#<>|"“”[\](){}]+/gu, (signs) => (signs.includes("\n") ? "\n" : " "))
    .split(/[.!?;:,]\s|\n/)
    .map(wordsOf);
  const words = clauses.find((clause) => clause.length >= 2) ?? clauses.flat();
  const title = words.slice(0, MOST).join(" ");
  return words.length < 2 ? undefined : title.charAt(0).toUpperCase() + title.slice(1);
}

function wordsOf(clause: string): string[] {
  const words = clause
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}/.@-]+|[^\p{L}\p{N}+%]+$/gu, ""))
    .filter((word) => word !== "" && word.length <= 40);
  const isFiller = (word: string): boolean => FILLER.has(word.toLowerCase());
  const start = words.findIndex((word) => !isFiller(word) || VERBS.has(word.toLowerCase()));
  const cut = start < 0 ? [] : words.slice(start, start + MOST);
  return cut.slice(0, cut.findLastIndex((word) => !isFiller(word)) + 1);
}
