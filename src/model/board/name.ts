/** Names of board items: made from words, and matched by patterns. */
import { BOARD_LIMITS } from "./item.ts";

/** "Always run the tests first!" becomes `always-run-the-tests-first`. */
export function toItemName(words: string, most = 48): string {
  const parts = words
    .normalize("NFC")
    .toLowerCase()
    .replace(/['’`]/g, "")
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean);
  let name = "";
  for (const part of parts) {
    const longer = name === "" ? part : `${name}-${part}`;
    if ([...longer].length > Math.min(most, BOARD_LIMITS.name)) break;
    name = longer;
  }
  return name || [...(parts[0] ?? "item")].slice(0, most).join("");
}

/**
 * `*` stands for any number of letters, `?` for one; case does not matter. Letter by letter, as a pattern with many stars
 * would keep a regular expression busy for ever.
 */
export function isNamedLike(name: string, pattern: string): boolean {
  const [letters, wanted] = [name, pattern].map((text) => [...text.normalize("NFC").toLowerCase()]) as [
    string[],
    string[],
  ];
  let [at, next] = [0, 0];
  /** The last star, and how many letters it stands for so far. */
  let star: { readonly next: number; at: number } | undefined;
  while (at < letters.length) {
    if (wanted[next] === "*") star = { next: ++next, at };
    else if (wanted[next] === "?" || wanted[next] === letters[at]) [at, next] = [at + 1, next + 1];
    else if (star) [at, next] = [++star.at, star.next];
    else return false;
  }
  return wanted.slice(next).every((letter) => letter === "*");
}
