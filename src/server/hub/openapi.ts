/** The OpenAPI document of a hub, from its endpoints. */
import { VERSION } from "../../app/version.ts";
import type { Zod } from "../../operations/operation.ts";
import { type DescribedServer, openApi, openApiEndpoint } from "../openapi.ts";
import type { HubEndpoint } from "./endpoint.ts";

const HUB: DescribedServer = {
  title: "Rethread hub",
  summary: "A team's shared history of conversations with coding agents",
  description:
    "A session is named `source:id@machine`. Everyone sees what they pushed and what others share with a team of theirs; a session that one may not see is not there. Tokens have the scopes `push`, `read` and `admin`.",
  token: "a token of the hub, from `rethread hub user add`",
  cookie: {
    name: "rethread-hub-port",
    description: "what a browser has after `POST /api/hub/sign-in`; with TLS, `__Host-` stands before it",
  },
  failures: { 503: "the database does not answer; `Retry-After` says how long to wait" },
};

export const hubOpenApi = (z: Zod, endpoints: readonly HubEndpoint[]): Record<string, unknown> =>
  openApi(z, endpoints.map(described), VERSION, HUB);

const described = ({ needs, ...endpoint }: HubEndpoint) => ({
  ...endpoint,
  ...(needs === "open" && { isOpen: true as const }),
  ...(needs !== "open" && needs !== "any" && { scope: needs }),
});

export function hubOpenApiEndpoint(document: () => Record<string, unknown>): HubEndpoint {
  const { method, path, summary, parameters, output, answer } = openApiEndpoint(document);
  return {
    method,
    path,
    summary,
    parameters,
    ...(output && { output }),
    needs: "any",
    answer: () => answer(),
  };
}
