/** Requests to a hub: who may ask is decided here and, once more, by the database. */
import type { HubCaller } from "../../app/hub/hub-app.ts";
import { AppError } from "../../model/errors.ts";
import type { ServedNames } from "../access.ts";
import { RetryLater } from "../limits.ts";
import { type Answered, createRouter, type Incoming, type Router } from "../router.ts";
import type { Site } from "../site.ts";
import { createHubAdmission, requireNeed } from "./access.ts";
import type { HubCookie } from "./cookie.ts";
import type { HubEndpoint, HubParts } from "./endpoint.ts";
import type { HubLimits } from "./limits.ts";

const METRICS = "/metrics";

export interface HubHttpOptions {
  readonly endpoints: readonly HubEndpoint[];
  readonly parts: HubParts;
  readonly served: ServedNames;
  readonly cookie: HubCookie;
  readonly limits: HubLimits;
  readonly site: Pick<Site, "answer">;
  /** /metrics needs no token on this machine. */
  readonly hasOpenMetrics?: boolean;
  seen?(answered: Answered): void;
  /** The database does not answer; for the log. */
  lost?(error: Error): void;
  /** Defects, for the log. */
  report(error: unknown): void;
}

export function createHubHttpApp(options: HubHttpOptions): Router {
  const {
    endpoints,
    parts,
    served,
    cookie,
    limits,
    site,
    hasOpenMetrics = false,
    seen,
    lost,
    report,
  } = options;
  const admit = createHubAdmission({
    served,
    limits,
    cookieName: cookie.name,
    openPaths: pathsOfOpen(endpoints),
    identify: parts.people.find,
  });
  return createRouter<HubEndpoint, Admitted>({
    endpoints,
    served,
    isDemo: false,
    async admit(incoming) {
      const { remote = "", path } = incoming;
      const isOpen = hasOpenMetrics && path === METRICS && isLocal(incoming);
      return { caller: isOpen ? undefined : await admit(incoming), remote, isOpen };
    },
    answer(endpoint, request, { caller, remote, isOpen }) {
      if (!isOpen) requireNeed(endpoint.needs, caller);
      return endpoint.answer({ ...request, caller: caller as HubCaller, remote }, parts);
    },
    visit: ({ remote = "" }) => limits.unknown(remote),
    async page({ request, remote = "" }) {
      const code = new URL(request.url).searchParams.get("code");
      return code === null ? site.answer(request) : parts.entrance.open(request, code, remote);
    },
    nameOf: ({ caller }) => caller?.name,
    ...(seen && { seen }),
    told(error) {
      if (!(error instanceof AppError) || error.code !== "database-unavailable") return error;
      // Where the database is, and what it says, is for its operator.
      lost?.(error);
      return new RetryLater("database-unavailable", "The hub's database does not answer", RETRY_SECONDS);
    },
    report,
  });
}

const RETRY_SECONDS = 2;

interface Admitted {
  readonly caller: HubCaller | undefined;
  readonly remote: string;
  /** No token is needed here, whatever the endpoint says. */
  readonly isOpen: boolean;
}

/** A proxy of this machine has the same address, but tells for whom it asks, or under which name. */
const isLocal = ({ request: { headers }, remote = "" }: Incoming): boolean =>
  /^(::ffff:)?127\.|^::1$/.test(remote) &&
  /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(headers.get("host") ?? "") &&
  !["x-forwarded-for", "forwarded", "x-real-ip", "via"].some((name) => headers.has(name));

/** Those where every method is open: who asks for another one is not asked for a token first. */
function pathsOfOpen(endpoints: readonly HubEndpoint[]): ReadonlySet<string> {
  const closed = new Set(endpoints.filter(({ needs }) => needs !== "open").map(({ path }) => path));
  return new Set(endpoints.map(({ path }) => path).filter((path) => !closed.has(path)));
}
