/** What all connections of a server share. */
import type { AppConfig } from "../app/config.ts";
import type { App } from "../app/contract.ts";
import { createRedactor } from "../model/redact/redact.ts";
import type { McpParts } from "./call-tool.ts";
import { createCatchingUp } from "./catching-up.ts";

export const openMcpParts = async (
  app: App,
  { now }: Pick<AppConfig, "now">,
  canWrite: boolean,
): Promise<McpParts> => ({
  z: await import("zod"),
  app,
  now,
  redactor: createRedactor(),
  catchingUp: createCatchingUp(app),
  canWrite,
});
