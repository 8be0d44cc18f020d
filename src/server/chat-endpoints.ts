/** Conversations with Copilot CLI: a message goes in, and its answer is told as it comes. */
import { AppError } from "../model/errors.ts";
import type { AnyOperation, Zod } from "../operations/operation.ts";
import { outsideInput, readInput } from "../operations/outside-input.ts";
import { answerJson, type Endpoint, type Parameter } from "./endpoint.ts";
import { eventAnswer } from "./sse.ts";

const ID: Parameter = {
  name: "id",
  in: "path",
  isRequired: true,
  schema: (z) => z.string().min(1).describe("of the conversation"),
};

export function chatEndpoints(z: Zod, operations: ReadonlyMap<string, AnyOperation>): Endpoint[] {
  const send = operations.get("chat-send");
  if (send?.kind !== "stream") throw new Error("chat-send is no stream");
  const schema = outsideInput(z, send);
  return [
    {
      method: "POST",
      path: "/api/chats/send",
      summary: `${send.summary}; the answer goes on when nobody listens any more`,
      effect: "writes",
      operation: "chat-send",
      parameters: [],
      body: () => schema,
      output: send.output,
      media: "text/event-stream",
      async answer(request, { chats }) {
        const input = readInput(schema, send, await request.json());
        return eventAnswer(await chats.send(input, request.signal));
      },
    },
    {
      method: "GET",
      path: "/api/chats/{id}/answer",
      summary: "Follow the answer that is under way in a conversation, from its beginning",
      effect: "reads",
      parameters: [ID],
      output: send.output,
      media: "text/event-stream",
      answer({ params, signal, method }, { chats }) {
        if (method === "HEAD")
          return new Response(null, { headers: { "content-type": "text/event-stream" } });
        const stream = chats.follow(params.id ?? "", signal);
        if (stream) return eventAnswer(stream);
        throw new AppError(
          "session-not-found",
          "No answer is under way in that conversation",
          "Read the conversation: what was said is kept there",
        );
      },
    },
    {
      method: "POST",
      path: "/api/chats/{id}/cancel",
      summary: "Stop the answer that is under way in a conversation; what was said so far is kept",
      effect: "writes",
      parameters: [ID],
      output: (zz) => zz.object({ cancelled: zz.boolean().describe("false where none was under way") }),
      answer: ({ params }, { chats }) => answerJson({ cancelled: chats.cancel(params.id ?? "") }),
    },
  ];
}
