/** Who may ask an address that answers from sessions: decided by the secret that a request carries and the page it comes from. */
import { AppError } from "../model/errors.ts";
import type { Advice, Remedy } from "../model/remedy.ts";
import { bearerOf, checkOrigin, type ServedNames, type Trust } from "./access.ts";
import type { Limits } from "./limits.ts";
import type { SignIn } from "./sign-in.ts";

export interface AdmissionParts {
  readonly served: ServedNames;
  readonly signIn: SignIn;
  readonly limits: Limits;
  /** What helps those who are not signed in. */
  readonly advice: Advice;
}

export interface Admission {
  /** Throws for who may not ask; `isOpen` lets everybody ask who comes from no other site. */
  admit(request: Request, isOpen: boolean): Trust;
}

export function createAdmission({ served, signIn, limits, advice }: AdmissionParts): Admission {
  const trustOf = (headers: Headers): Trust => {
    const bearer = bearerOf(headers);
    if (headers.has("authorization")) {
      if (bearer !== undefined && signIn.isToken(bearer)) return "token";
      limits.wrongSecret();
      throw notSignedIn("The token is wrong", advice);
    }
    return signIn.hasCookie(headers) ? "cookie" : "none";
  };
  return {
    admit({ headers, method }, isOpen) {
      const trust = isOpen && !headers.has("authorization") ? "none" : trustOf(headers);
      checkOrigin(served, headers, trust, isChangeBy(method));
      limits.request(trust === "none" ? "unknown" : "known");
      if (trust === "none" && !isOpen) throw notSignedIn("The request has no token", advice);
      return trust;
    },
  };
}

export const isChangeBy = (method: string): boolean => !["GET", "HEAD", "OPTIONS"].includes(method);

export const notSignedIn = (message: string, advice: Advice): AppError =>
  new AppError("not-signed-in", message, advice);

export const signInWith = (again: Remedy): Advice => ({
  say: "Open the address that this command prints",
  remedy: again,
  after: "; programs send its token as `Authorization: Bearer`",
});
