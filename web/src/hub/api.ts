/** The client of a hub, and what is remembered of its answers. */
import type { QueryKey } from "@tanstack/react-query";
import { createHubClient } from "../../../src/client/hub-client.ts";

export const hubApi = createHubClient({});

export const hubKeys = {
  me: ["me"],
  people: ["people"],
  shares: ["shares"],
  audit: ["audit"],
  status: ["status"],
  own: (query: unknown): QueryKey => ["sessions", "own", query],
} as const;
