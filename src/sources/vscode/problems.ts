/** Problems as this source words them. */
import { PROBLEM_CODES, type Problem, type ProblemCode } from "../../model/problem.ts";

export const SOURCE = "vscode";

/** Reading what is left helps with all that is wrong with one session. */
export const problem = (code: ProblemCode, path: string, message: string, session?: string): Problem => ({
  code,
  source: SOURCE,
  ...(session !== undefined && { session }),
  path,
  message,
  ...(session !== undefined &&
    PROBLEM_CODES[code].severity !== "oddity" && { fix: `rethread show ${SOURCE}:${session}` }),
});
