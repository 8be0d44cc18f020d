/** Opaque cursors that say where a page of results ended, so that the caller can ask for the next page. */
import { AppError } from "../errors.ts";

/** `kind` distinguishes the cursors of different queries. */
export const encodeCursor = (kind: string, value: object): string =>
  Buffer.from(JSON.stringify({ kind, ...value })).toString("base64url");

/** Whatever stands in it was once ours, but may have been changed: `isValid` looks at every member that is relied on. */
export function decodeCursor<T extends object>(
  kind: string,
  cursor: string,
  isValid: (value: Readonly<Record<string, unknown>>) => boolean,
): T {
  const value = parse(cursor);
  if (value?.kind === kind && isValid(value)) return value as T;
  throw new AppError(
    "usage",
    `This is not a cursor of ${kind}`,
    "Give the cursor of the page before as it is, or leave it out to begin with the first page",
  );
}

function parse(cursor: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
