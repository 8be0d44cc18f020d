/** Problems as this source words them. */
import { UPDATE } from "../../../model/newer.ts";
import { PROBLEM_CODES, type Problem, type ProblemCode } from "../../../model/problem.ts";

export const SOURCE = "vscode";

/** What a rescue of the session puts right. */
const MENDED: ReadonlySet<ProblemCode> = new Set([
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

export const problem = (code: ProblemCode, path: string, message: string, session?: string): Problem => {
  const fix = fixFor(code, session);
  return {
    code,
    source: SOURCE,
    ...(session !== undefined && { session }),
    path,
    message,
    ...(fix !== undefined && { fix }),
  };
};

/** Where nothing can be mended, reading what is left helps. */
function fixFor(code: ProblemCode, session: string | undefined): string | undefined {
  if (code === "format-newer") return UPDATE;
  if (LISTED.has(code)) return "rethread rescue --vscode";
  if (session === undefined || PROBLEM_CODES[code].severity === "oddity") return undefined;
  return `rethread ${MENDED.has(code) ? "rescue" : "show"} ${SOURCE}:${session}`;
}
