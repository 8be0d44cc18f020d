/** Is a value that is named like a secret one, or does it only stand for one? */

/**
 * How far the name is to be trusted. `plain`: whatever stands there is meant (an environment variable, a password
 * option). `password`: so it is in quotes; without them it may be code. `wary`: only what looks random.
 */
export type Manner = "plain" | "password" | "wary";

const SHORTEST = 4;
const SHORTEST_PASSWORD = 6;
const SHORTEST_RANDOM = 8;

/** It names where the secret is kept, or is computed: a variable, a template, a call, a field of an object. */
const REFERENCE = /^[$%<{@#[(&|]|^\.{2,}|[\w$][[(]|=>|^[a-z_$][A-Za-z_$]*\d?(?:\.[a-zA-Z_$]+\d?)+[!?]?$/;

/** What people write where a secret would stand, and the words of code. */
const STAND_IN =
  /^(?:(.)\1*|x+|your[-_ ].*|my[-_ ]?(?:secret|token|password|key)|<.*>|change[-_]?me|todo|tbd|none|null|nil|undefined|true|false|string|str|text|number|boolean|bool|int|any|unknown|never|void|object|bytes|required|optional|missing|invalid|incorrect|wrong|expired|empty|hidden|visible|disabled|enabled|new|old|current|default|input|field|label|placeholder|redacted|masked|pass(?:word|wd|phrase|code)|pwd|secret|token|credential|auth|key|value|name|type|inherit|stdin|file|prompt|await|async|function|return|const|let)$/i;

/** A mark of ours, or of another tool. */
const MARK = /^\[?redacted|^\*{3,}/i;

export function soundsSecret(value: string, manner: Manner, isQuoted: boolean): boolean {
  const text = value.trim();
  if (text.length < SHORTEST || MARK.test(text) || STAND_IN.test(text)) return false;
  if (!(isQuoted && manner !== "wary") && REFERENCE.test(text)) return false;
  if (/^[$%{<][\w{(]/.test(text) && /^[$%{<(\s\w.:}\])>-]+[%})>\s]*$/.test(text)) return false;
  // "Enter your password" is a label, and so is every other sentence.
  if (/\s/.test(text)) return manner !== "wary" && isQuoted && !/^[\p{L}\p{M}\s.,:;!?'…-]+$/u.test(text);
  if (manner === "plain" || (manner === "password" && isQuoted)) return true;
  return looksRandom(text, manner === "password" ? SHORTEST_PASSWORD : SHORTEST_RANDOM);
}

/** Letters with digits among them, or a long mix of cases: no word, no path, no version. */
function looksRandom(text: string, shortest: number): boolean {
  if (text.length < shortest || /^[./~]|^\d[\d.,:_-]*$/.test(text)) return false;
  const hasLetters = /[A-Za-z]/.test(text);
  if (hasLetters && /\d/.test(text)) return varietyOf(text) >= Math.min(2.5, Math.log2(text.length) - 0.75);
  return text.length >= 20 && /[a-z]/.test(text) && /[A-Z]/.test(text) && varietyOf(text) >= 3.8;
}

/** Shannon's entropy, in bits a character. */
export function varietyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
