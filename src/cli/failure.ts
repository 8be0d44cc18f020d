/** What went wrong, as every surface says it: a code, a sentence, one next step. */
import { AppError, ERROR_CODES, type ErrorCode } from "../model/errors.ts";

export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly exit: number;
  /** Where it happened, for a defect of ours. */
  readonly stack?: string;
}

/** A mistake that people can mend is told as such; anything else that was thrown is a defect of ours. */
export function toFailure(error: unknown): Failure {
  if (error instanceof AppError) {
    const { code, message, hint, exitCode, cause } = error;
    return { code, message, hint, exit: exitCode, ...stackOf(cause) };
  }
  return {
    code: "internal",
    message: error instanceof Error ? error.message : String(error),
    hint: "This is a defect in rethread. RETHREAD_DEBUG=1 shows where; please report it with that",
    exit: ERROR_CODES.internal.exit,
    ...stackOf(error),
  };
}

/** Of what others said it is of no use. */
const stackOf = (error: unknown): { stack?: string } =>
  error instanceof Error && !("code" in error) && error.stack !== undefined ? { stack: error.stack } : {};
