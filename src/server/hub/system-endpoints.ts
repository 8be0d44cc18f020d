/** Addresses about the server of a hub itself. */
import type { Zod } from "../../operations/operation.ts";
import { answerJson } from "../endpoint.ts";
import type { HubEndpoint } from "./endpoint.ts";

export const systemEndpoints = (_: Zod): readonly HubEndpoint[] => [
  {
    method: "GET",
    path: "/api/health",
    summary: "Say that the server runs; needs no token, and no database",
    needs: "open",
    parameters: [],
    output: (z) =>
      z.object({
        status: z.literal("ok"),
        version: z.string().describe("of rethread"),
        mode: z.literal("hub").describe("what is served here"),
      }),
    answer: (_, { version }) => answerJson({ status: "ok", version, mode: "hub" }),
  },
];
