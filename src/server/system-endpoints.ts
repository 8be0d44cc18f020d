/** Addresses about the server itself: that it runs, what it offers, what happens, and a way in for a browser. */
import { answerJson, type Endpoint } from "./endpoint.ts";
import { eventAnswer } from "./sse.ts";

export const health: Endpoint = {
  method: "GET",
  path: "/api/health",
  summary: "Say that the server runs; needs no token",
  effect: "reads",
  isOpen: true,
  parameters: [],
  output: (z) =>
    z.object({
      status: z.literal("ok"),
      version: z.string().describe("of rethread"),
      instance: z.string().describe("of this run of the server"),
      isReadOnly: z.boolean().describe("changes are refused"),
    }),
  answer: (_, { version, instance, isReadOnly }) =>
    answerJson({ status: "ok", version, instance, isReadOnly }),
};

export const events: Endpoint = {
  method: "GET",
  path: "/api/events",
  summary: "Tell what happens as it happens, as server-sent events",
  effect: "reads",
  parameters: [
    {
      name: "Last-Event-ID",
      in: "header",
      isRequired: false,
      schema: (z) =>
        z.string().describe("the last event that was received; what came after it is sent first"),
    },
    {
      name: "since",
      in: "query",
      isRequired: false,
      schema: (z) => z.string().describe("the same, for those who cannot set headers"),
    },
  ],
  media: "text/event-stream",
  answer({ headers, query, signal, method }, hub) {
    if (method === "HEAD") return new Response(null, { headers: { "content-type": "text/event-stream" } });
    const since = headers.get("last-event-id") ?? query.get("since") ?? undefined;
    return eventAnswer(hub.events.stream(since, signal));
  },
};

/** For a second `serve`, which opens the pages of this one. */
export const codes: Endpoint = {
  method: "POST",
  path: "/api/codes",
  summary: "Make an address that opens the web app in a browser, once, within ten minutes",
  effect: "reads",
  parameters: [],
  output: (z) => z.object({ code: z.string().describe("for `/?code=…`") }),
  answer: (_, parts) => answerJson({ code: parts.newCode() }),
};
