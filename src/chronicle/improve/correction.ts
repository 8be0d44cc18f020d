/** Recognises that a user corrects the agent, and says the rule behind it in one line. */
import { clip } from "../../model/summary/summary.ts";
import { sentencesOf, withoutQuotes } from "../prose.ts";
import { contentWords } from "../words.ts";

export interface Correction {
  /** The same for the same rule, however it is said. */
  readonly key: string;
  /** As an instruction to an agent. */
  readonly line: string;
  /** It speaks of how work is done here, not of the task at hand: said once is enough. */
  readonly isGeneral: boolean;
}

/** A rule is said in a sentence; longer ones are descriptions. */
const LONGEST = 160;
const MOST_SENTENCES = 6;

/** Without one of these words nobody gives a rule; most prompts have none of them. */
const MAY_RULE =
  /\b(?:no|nope|nein|not|wrong|again|said|told|use|using|prefer|never|don['’]?t|shouldn['’]?t|avoid|stop|always|now on|immer|statt|anstatt|anstelle|instead|rather|au lieu)\b/i;

/** The first rule in a prompt. Questions, quotes and code are none. */
export function correctionIn(prompt: string): Correction | undefined {
  if (!MAY_RULE.test(prompt)) return undefined;
  for (const sentence of sentencesOf(withoutQuotes(prompt)).slice(0, MOST_SENTENCES)) {
    if (sentence.length > LONGEST || /[?？]$/.test(sentence)) continue;
    const found = ruleIn(sentence);
    if (found) return found;
  }
  return undefined;
}

/** What precedes a rule, and is no part of it. */
const OPENING =
  /^(?:(?:no+|nope|nein|non|wrong|again|nochmal|hey|ok(?:ay)?|and|but|so|please|bitte|actually|remember|sorry|not like that|i (?:already )?(?:said|told you)(?: (?:before|that|to))?|as i (?:already )?said(?: before)?|we (?:already )?said|like i said)\b[\s,:;.!–—-]*)+/i;
/** Only one who contradicts gives orders in this way. */
const DENIAL =
  /^(?:no+|nope|nein|wrong|not like that|again|i (?:already )?(?:said|told you)|as i (?:already )?said)\b/i;

function ruleIn(sentence: string): Correction | undefined {
  const rest = sentence.replace(OPENING, "").trim();
  return preferred(rest) ?? ruled(rest) ?? (DENIAL.test(sentence) ? ordered(rest) : undefined);
}

const NAME = String.raw`[^\s,.;:!?()]+(?: [^\s,.;:!?()]+){0,2}?`;
const INSTEAD = "(?:instead of|rather than|in place of|statt|anstatt|anstelle von|au lieu de)";
const WE_USE =
  "^(?:we |you |always |just |only )*(?:should |must |have to )?(?:use|using|prefer|run|call|take|nimm|nehmt|verwende|benutze|utilise)";
