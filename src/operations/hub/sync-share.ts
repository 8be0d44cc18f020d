/** Showing one's sessions on the hub to a team, and taking that back. */
import { toSharesJson } from "../../present/json/sync.ts";
import { defineOperation } from "../operation.ts";

export const syncShare = defineOperation({
  name: "sync-share",
  kind: "change",
  summary: "Share repositories or sessions on the hub with a team, take that back, or list what you share",
  input: (z) =>
    z.strictObject({
      repositories: z
        .array(z.string().min(1))
        .exactOptional()
        .describe("owner/name, or an address: all of your sessions in it, those to come included"),
      sessions: z
        .array(z.string().min(1))
        .exactOptional()
        .describe("as here, or by the hub's names for them; without any of both, what you share is listed"),
      team: z.string().min(1).exactOptional().describe("by default the one that you are in"),
      isOver: z.boolean().exactOptional().describe("true shares it no longer"),
      dryRun: z.boolean().exactOptional().describe("true only says what would change"),
    }),
  output: (z) =>
    z.object({
      hub: z.string().describe("its address"),
      shares: z.array(
        z.object({
          id: z.string().nullable().describe("null where it is only planned"),
          team: z.string(),
          repository: z.string().nullable(),
          session: z.string().nullable().describe("the hub's name for it"),
          title: z.string().describe("of a session; empty where it is sealed and not here"),
          isSealed: z.boolean().describe("others see that it is there, and cannot read it"),
          sharedAt: z.string().nullable(),
          sessionCount: z.int().describe("how many sessions on the hub it is about"),
          outcome: z
            .enum(["shared", "unshared", "planned", "unchanged"])
            .describe("`unchanged`: it is shared so already; `planned`: with `dryRun`"),
          changed: z.int().describe("how many sessions others see now, or no longer do"),
          stillBy: z.string().nullable().describe("the repository by whose share the team still sees it"),
        }),
      ),
    }),
  run: async (app, input, call) => (await app.sync()).share(input, call),
  toJson: toSharesJson,
});
