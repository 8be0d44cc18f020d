/** Addresses about the server of a hub and the hub as a whole: for what watches it, and for its admins. */
import type { Schema, Zod } from "../../operations/operation.ts";
import { readInput } from "../../operations/outside-input.ts";
import { answerJson } from "../endpoint.ts";
import type { HubEndpoint } from "./endpoint.ts";
import { MEDIA } from "./prometheus.ts";
import { statusFields } from "./status-schema.ts";

const health: HubEndpoint = {
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
};

const ready: HubEndpoint = {
  method: "GET",
  path: "/api/ready",
  summary: "Say whether requests should come here: 200, or 503; needs no token",
  needs: "open",
  parameters: [],
  output: (z) =>
    z.object({
      ready: z.boolean(),
      checks: z.object({
        database: z.boolean().describe("it answers"),
        schema: z.boolean().describe("it is that of this version"),
        queue: z.boolean().describe("rows can be asked for"),
        serving: z.boolean().describe("the server is not about to stop"),
      }),
    }),
  failures: { 503: "not now; the answer has the same form" },
  async answer(_, { system, isStopping }) {
    const checks = { ...(await system.ready()), serving: !isStopping() };
    const isReady = Object.values(checks).every(Boolean);
    return answerJson({ ready: isReady, checks }, { status: isReady ? 200 : 503 });
  },
};

const metrics: HubEndpoint = {
  method: "GET",
  path: "/metrics",
  summary: "Count what happens here, in the text format of Prometheus",
  needs: "admin",
  parameters: [],
  media: MEDIA,
  answer: async (_, { meter }) => new Response(await meter.text(), { headers: { "content-type": MEDIA } }),
};

const status: HubEndpoint = {
  method: "GET",
  path: "/api/hub/status",
  summary: "Say who uses the hub, how much it keeps, and how far its rows are",
  needs: "admin",
  parameters: [],
  output: (z) => z.object(statusFields(z)),
  answer: async ({ caller: { who } }, { system, version }) =>
    answerJson({ version, ...(await system.status(who)) }),
};

const reindexInput = (z: Zod) =>
  z.object({ user: z.string().max(200).exactOptional().describe("only the sessions of that user") });

const reindexed: Schema = (z) =>
  z.object({ queued: z.int().describe("sessions whose rows will be made again") });

const reindex = (z: Zod): HubEndpoint => ({
  method: "POST",
  path: "/api/hub/reindex",
  summary: "Make the rows of all sessions again from what was pushed, in the background",
  needs: "admin",
  parameters: [],
  body: reindexInput,
  output: reindexed,
  async answer(request, { system }) {
    const { user } = readInput(reindexInput(z), { name: "reindex" }, (await request.json()) ?? {});
    return answerJson({ queued: await system.reindex(request.caller.who, user) });
  },
});

export const systemEndpoints = (z: Zod): readonly HubEndpoint[] => [
  health,
  ready,
  metrics,
  status,
  reindex(z),
];