const AFTER = "(?: (?:verwenden|benutzen|nehmen|here|please))?[.!]*$";
/** "use X instead of Y", "we use X here, not Y", "X statt Y verwenden". */
const PREFERENCES = [
  new RegExp(`${WE_USE} (${NAME})(?: here)?,? ${INSTEAD} (${NAME})${AFTER}`, "iu"),
  new RegExp(
    String.raw`${WE_USE} (${NAME})(?: here| in this \w+)?, ?(?:and )?(?:not|never) (${NAME})${AFTER}`,
    "iu",
  ),
  new RegExp(`^(${NAME}),? ${INSTEAD} (${NAME})${AFTER}`, "iu"),
];
/** Points at something of the moment. */
const POINTING =
  /\b(?:the|this|that|these|those|it|its|it's|my|your|his|him|her|them|they|one|ones|other|first|second|third|last|both|der|die|das|den|dem|mein|dein|le|la|les)\b/i;

function preferred(rest: string): Correction | undefined {
  for (const pattern of PREFERENCES) {
    const [, good = "", bad = ""] = pattern.exec(rest) ?? [];
    if (good === "" || bad === "" || POINTING.test(good) || POINTING.test(bad)) continue;
    const line = `Use ${clip(good, 60)}, not ${clip(bad, 60)}.`;
    return { key: `${keyOf(good)} not ${keyOf(bad)}`, line, isGeneral: true };
  }
  return undefined;
}

type Verb = "Never" | "Do not" | "Avoid" | "Always";

const RULES: readonly (readonly [verb: Verb, pattern: RegExp])[] = [
  [
    "Never",
    /^(?:we |you |one )?(?:should |must |may )?(?:never|must not|mustn't|don['’]?t ever|do not ever)\s+(.+)$/i,
  ],
  [
    "Do not",
    /^(?:we |you )?(?:don['’]?t|do not|shouldn['’]?t|should not)\s+(?!we\b|you\b|i\b|it\b|they\b)(.+)$/i,
  ],
  ["Avoid", /^(?:we |you )?(?:avoid|no more|stop(?= \w+ing\b))\s+(.+)$/i],
  ["Always", /^(?:we |you )?(?:should |must )?(?:always|from now on,?(?: always)?|immer)\s+(.+)$/i],
];
const EMPHASIS = /^(?:(?:even|just|actually|really|necessarily|simply|ever)\s+)+/i;
/** Of the moment, or not about the work. */
const MOMENTARY = /\b(?:yet|now|today|this time|at the moment|anything|everything|noch|jetzt|heute)\b/i;
const NO_RULE =
  /^(?:worry|bother|mind|know|think|care|mean|want|like|love|need|have|see|get|understand|remember|be|panic|stop|give up|hesitate|assume|forget)\b/i;
const ONLY_POINTING = /^\w+ (?:that|this|it|them|so)$/i;

function ruled(rest: string): Correction | undefined {
  for (const [verb, pattern] of RULES) {
    const said = pattern.exec(rest)?.[1]?.replace(EMPHASIS, "");
    if (said === undefined) continue;
    const what = said.replace(/[\s,]*(?:please|bitte|again|any ?more|ok(?:ay)?)?[.!\s]*$/i, "");
    if (what === "" || MOMENTARY.test(what) || NO_RULE.test(what) || ONLY_POINTING.test(what))
      return undefined;
    const isStrong = verb === "Never" || verb === "Always";
    return {
      key: `${verb === "Always" ? "do" : "not"} ${keyOf(plainVerb(what))}`,
      line: ended(`${verb} ${what}`),
      isGeneral: isStrong || !POINTING.test(what),
    };
  }
  return undefined;
}

const VERBS =
  /^(?:use|run|put|keep|write|call|name|add|remove|import|prefer|start|make|leave|take|commit|push|test|format|return|throw|log|read|edit|create|delete|stick|follow|check|build|install|ask|wrap|split|sort|nimm|verwende|benutze|schreib|lass)\b/i;
/** "use pnpm": a tool and nothing of the task. */
const TOOL_ALONE = new RegExp(`^(?:use|run|nimm|verwende|benutze) (${NAME})(?: here)?[.!]*$`, "iu");

/** "No, use pnpm" is a rule; "No, run the linter first" only when it is said again. */
function ordered(rest: string): Correction | undefined {
  if (!VERBS.test(rest) || MOMENTARY.test(rest) || ONLY_POINTING.test(rest)) return undefined;
  const tool = TOOL_ALONE.exec(rest)?.[1];
  const isGeneral = tool !== undefined && !POINTING.test(tool);
  return { key: `do ${keyOf(rest)}`, line: ended(rest), isGeneral };
}

/** "adding" as "add", so that "stop adding" and "don't add" are one rule. */
const plainVerb = (text: string): string =>
  text.replace(/^(\w{2,}?)ing\b/, (_, stem: string) =>
    /([b-df-hj-np-tv-z])\1$/.test(stem) && !/(?:ll|ss|dd)$/.test(stem) ? stem.slice(0, -1) : stem,
  );

const keyOf = (text: string): string => [...contentWords(text)].sort().join(" ");

function ended(text: string): string {
  const line = clip(text, LONGEST).replace(/[\s.!,;:]+$/, "");
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}.`;
}
