/** Decides whether a value with a secret's name is a real secret or a placeholder. */

/**
 * How far the name is to be trusted. `plain`: whatever stands there is meant (an environment variable, a password
 * option). `password`: so it is in quotes; without them it may be code. `wary`: only what looks random. `code`: only what
 * looks random, and not like a name.
 */
export type Manner = "plain" | "password" | "wary" | "code";

const SHORTEST = 4;
const SHORTEST_PASSWORD = 6;
const SHORTEST_RANDOM = 8;

/** It names where the secret is kept, or is computed: a variable, a template, a call, a field of an object. */
const REFERENCE =
  /^[$<{[(]|^\/[\^[(]|^\.{2,}|[\w$][[(]|=>|^[a-z_$][A-Za-z_$]*\d?(?:\.[a-zA-Z_$]+\d?)+[!?]?$|^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/;
/** So it does even in quotes. What is secret in an address has a rule of its own. */
const TEMPLATE = /[$#]\{|\{\{|\$\(|^%\w+%$|^\$\w+$|^<[^>]*>$|^(?:urn:|[a-z][a-z0-9+.-]*:\/\/)/;

/** What people write where a secret would stand, the words of code, and those that only name the secret once more. */
const STAND_IN =
  /^(?:(.)\1*|x+|your[-_ ].*|change[-_]?me|todo|tbd|none|null|nil|undefined|true|false|string|str|text|number|boolean|bool|int|any|unknown|never|void|object|bytes|required|optional|missing|invalid|incorrect|wrong|expired|empty|hidden|visible|disabled|enabled|new|old|current|default|input|field|label|placeholder|redacted|masked|auth|value|name|type|inherit|stdin|file|prompt|options?|flags?|arguments?|parameters?|await|async|function|return|const|[a-z_-]*(?:pass(?:word|wd|phrase|code)|pwd|secret|token|credential|key)[a-z_-]*)$/i;

/** Long ones are not asked: a text that repeats such words would be read over and over. */
const isStandIn = (text: string): boolean => text.length <= LONGEST_STAND_IN && STAND_IN.test(text);
const LONGEST_STAND_IN = 120;

/** A mark of ours, or of another tool. */
const MARK = /^\[?redacted|^\*{3,}/i;

const believes = (manner: Manner): boolean => manner === "plain" || manner === "password";

export function soundsSecret(value: string, manner: Manner, isQuoted: boolean): boolean {
  const text = value.trim();
  if (text.length < SHORTEST || MARK.test(text) || isStandIn(text) || TEMPLATE.test(text)) return false;
  if (!(isQuoted && believes(manner)) && (REFERENCE.test(text) || isSigned(text))) return false;
  // "Enter your password" is a label, and so is every other sentence.
  if (/\s/.test(text)) return believes(manner) && isQuoted && !/^[\p{L}\p{M}\s.,:;!?'…-]+$/u.test(text);
  if (manner === "plain" || (manner === "password" && isQuoted)) return true;
  if (manner === "code" && !isQuoted && isIdentifier(text)) return false;
  // `variable-2` is a word of some list.
  if (!believes(manner) && /^[a-z]+(?:[-_.][a-z]+)*[-_.]?\d$/.test(text)) return false;
  return looksRandom(text, manner === "password" ? SHORTEST_PASSWORD : SHORTEST_RANDOM);
}

/** `@name`, `%NAME%`, `&anchor`: a name with a sign before it, unless what follows is too wild for a name. */
const isSigned = (text: string): boolean =>
  /^[%@#&|]/.test(text) && (isIdentifier(text.slice(1)) || !looksRandom(text.slice(1), SHORTEST_PASSWORD));

/** Names of code have digits, too, but hardly two different numbers (`ed25519.Ed25519Key`), and few letters often. */
const isIdentifier = (text: string): boolean =>
  /^[\w.$]+$/.test(text) && new Set(text.match(/\d+/g)).size < 2 && varietyOf(text) < 4.1;

/** Letters with digits among them, or a long mix of cases and signs: no word, no path, no version. */
export function looksRandom(text: string, shortest: number): boolean {
  if (text.length < shortest || /^(?:\.{0,2}\/|~[\w-]*(?:\/|$))|^\d[\d.,:_-]*$/.test(text)) return false;
  // A hidden file, or a class of a style sheet.
  if (/^\.[\w.-]+$/.test(text) && isIdentifier(text)) return false;
  const hasLetters = /[A-Za-z]/.test(text);
  if (hasLetters && /\d/.test(text)) return varietyOf(text) >= Math.min(2.5, Math.log2(text.length) - 0.75);
  return (
    text.length >= 20 &&
    /[a-z]/.test(text) &&
    /[A-Z]/.test(text) &&
    /[+=]/.test(text) &&
    varietyOf(text) >= 3.8
  );
}

/** Shannon's entropy, in bits a character. */
export function varietyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
