/** Requests to the server of one's own sessions: who may ask is decided here, and nowhere else. */
import { AppError } from "../model/errors.ts";
import type { Remedy } from "../model/remedy.ts";
import type { ServedNames } from "./access.ts";
import { createAdmission, signInWith } from "./admission.ts";
import type { Endpoint, ServerParts } from "./endpoint.ts";
import type { Limits } from "./limits.ts";
import { createRouter, type Router } from "./router.ts";
import type { SignIn } from "./sign-in.ts";
import type { Site } from "./site.ts";

export interface HttpOptions {
  readonly endpoints: readonly Endpoint[];
  readonly parts: ServerParts;
  readonly served: ServedNames;
  readonly signIn: SignIn;
  readonly limits: Limits;
  readonly site: Site;
  /** How somebody gets an address that signs in. */
  readonly again: Remedy;
  /** Defects, for the terminal. */
  report(error: unknown): void;
}

export function createHttpApp(options: HttpOptions): Router {
  const { endpoints, parts, served, signIn, limits, site, again, report } = options;
  const openPaths = new Set(endpoints.filter(({ isOpen }) => isOpen).map(({ path }) => path));
  const { admit } = createAdmission({ served, signIn, limits, advice: signInWith(again) });
  return createRouter<Endpoint, unknown>({
    endpoints,
    served,
    isDemo: parts.app.demo !== undefined,
    admit: ({ request, path }) => admit(request, openPaths.has(path)),
    answer(endpoint, request) {
      if (parts.isReadOnly && endpoint.effect === "writes") throw readOnly();
      return endpoint.answer(request, parts);
    },
    visit: ({ request: { headers } }) => limits.request(signIn.hasCookie(headers) ? "known" : "unknown"),
    page: ({ request }) => site.answer(request),
    report,
  });
}

const readOnly = (): AppError =>
  new AppError(
    "read-only",
    "This server only reads, and changes nothing",
    "Start it without --read-only to make changes",
  );
