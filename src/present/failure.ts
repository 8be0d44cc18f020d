/** Turns any error into a code, a sentence and one next step. */
import { AppError, ERROR_CODES, type ErrorCode, type SessionMatch } from "../model/errors.ts";
import { type Advice, inDemo, type Remedy, toHint } from "../model/remedy.ts";
import { memberOf } from "../model/values/member.ts";

export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  /** The next step as data, where it is an action of ours. */
  readonly remedy?: Remedy;
  /** The words of the hint that introduce it, for surfaces that word the step itself in another way. */
  readonly say?: string;
  /** The sessions that a name could mean. */
  readonly matches?: readonly SessionMatch[];
  readonly exit: number;
  /** Where it happened, for a defect of ours. */
  readonly stack?: string;
}

/** What the system refuses, by its own names for it. */
const REFUSALS: Readonly<Record<string, { readonly code: ErrorCode; readonly hint: Advice }>> = {
  EACCES: {
    code: "permission-denied",
    hint: "Give yourself permission to read and write it, then run the command again",
  },
  EPERM: {
    code: "permission-denied",
    hint: "Give yourself permission to read and write it, then run the command again",
  },
  EROFS: { code: "permission-denied", hint: "Its disk is read-only: use another one" },
  ENOSPC: { code: "disk-full", hint: "Free some space, then run the command again" },
  EDQUOT: { code: "disk-full", hint: "Free some space, then run the command again" },
};
const OTHER: (typeof REFUSALS)[string] = {
  code: "system-failed",
  hint: { say: "See what is wrong there", remedy: { action: "doctor" } },
};

/**
 * AppErrors are reported as they are, and failures of the operating system by their code; anything else that was thrown
 * is a defect of ours.
 */
export function toFailure(error: unknown, isDemo = false): Failure {
  if (error instanceof AppError) {
    const { code, message, advice, exitCode, cause, ambiguity } = error;
    return {
      code,
      message,
      ...wordsOf(advice, isDemo),
      ...(ambiguity && { matches: ambiguity.matches }),
      exit: exitCode,
      ...stackOf(cause),
    };
  }
  if (error instanceof Error && isOfSystem(error)) {
    const { code, hint } = memberOf(REFUSALS, error.code) ?? OTHER;
    return { code, message: error.message, ...wordsOf(hint, isDemo), exit: ERROR_CODES[code].exit };
  }
  return {
    code: "internal",
    message: error instanceof Error ? error.message : String(error),
    hint: "This is a defect in rethread. Please report it with the output of RETHREAD_DEBUG=1",
    exit: ERROR_CODES.internal.exit,
    ...stackOf(error),
  };
}

/** What helps must be typed for the home it is about. */
function wordsOf(advice: Advice, isDemo: boolean): Pick<Failure, "hint" | "remedy" | "say"> {
  if (typeof advice === "string") return { hint: advice };
  const remedy = isDemo ? inDemo(advice.remedy) : advice.remedy;
  return { hint: toHint({ ...advice, remedy }), remedy, say: advice.say };
}

/** Of what others said it is of no use. */
const stackOf = (error: unknown): { stack?: string } =>
  error instanceof Error && !("code" in error) && error.stack !== undefined ? { stack: error.stack } : {};

const isOfSystem = (error: Error): error is Error & { readonly code: string } =>
  "code" in error && typeof error.code === "string" && /^E[A-Z0-9]+$/.test(error.code);
