/** What users, teams, scopes and lifetimes may be: names that are harmless wherever they are shown, in a table, a page or a shell. */

import { AppError } from "../../model/errors.ts";
import { memberOf } from "../../model/values/member.ts";

export const SCOPES = ["push", "read", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

const NAME = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/;
const LONGEST_DAYS = 3650;

/** In lower case: two users whose names differ only in that would be taken for one another. */
export function toName(kind: "user" | "team", text: string): string {
  const name = text.trim().toLowerCase();
  if (NAME.test(name)) return name;
  throw new AppError(
    "usage",
    `That is no name of a ${kind}`,
    "Use up to 64 letters, digits, dots, dashes and underscores, with a letter or digit at both ends",
  );
}

export function toScopes(texts: readonly string[]): Scope[] {
  const scopes = SCOPES.filter((scope) => texts.includes(scope));
  const unknown = texts.find((text) => !SCOPES.some((scope) => scope === text));
  if (unknown === undefined && scopes.length > 0) return scopes;
  throw new AppError(
    "usage",
    unknown === undefined ? "A token needs a scope" : "There is no such scope",
    `Scopes are ${SCOPES.join(", ")}`,
  );
}

/** `90d`, `12h`, `2w`, `1y`; or `never`. */
export function toExpiry(text: string, now: Date): Date | undefined {
  const word = text.trim().toLowerCase();
  if (word === "never") return undefined;
  const [, count = "", unit = ""] = /^(\d{1,5})([hdwy])$/.exec(word) ?? [];
  const days = Number(count) * (memberOf(DAYS, unit) ?? Number.NaN);
  if (days > 0 && days <= LONGEST_DAYS) return new Date(now.getTime() + days * 86_400_000);
  throw new AppError("usage", `"${text}" is no lifetime of a token`, "Write 12h, 90d, 2w, 1y or never");
}

const DAYS: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, w: 7, y: 365 };
