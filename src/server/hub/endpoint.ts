/** What an address of a hub's API is: whom it answers, and from what. */
import type { HubCaller, HubPeople, HubPlaces } from "../../app/hub/hub-app.ts";
import type { Zod } from "../../operations/operation.ts";
import type { ApiRequest, Endpoint } from "../endpoint.ts";
import type { Entrance } from "./entrance.ts";

/** What all endpoints answer from. */
export interface HubParts {
  readonly z: Zod;
  readonly hub: HubPlaces;
  readonly people: HubPeople;
  readonly entrance: Entrance;
  readonly version: string;
}

export interface HubRequest extends ApiRequest {
  /** Who asks; missing only where an endpoint is open. */
  readonly caller: HubCaller;
  /** The address that it comes from. */
  readonly remote: string;
}

/** `open` needs no token, `any` one that is valid, the others one with that scope. */
export type HubNeed = "open" | "any" | "push" | "read" | "admin";

export interface HubEndpoint
  extends Pick<
    Endpoint,
    "method" | "path" | "summary" | "parameters" | "body" | "mostBytes" | "output" | "media" | "status"
  > {
  readonly needs: HubNeed;
  answer(request: HubRequest, parts: HubParts): Promise<Response> | Response;
}
