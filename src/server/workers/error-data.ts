/** Errors on their way between processes: what surfaces tell of them arrives as it was. */
import { AppError } from "../../model/errors.ts";

export type ErrorData =
  | Pick<AppError, "code" | "message" | "advice" | "ambiguity">
  /** Of the operating system, or a defect. */
  | { readonly message: string; readonly stack?: string; readonly system?: string };

export function toErrorData(error: unknown): ErrorData {
  if (error instanceof AppError) {
    const { code, message, advice, ambiguity } = error;
    return { code, message, advice, ...(ambiguity && { ambiguity }) };
  }
  if (!(error instanceof Error)) return { message: String(error) };
  const system = "code" in error && typeof error.code === "string" ? { system: error.code } : {};
  return { message: error.message, ...(error.stack !== undefined && { stack: error.stack }), ...system };
}

export function fromErrorData(data: ErrorData): Error {
  if ("code" in data) return new AppError(data.code, data.message, data.advice, undefined, data.ambiguity);
  const { message, stack, system } = data;
  return Object.assign(
    new Error(message),
    stack !== undefined && { stack },
    system !== undefined && { code: system },
  );
}
