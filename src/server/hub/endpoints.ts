/** Every endpoint of a hub's API: a line for each group. */
import type { Zod } from "../../operations/operation.ts";
import type { HubEndpoint } from "./endpoint.ts";
import { signInEndpoints } from "./sign-in-endpoints.ts";
import { syncEndpoints } from "./sync-endpoints.ts";
import { systemEndpoints } from "./system-endpoints.ts";

export const hubEndpoints = (z: Zod): readonly HubEndpoint[] => [
  ...systemEndpoints(z),
  ...signInEndpoints(z),
  ...syncEndpoints(z),
];
