/** The typed client of the HTTP API, as `rethread/client`. */
export { ApiError, type ApiMatch, type ApiRemedy } from "./api-error.ts";
export { createClient, type RethreadClient } from "./client.ts";
export { createHubClient, type RethreadHubClient } from "./hub-client.ts";
export type * from "./hub-types.ts";
export type { EventsOptions, LiveEvent, LiveState } from "./live-events.ts";
export type { ClientOptions, Options } from "./request.ts";
export type { EventName, ServerEvents } from "./server-events.ts";
export type * from "./types.ts";
