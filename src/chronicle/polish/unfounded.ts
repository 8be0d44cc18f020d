/** Finds what a model's text says that its data does not: numbers, ids and hashes. */

/** Anything with a digit in it, up to where a word ends. */
const TOKENS = /[\p{L}\p{N}_#@./:+-]*\p{N}[\p{L}\p{N}_#@./:+,-]*/gu;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The start of an id or of a commit's hash. */
const HASH = /^(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}$/;

/** Each once, as it is written; nothing where all of it stands in the data. */
export function unfoundedIn(text: string, data: string): string[] {
  const known = data.toLowerCase();
  const numbers = new Set(numbersIn(known));
  // Numbers of a list are marks, not claims.
  const said = text.replace(/^\s*(?:[-*]\s+)?\d{1,3}[.)]\s/gm, " ").match(TOKENS) ?? [];
  return [...new Set(said.map((token) => token.replace(/^[#@./:+-]+|[#@./:+,-]+$/g, "")))].filter(
    (token) => token !== "" && !isFounded(token.toLowerCase(), known, numbers),
  );
}

function isFounded(token: string, known: string, numbers: ReadonlySet<string>): boolean {
  if (UUID.test(token)) return known.includes(token);
  if (HASH.test(token)) return new RegExp(`(?<![0-9a-f])${token}`).test(known);
  // `copilot-cli:0b1c2d3e`, and ids of other kinds: the whole of it, or else each of its numbers.
  if (token.length > 3 && /\p{L}/u.test(token) && known.includes(token)) return true;
  const parts = token.split(/[:/@#+_-]/).filter((part) => HASH.test(part));
  if (parts.some((part) => !isFounded(part, known, numbers))) return false;
  return numbersIn(token).every((number) => numbers.has(number));
}

/** Without signs that only group digits, and without zeros in front. */
function numbersIn(text: string): string[] {
  const plain = text.replace(/(?<=\d),(?=\d{3}(?!\d))/g, "");
  return (plain.match(/\d+(?:\.\d+)?/g) ?? []).map((number) => number.replace(/^0+(?=\d)/, ""));
}
