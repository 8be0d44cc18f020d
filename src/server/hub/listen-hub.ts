/** Serves an open hub over HTTP: its API, and the files of the web app. */
import { createHubPeople, type HubPlaces } from "../../app/hub/hub-app.ts";
import { VERSION } from "../../app/version.ts";
import { type Listening, listen, type Timeouts } from "../../platform/http/listen.ts";
import type { Binding } from "../binding.ts";
import type { Answered, Router } from "../router.ts";
import { createSite } from "../site.ts";
import { readSite } from "../static-files.ts";
import { hubCookie } from "./cookie.ts";
import type { HubParts } from "./endpoint.ts";
import { hubEndpoints } from "./endpoints.ts";
import { createEntrance } from "./entrance.ts";
import { createHubHttpApp } from "./http-app.ts";
import { createHubLimits } from "./limits.ts";

export interface HubListenOptions {
  readonly hub: HubPlaces;
  readonly binding: Binding;
  /** 0 takes one that is free. */
  readonly port: number;
  /** The built web app. */
  readonly webFolder: string;
  readonly timeouts?: Timeouts;
  now(): Date;
  seen?(answered: Answered): void;
  report(error: unknown): void;
}

export interface ListeningHub extends Listening {
  /** Opens the pages once, in the name of that token. */
  urlFor(token: string): string;
}

export async function listenHub(options: HubListenOptions): Promise<ListeningHub> {
  const { hub, binding, port, webFolder, timeouts, now, seen, report } = options;
  const z = await import("zod");
  const limits = createHubLimits();
  const people = createHubPeople(hub);
  let http: Router | undefined;
  // The port is part of what is checked, and only known once it is taken; until then nobody is answered.
  const listening = await listen({
    ...binding,
    port,
    ...(timeouts && { timeouts }),
    fetch: (request, raw) => http?.fetch(request, raw) ?? new Response(null, { status: 503 }),
  });
  const cookie = hubCookie(binding.served, listening.port, now);
  const entrance = createEntrance({ people, cookie, limits, now });
  const parts: HubParts = { z, hub, people, entrance, version: VERSION };
  const site = createSite(() => readSite(webFolder), NO_CODES, NO_CODES);
  http = createHubHttpApp({
    endpoints: hubEndpoints(z),
    parts,
    served: binding.served,
    cookie,
    limits,
    site,
    ...(seen && { seen }),
    report,
  });
  return {
    ...listening,
    urlFor: (token) => `${binding.baseAt(listening.port)}/?code=${entrance.newCode(token)}`,
  };
}

/** The entrance answers addresses with codes before the files are asked. */
const NO_CODES = { exchange: () => undefined, hasCookie: () => false, wrongSecret: () => undefined };
