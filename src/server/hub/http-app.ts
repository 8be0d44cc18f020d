/** Requests to a hub: who may ask is decided here and, once more, by the database. */
import type { HubCaller } from "../../app/hub/hub-app.ts";
import type { ServedNames } from "../access.ts";
import { type Answered, createRouter, type Router } from "../router.ts";
import type { Site } from "../site.ts";
import { createHubAdmission, requireNeed } from "./access.ts";
import type { HubCookie } from "./cookie.ts";
import type { HubEndpoint, HubParts } from "./endpoint.ts";
import type { HubLimits } from "./limits.ts";

export interface HubHttpOptions {
  readonly endpoints: readonly HubEndpoint[];
  readonly parts: HubParts;
  readonly served: ServedNames;
  readonly cookie: HubCookie;
  readonly limits: HubLimits;
  readonly site: Pick<Site, "answer">;
  seen?(answered: Answered): void;
  /** Defects, for the log. */
  report(error: unknown): void;
}

export function createHubHttpApp(options: HubHttpOptions): Router {
  const { endpoints, parts, served, cookie, limits, site, seen, report } = options;
  const admit = createHubAdmission({
    served,
    limits,
    cookieName: cookie.name,
    openPaths: pathsOfOpen(endpoints),
    identify: parts.people.find,
  });
  return createRouter<HubEndpoint, { readonly caller: HubCaller | undefined; readonly remote: string }>({
    endpoints,
    served,
    isDemo: false,
    async admit(incoming) {
      return { caller: await admit(incoming), remote: incoming.remote ?? "" };
    },
    answer(endpoint, request, { caller, remote }) {
      requireNeed(endpoint.needs, caller);
      return endpoint.answer({ ...request, caller: caller as HubCaller, remote }, parts);
    },
    visit: ({ remote = "" }) => limits.unknown(remote),
    async page({ request, remote = "" }) {
      const code = new URL(request.url).searchParams.get("code");
      return code === null ? site.answer(request) : parts.entrance.open(request, code, remote);
    },
    ...(seen && { seen }),
    report,
  });
}

/** Those where every method is open: who asks for another one is not asked for a token first. */
function pathsOfOpen(endpoints: readonly HubEndpoint[]): ReadonlySet<string> {
  const closed = new Set(endpoints.filter(({ needs }) => needs !== "open").map(({ path }) => path));
  return new Set(endpoints.map(({ path }) => path).filter((path) => !closed.has(path)));
}
