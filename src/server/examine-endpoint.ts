/** What the doctor finds, as it finds it; who leaves stops it. */
import type { AnyOperation, Zod } from "../operations/operation.ts";
import { outsideInput, readInput } from "../operations/outside-input.ts";
import type { Endpoint } from "./endpoint.ts";
import { toErrorJson } from "./failure-answer.ts";
import { eventAnswer, eventStream, formatEvent } from "./sse.ts";

/** A client that has so many events waiting is left. */
const WAITING = 10_000;

export function examineEndpoint(z: Zod, operations: ReadonlyMap<string, AnyOperation>): Endpoint {
  const examine = operations.get("examine");
  if (examine?.kind !== "stream") throw new Error("examine is no stream");
  const schema = outsideInput(z, examine);
  return {
    method: "GET",
    path: "/api/problems/found",
    summary: `${examine.summary}; it ends when nobody listens any more`,
    effect: "reads",
    operation: "examine",
    parameters: [
      {
        name: "source",
        in: "query",
        isRequired: false,
        schema: (zz) => zz.array(zz.string()).describe("only these sources"),
      },
    ],
    output: examine.output,
    media: "text/event-stream",
    answer({ query, signal, method }, { app }) {
      const sources = query
        .getAll("source")
        .flatMap((each) => each.split(","))
        .filter((each) => each !== "");
      const known = query.keys().find((name) => name !== "source");
      const input = readInput(schema, examine, {
        ...(sources.length > 0 && { sources }),
        ...(known !== undefined && { [known]: query.get(known) }),
      });
      if (method === "HEAD") return new Response(null, { headers: { "content-type": "text/event-stream" } });
      return eventAnswer(
        eventStream(
          (listener) => {
            const control = new AbortController();
            const take = (item: unknown): void => {
              const json = examine.toJson(item, app) as { readonly kind: string };
              listener.send(formatEvent({ type: json.kind, data: json }));
            };
            examine
              .run(app, input as never, take, { signal: control.signal, onNotice: () => undefined })
              .catch((error: unknown) => {
                if (!control.signal.aborted)
                  listener.send(
                    formatEvent({ type: "error", data: toErrorJson(error, app.demo !== undefined) }),
                  );
              })
              .finally(() => listener.end());
            return () => control.abort();
          },
          signal,
          WAITING,
        ),
      );
    },
  };
}
