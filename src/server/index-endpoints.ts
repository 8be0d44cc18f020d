/** Brings the store up to date when asked; how far it is, the events tell. */
import type { AnyOperation, Zod } from "../operations/operation.ts";
import { outsideInput, readInput } from "../operations/outside-input.ts";
import { answerJson, type Endpoint } from "./endpoint.ts";

export function indexEndpoint(z: Zod, operations: ReadonlyMap<string, AnyOperation>): Endpoint {
  const index = operations.get("index");
  if (index?.kind !== "change") throw new Error("index is no change");
  const schema = outsideInput(z, index);
  return {
    method: "POST",
    path: "/api/index",
    summary: `${index.summary}; answers at once, and \`index-progress\` events tell how far it is`,
    effect: "writes",
    operation: "index",
    parameters: [],
    body: () => schema,
    status: 202,
    output: (zz) => zz.object({ started: zz.boolean().describe("false where a run was under way already") }),
    async answer(request, parts) {
      const input = readInput(schema, index, (await request.json()) ?? {});
      return answerJson({ started: parts.startIndex(input as never) }, { status: 202 });
    },
  };
}
