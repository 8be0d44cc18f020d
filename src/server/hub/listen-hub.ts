/** Serves an open hub over HTTP: its API, and the files of the web app. */
import { createHubPeople, type HubPlaces } from "../../app/hub/hub-app.ts";
import { createHubSystem } from "../../app/hub/system.ts";
import { VERSION } from "../../app/version.ts";
import { type Listening, listen, type RawRequest, type Timeouts } from "../../platform/http/listen.ts";
import type { Binding } from "../binding.ts";
import type { Answered, Router } from "../router.ts";
import { createSite } from "../site.ts";
import { readSite } from "../static-files.ts";
import { hubCookie } from "./cookie.ts";
import type { HubParts } from "./endpoint.ts";
import { hubEndpoints } from "./endpoints.ts";
import { createEntrance } from "./entrance.ts";
import { createGate } from "./gate.ts";
import { createHubHttpApp } from "./http-app.ts";
import { createHubLimits } from "./limits.ts";
import { createHubMeter, type HubMeter } from "./meter.ts";

/** Some of the largest pushes fit, and hundreds of usual ones. */
const BYTES = { most: 256 << 20, mostOfOne: 64 << 20, mostWaiting: 1000, waitMs: 20_000 };
/** Fewer than connections to the database, so that others are answered meanwhile. */
const PUSHES = { most: 12, mostOfOne: 6, mostWaiting: 1000, waitMs: 20_000 };

export interface HubListenOptions {
  readonly hub: HubPlaces;
  readonly binding: Binding;
  /** 0 takes one that is free. */
  readonly port: number;
  /** The built web app. */
  readonly webFolder: string;
  readonly timeouts?: Timeouts;
  /** /metrics answers without a token to who asks from this machine, and not through a proxy. */
  readonly hasOpenMetrics?: boolean;
  now(): Date;
  seen?(answered: Answered): void;
  /** The database does not answer; for the log. */
  lost?(error: Error): void;
  report(error: unknown): void;
}

export interface ListeningHub extends Listening {
  readonly meter: HubMeter;
  /** Opens the pages once, in the name of that token. */
  urlFor(token: string): string;
}

export async function listenHub(options: HubListenOptions): Promise<ListeningHub> {
  const {
    hub,
    binding,
    port,
    webFolder,
    timeouts,
    hasOpenMetrics = false,
    now,
    seen,
    lost,
    report,
  } = options;
  const z = await import("zod");
  const limits = createHubLimits();
  const people = createHubPeople(hub);
  const system = createHubSystem(hub);
  const meter = createHubMeter(system, VERSION);
  const isProxied = binding.served.publicOrigin !== undefined;
  let isStopping = false;
  let http: Router | undefined;
  // The port is part of what is checked, and only known once it is taken; until then nobody is answered.
  const listening = await listen({
    ...binding,
    port,
    ...(timeouts && { timeouts }),
    fetch: (request, raw) =>
      http?.fetch(request, { ...raw, remote: remoteOf(request, raw, isProxied) }) ??
      new Response(null, { status: 503 }),
  });
  const cookie = hubCookie(binding.served, listening.port, now);
  const entrance = createEntrance({ people, cookie, limits, now });
  const parts: HubParts = {
    z,
    hub,
    people,
    entrance,
    system,
    meter,
    gates: { bytes: createGate(BYTES), pushes: createGate(PUSHES) },
    version: VERSION,
    isStopping: () => isStopping,
  };
  const site = createSite(() => readSite(webFolder), NO_CODES, NO_CODES, { action: "help" });
  http = createHubHttpApp({
    endpoints: hubEndpoints(z),
    parts,
    served: binding.served,
    cookie,
    limits,
    site,
    hasOpenMetrics,
    seen(answered) {
      meter.seen(answered);
      seen?.(answered);
    },
    ...(lost && { lost }),
    report,
  });
  return {
    port: listening.port,
    meter,
    close(withinMs) {
      isStopping = true;
      return listening.close(withinMs);
    },
    urlFor: (token) => `${binding.baseAt(listening.port)}/?code=${entrance.newCode(token)}`,
  };
}

/** Behind a proxy, the address that it tells of: limits are for who asks, not for the proxy. */
const remoteOf = ({ headers }: Request, { remote }: RawRequest, isProxied: boolean): string =>
  (isProxied ? headers.get("x-forwarded-for")?.split(",").at(-1)?.trim().slice(0, 64) : undefined) || remote;

/** The entrance answers addresses with codes before the files are asked. */
const NO_CODES = { exchange: () => undefined, hasCookie: () => false, wrongSecret: () => undefined };
