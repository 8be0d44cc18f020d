/** What all connections of a server share. */
import { createApp } from "../app/app.ts";
import type { AppConfig } from "../app/config.ts";
import type { App } from "../app/contract.ts";
import { servingPlaces } from "../app/serving.ts";
import { createRedactor } from "../model/redact/redact.ts";
import type { McpParts } from "./call-tool.ts";
import { createCatchingUp } from "./catching-up.ts";

export const openMcpParts = async (
  app: App,
  config: AppConfig,
  canWrite: boolean,
  wrap: (app: App) => App = (asked) => asked,
): Promise<McpParts> => {
  const redactor = createRedactor();
  const asked = wrap(await createApp(config, undefined, { redactor }));
  return {
    z: await import("zod"),
    app,
    asked,
    now: config.now,
    redactor,
    catchingUp: createCatchingUp(asked),
    canWrite,
  };
};

/**
 * Begins the copy without secrets where there is none: for a large store it takes longer than some agents wait for an
 * answer, and the first question mostly comes a while after the connection.
 */
export function prepareCopy({ app, catchingUp }: McpParts, config: AppConfig): void {
  if (servingPlaces(config, app).hasCopy()) return;
  // The first question says what is wrong.
  void catchingUp.now({}).catch(() => undefined);
}
