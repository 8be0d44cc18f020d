/** Every endpoint of the API. */
import { VERSION } from "../app/version.ts";
import { loadOperations } from "../operations/index.ts";
import type { AnyOperation, Zod } from "../operations/operation.ts";
import { chatEndpoints } from "./chat-endpoints.ts";
import { copilotEndpoints } from "./copilot-endpoints.ts";
import { downloadEndpoints } from "./download-endpoints.ts";
import type { Endpoint } from "./endpoint.ts";
import { examineEndpoint } from "./examine-endpoint.ts";
import { imageEndpoint } from "./image-endpoint.ts";
import { indexEndpoint } from "./index-endpoints.ts";
import { openApi, openApiEndpoint } from "./openapi.ts";
import { operationEndpoint } from "./operation-endpoint.ts";
import { applyEndpoint, planEndpoints } from "./plan-endpoints.ts";
import { ROUTES } from "./routes.ts";
import { codes, events, health } from "./system-endpoints.ts";
import { upload } from "./upload-endpoint.ts";

export interface Api {
  readonly endpoints: readonly Endpoint[];
  readonly operations: ReadonlyMap<string, AnyOperation>;
}

export async function loadApi(z: Zod): Promise<Api> {
  const operations = new Map((await loadOperations()).map((each) => [each.name, each]));
  const endpoints: Endpoint[] = [
    health,
    openApiEndpoint(() => openApi(z, endpoints, VERSION)),
    events,
    codes,
    ...ROUTES.map((route) => {
      const operation = operations.get(route.operation);
      if (!operation) throw new Error(`${route.path} is about an unknown operation`);
      return operationEndpoint(z, route, operation);
    }),
    examineEndpoint(z, operations),
    indexEndpoint(z, operations),
    ...planEndpoints(z, operations),
    applyEndpoint(operations),
    upload,
    ...chatEndpoints(z, operations),
    ...downloadEndpoints(operations),
    imageEndpoint(operations),
    ...copilotEndpoints(z),
  ];
  return { endpoints, operations };
}
