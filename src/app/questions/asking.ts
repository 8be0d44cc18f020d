/** What the groups of questions share: where the app looks, and how a question is asked. */
import type { Call } from "../call.ts";
import type { AppConfig } from "../config.ts";
import type { App } from "../contract.ts";
import type { Request } from "../request.ts";

export interface Asking {
  readonly config: AppConfig;
  readonly demo: App["demo"];
  readonly dataFolder: string;
  request(call: Call): Promise<Request>;
  /** Once the caller has aborted, there is no answer. */
  ask<T>(call: Call, question: (request: Request) => Promise<T>): Promise<T>;
}
