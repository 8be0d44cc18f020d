/** What a text is about, as a set of words, so that the same thing said in other words is recognised. */
import { isLittleWord } from "../model/text/word-forms.ts";

/** Words that carry the meaning, in one form each. */
export function contentWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}](?:[\p{L}\p{N}'’_./+#-]*[\p{L}\p{N}+#])?/gu) ?? [];
  return new Set(words.filter((word) => !isLittleWord(word) && !POLITE.has(word)).map(stem));
}

const POLITE = new Set(["please", "just", "bitte", "thanks", "hi", "hello", "i'd", "let's"]);

/** Enough to take "tests" and "test", "payment" and "payments" for one. */
const stem = (word: string): string =>
  word.length > 4
    ? word.replace(/(?:ies|(?<=[sxz]|[cs]h)es|(?<!s)s)$/, (end) => (end === "ies" ? "y" : ""))
    : word;

/** The share of words that two texts have in common. */
export function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared / (one.size + other.size - shared);
}

const ASKING =
  /^(?:how|why|what|which|where|when|who|whose|does|do|did|is|are|was|were|has|have|should|wie|warum|wieso|weshalb|was|welche[rsn]?|wo|wann|wer|comment|pourquoi|quel(?:le)?s?|où|cómo|por qué|qué|dónde)\b/i;
/** A request in the form of a question. */
const REQUEST = /^(?:can|could|would|will|kannst|könntest|würdest|peux|pourrais)\b/i;

export function isQuestion(text: string): boolean {
  const line = text.trim();
  if (REQUEST.test(line)) return false;
  return /[?？]\s*$/.test(line) || ASKING.test(line);
}
