/** Whether a session ended in the middle of something: no answer, a failed step, or a question to the user. */
import { clip } from "../../model/summary/summary.ts";
import type { LastTurn } from "../../store/chronicle/standup-rows.ts";
import { isLooking } from "../commands.ts";
import { sentencesOf } from "../prose.ts";

export type OpenEndKind = "failed" | "asked" | "interrupted";

export interface OpenEnd {
  readonly kind: OpenEndKind;
  /** What failed, what was asked, or what had no answer. */
  readonly text: string;
}

const LONGEST = 200;
/** A session that was written so recently is still under way. */
export const UNDER_WAY_MS = 10 * 60_000;
/** Said out of politeness: nobody waits for an answer. */
const COURTESY =
  /\b(?:anything else|something else|any(?: other| more)? questions|let me know|does (?:that|this) (?:help|make sense|answer)|how can i help|what(?:'s| is) next|what would you like (?:me )?to (?:do|work on) next|want to (?:dig|explore|hear|see|know|learn|read))\b/i;
/** The last word of somebody who has what they wanted. */
const FAREWELL =
  /^(?:ok(?:ay)?|great|perfect|nice|cool|super|that worked|works|done)?[\s,.!]*(?:thanks?(?: you)?(?: (?:so|very) much| a lot)?|thx|danke|merci|gracias|bye|(?:that|this)(?:'s| is) (?:all|it))\b.{0,30}$|^that worked\b.{0,20}$|^(?:perfect|great|awesome|excellent|nice)[\s,.!]*(?:(?:that|it) works|works|done)?[.!]*$/i;

export function openEndOf(
  { prompt, answer, call, startedAt, endedAt }: LastTurn,
  now: Date,
): OpenEnd | undefined {
  const last = Date.parse(endedAt ?? startedAt ?? "");
  if (now.getTime() - last < UNDER_WAY_MS) return undefined;
  if (call?.status === "interrupted" || call?.status === "pending")
    return { kind: "interrupted", text: clip(call.label ?? call.tool, LONGEST) };
  if (answer === undefined && FAREWELL.test(prompt.trim())) return undefined;
  if (answer === undefined) return { kind: "interrupted", text: clip(prompt, LONGEST) };
  const question = questionAtEnd(answer);
  if (question !== undefined) return { kind: "asked", text: clip(question, LONGEST) };
  if (call?.status === "failed" && !isLooking(call.label ?? ""))
    return { kind: "failed", text: clip(call.label ?? call.tool, LONGEST) };
  return undefined;
}

/** The question that an answer ends with; a choice offered below it belongs to it. */
export function questionAtEnd(answer: string): string | undefined {
  const last = sentencesOf(answer).at(-1);
  if (last === undefined) return undefined;
  const question = isQuestion(last) ? last : askedAbove(answer);
  return question === undefined || COURTESY.test(question) ? undefined : question;
}

const isQuestion = (sentence: string): boolean => /[?？]["'”»)]*$/.test(sentence);
const ITEM = /^\s*(?:[-*]|\d+[.)])\s+\S/;

/** "Which one?" with a list of answers below it. */
function askedAbove(answer: string): string | undefined {
  const lines = answer.trimEnd().split("\n");
  const at = lines.findLastIndex((line) => line.trim() !== "" && !ITEM.test(line));
  if (lines.slice(at + 1).filter((line) => line.trim() !== "").length < 2) return undefined;
  const before = sentencesOf(lines.slice(0, at + 1).join("\n")).at(-1);
  return before !== undefined && isQuestion(before) ? before : undefined;
}
