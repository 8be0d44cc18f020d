/** What an address of a hub's API is: whom it answers, and from what. */
import type { HubCaller, HubPeople, HubPlaces } from "../../app/hub/hub-app.ts";
import type { HubSystem } from "../../app/hub/system.ts";
import type { Zod } from "../../operations/operation.ts";
import type { ApiRequest, Endpoint } from "../endpoint.ts";
import type { Entrance } from "./entrance.ts";
import type { Gate } from "./gate.ts";
import type { HubMeter } from "./meter.ts";

/** What all endpoints answer from. */
export interface HubParts {
  readonly z: Zod;
  readonly hub: HubPlaces;
  readonly people: HubPeople;
  readonly entrance: Entrance;
  readonly system: HubSystem;
  readonly meter: HubMeter;
  /** How many bytes of pushes are held at once, and how many pushes are being stored. */
  readonly gates: { readonly bytes: Gate; readonly pushes: Gate };
  readonly version: string;
  /** The server takes no more requests soon. */
  isStopping(): boolean;
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
    | "method"
    | "path"
    | "summary"
    | "parameters"
    | "body"
    | "mostBytes"
    | "output"
    | "media"
    | "status"
    | "failures"
  > {
  readonly needs: HubNeed;
  answer(request: HubRequest, parts: HubParts): Promise<Response> | Response;
}
