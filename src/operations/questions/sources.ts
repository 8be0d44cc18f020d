/** What can be done with the sessions of which source? */
import type { SourceAbilities } from "../../app/contract.ts";
import { CHANGES } from "../../model/change.ts";
import { defineOperation } from "../operation.ts";

export const sources = defineOperation({
  name: "sources",
  kind: "question",
  summary: "List the sources, and which changes cannot be made to their sessions",
  input: (z) => z.strictObject({}),
  output: (z) =>
    z.object({
      sources: z.array(
        z.object({
          source: z.string(),
          label: z.string(),
          cannot: z
            .array(z.object({ change: z.enum(CHANGES), why: z.string() }))
            .describe("changes that are refused, whatever the session; the others can be planned"),
          canTake: z.boolean().describe("whether `handoff` can make sessions of it"),
          canChat: z.boolean().describe("whether `chat` can continue its sessions"),
        }),
      ),
    }),
  run: (app, _, call) => app.abilities(call),
  toJson: (found: readonly SourceAbilities[]) => ({ sources: found }),
});
