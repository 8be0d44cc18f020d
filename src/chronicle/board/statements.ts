/** Finds sentences that state how things are to be done: conventions in prompts, decisions in checkpoints. Pure. */

/** Each is a way in which people state a rule that is meant to last. */
const CONVENTIONS: readonly RegExp[] = [
  /\bfrom now on\b/i,
  /^(?:please )?(?:always|never) [a-z]+ \S/i,
  /\b(?:we|you|must|should|please|do) (?:always|never) [a-z]+ \S/i,
  /\bin (?:this|our) (?:repo|repository|project|codebase|team)\b.{0,80}\b(?:we|use|keep|write|put|run|prefer|avoid|must|should|want)\b/i,
  /^(?:in general,? )?(?:we|our team) (?:use|prefer|avoid|keep|write|follow|don't use|do not use|only use)\b/i,
  /\b(?:our|the team's) (?:convention|rule|house style|style guide|naming)\b/i,
  /\bprefer .{3,80}\b(?:over|to|instead of)\b/i,
  /\buse .{2,60}\binstead of\b/i,
  /\b(?:don't|do not) (?:ever )?(?:use|add|commit|push|edit|change|touch|rename|mock)\b.{0,80}\b(?:ever|directly|by hand|here|without asking)\b/i,
  /^(?:please )?remember(?: to| that|:) \S/i,
];

/** A summary tells what was decided by saying why, or what was not done. */
const DECISIONS: readonly RegExp[] = [
  /\b(?:decided|decision|chose|chosen|agreed|settled on|by choice|on purpose)\b/i,
  /\b(?:instead of|rather than|because|so that)\b/i,
  /\b(?:must|must not|should not|never|always)\b/i,
];

/** Shorter ones say nothing by themselves, longer ones are stories. */
const LENGTH = { least: 15, most: 240 };
const LEAST_WORDS = 4;

export const findConventions = (prompt: string): string[] =>
  sentencesOf(withoutQuotes(prompt))
    .map(withoutNo)
    .filter((sentence) => !sentence.endsWith("?") && CONVENTIONS.some((pattern) => pattern.test(sentence)));

/** A correction answers something that nobody who reads the board has seen. */
const withoutNo = (sentence: string): string =>
  sentence.replace(/^(?:no|nope|nein|non)[,.!:]\s+(\p{L})/iu, (_, first: string) => first.toUpperCase());

export const findDecisions = (summary: string): string[] =>
  sentencesOf(withoutQuotes(summary)).filter(
    (sentence) => !sentence.endsWith("?") && DECISIONS.some((pattern) => pattern.test(sentence)),
  );

/** What was pasted is not what the person says: code, quotes, logs between tags. */
const withoutQuotes = (text: string): string =>
  text
    .replace(/```[\s\S]*?(?:```|$)/g, "\n")
    .replace(/<(\w[\w-]*)[^>]*>[\s\S]*?<\/\1>/g, "\n")
    .replace(/^(?:>|\t| {4}).*$/gm, "\n");

/** Whole sentences of a fit length, as they were written, without the marks of a list. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/\n+|(?<=[.!?…])(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|resp)\.)\s+/)
    .map((each) =>
      each
        .replace(/^[\s#*+-]+|^\s*\d+[.)]\s+/g, "")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .filter(
      (each) =>
        each.length >= LENGTH.least &&
        each.length <= LENGTH.most &&
        each.split(" ").length >= LEAST_WORDS &&
        /\p{L}/u.test(each),
    );
}

/** The same statement in other letters: by this it is known again. */
export const normalized = (statement: string): string =>
  statement
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
