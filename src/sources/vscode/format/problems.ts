/** Problems as this source words them. */

import { PROBLEM_CODES, type Problem, type ProblemCode } from "../../../model/problem.ts";
import { UPDATE } from "../../../model/session/newer.ts";

export const SOURCE = "vscode";

/** What a rescue of the session puts right. */
const REPAIRED: ReadonlySet<ProblemCode> = new Set([
  "record-unreadable",
  "record-torn",
  "record-unended",
  "record-invalid",
  "session-start-missing",
  "session-emptied",
  "session-orphaned",
  "session-hidden",
]);
/** What concerns the list of a whole workspace. */
const LISTED: ReadonlySet<ProblemCode> = new Set(["session-ghost", "index-unreadable"]);

export const problem = (code: ProblemCode, path: string, message: string, session?: string): Problem => ({
  code,
  source: SOURCE,
  ...(session !== undefined && { session }),
  path,
  message,
  ...helpFor(code, session),
});

/** Where nothing can be repaired, reading what is left helps. */
function helpFor(code: ProblemCode, session: string | undefined): Pick<Problem, "remedy" | "fix"> {
  if (code === "format-newer") return { fix: UPDATE };
  if (LISTED.has(code)) return { remedy: { action: "rescue", args: { vscode: true } } };
  if (session === undefined || PROBLEM_CODES[code].severity === "oddity") return {};
  return { remedy: { action: REPAIRED.has(code) ? "rescue" : "show", session: `${SOURCE}:${session}` } };
}
