/** An error as the API tells it: a code, a sentence and one next step, and never where in the code it happened. */
import { AppError, ERROR_CODES } from "../model/errors.ts";
import { type Failure, toFailure } from "../present/failure.ts";
import { answerJson } from "./endpoint.ts";
import { RetryLater } from "./limits.ts";

export const toErrorJson = (error: unknown, isDemo: boolean): { readonly error: object } => {
  const { code, message, hint, remedy, say, matches } = toFailure(error, isDemo);
  if (code === "internal") return { error: INTERNAL };
  return {
    error: {
      code,
      message,
      hint,
      ...(remedy && { remedy, say }),
      ...(matches && { matches: matches.map(toMatch) }),
    },
  };
};

const INTERNAL = {
  code: "internal",
  message: "Something went wrong in rethread",
  hint: "The terminal where it runs says more. Please report it",
};

const toMatch = ({ session }: NonNullable<Failure["matches"]>[number]): object => {
  const { source, id, title, workspace = null, repository = null, updatedAt = null } = session;
  return { source, id, title, workspace, repository, updatedAt };
};

export function failureAnswer(error: unknown, isDemo: boolean, status = statusOf(error)): Response {
  const headers: Record<string, string> = {
    ...(error instanceof RetryLater && { "retry-after": String(error.retryAfter) }),
    ...(status === 401 && { "www-authenticate": 'Bearer realm="rethread"' }),
  };
  return answerJson(toErrorJson(error, isDemo), { status, headers });
}

/** Defects are for the log of the server. */
export const isDefect = (error: unknown): boolean => toFailure(error).code === "internal";

const statusOf = (error: unknown): number =>
  error instanceof AppError ? error.status : ERROR_CODES[toFailure(error).code].status;
