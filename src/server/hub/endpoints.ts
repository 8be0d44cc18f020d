/** Every endpoint of a hub's API: a line for each group. */
import type { Zod } from "../../operations/operation.ts";
import type { HubEndpoint } from "./endpoint.ts";
import { hubOpenApi, hubOpenApiEndpoint } from "./openapi.ts";
import { questionEndpoints } from "./question-endpoints.ts";
import { sharingEndpoints } from "./sharing-endpoints.ts";
import { signInEndpoints } from "./sign-in-endpoints.ts";
import { syncEndpoints } from "./sync-endpoints.ts";
import { systemEndpoints } from "./system-endpoints.ts";

export function hubEndpoints(z: Zod): readonly HubEndpoint[] {
  const endpoints: readonly HubEndpoint[] = [
    ...systemEndpoints(z),
    hubOpenApiEndpoint(() => hubOpenApi(z, endpoints)),
    ...signInEndpoints(z),
    ...syncEndpoints(z),
    ...questionEndpoints(z),
    ...sharingEndpoints(z),
  ];
  return endpoints;
}
