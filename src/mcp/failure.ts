/** A failure as an answer: what it means in our own words, and what it says of sessions as history. */
import { AppError, ERROR_CODES } from "../model/errors.ts";
import type { Remedy } from "../model/remedy.ts";
import { memberOf } from "../model/values/member.ts";
import { toFailure } from "../present/failure.ts";
import { oneLine } from "../present/text/plain.ts";
import { type Answer, cutTo } from "./answer.ts";
import { cite } from "./citation.ts";

/** What such a step is called here. */
const TOOL_STEPS: Readonly<Record<string, string>> = {
  list: "List the sessions: sessions {}",
  show: 'Read it: read {"session":"source:id"}',
  sql: "See the tables: a query with a mistake in it is answered with them",
  blame: "See where it was touched: where with its name as file",
};
/** What to do after an error whose hint speaks of commands. */
const CODE_STEPS: Readonly<Record<string, string>> = { "session-changed": "Call plan again" };

/** Nothing for a call that its caller took back: nobody waits for an answer. */
export function failureAnswer(error: unknown, isDemo: boolean): Answer | undefined {
  const { code, message, hint, remedy, matches = [] } = toFailure(error, isDemo);
  if (code === "aborted") return undefined;
  // These speak of what the caller sent; all others may quote titles and names of recorded sessions.
  if (code === "usage" && error instanceof AppError && !error.ambiguity)
    return { head: `Error (${code}): ${oneLine(message)}. ${oneLine(hint)}` };
  const lines = [
    `${oneLine(message)}.`,
    ...(stepOf(code, remedy) === "" ? [oneLine(hint)] : []),
    ...matches.map(({ session }) => `${cite(session, null, session.updatedAt)} "${oneLine(session.title)}"`),
  ];
  const whole = lines.join("\n");
  return {
    head: `Error (${code}): ${ERROR_CODES[code].means}.${stepOf(code, remedy)}`,
    least: `Error (${code}): see below.`,
    body({ tokens, count }) {
      const text = cutTo(whole, tokens, count);
      return { text, cut: text === whole ? [] : ["Cut: the rest of what it says."] };
    },
  };
}

const stepOf = (code: string, remedy: Remedy | undefined): string => {
  const step = memberOf(CODE_STEPS, code) ?? (remedy && memberOf(TOOL_STEPS, remedy.action));
  return step === undefined ? "" : ` ${step}`;
};
