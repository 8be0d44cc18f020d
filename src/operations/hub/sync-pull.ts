/** Sessions that the hub has: bringing those of one's other machines here, and deleting one's own there. */
import { toHubDeletionsJson, toPullJson } from "../../present/json/sync.ts";
import { defineOperation } from "../operation.ts";
import { sessionKey } from "../schemas/session.ts";
import { problem } from "../schemas/sync.ts";

export const syncPull = defineOperation({
  name: "sync-pull",
  kind: "change",
  summary: "Bring sessions of your other machines here, ready to be continued; can be undone",
  input: (z) =>
    z.strictObject({
      sessions: z
        .array(z.string().min(1))
        .exactOptional()
        .describe("their ids or the hub's names for them; without any, all of other machines"),
      to: z
        .string()
        .min(1)
        .exactOptional()
        .describe("the folder that they are about here; by default a clone of the same repository"),
      dryRun: z.boolean().exactOptional().describe("true writes nothing"),
    }),
  output: (z) =>
    z.object({
      hub: z.string(),
      outcome: z.enum(["clean", "partial"]).describe("`partial` when one could not be brought here"),
      sessions: z.array(
        z.object({
          hubSession: z.string().describe("the hub's name for it"),
          title: z.string(),
          machine: z.string().describe("the name of the machine that it is from"),
          outcome: z
            .enum(["pulled", "unchanged", "left-out", "planned"])
            .describe("`unchanged`: it is here as it is; `planned`: with `dryRun`"),
          session: sessionKey(z).nullable().describe("what it is here"),
          isCopy: z.boolean().describe("both machines changed it, so it is here under a new id"),
          isUpdate: z
            .boolean()
            .describe("it was here as it was pulled before, and what is new on the other machine was added"),
          folder: z.string().nullable(),
          operation: z.string().nullable().describe("for `undo`"),
          resume: z.string().nullable().describe("the command to continue it"),
          problem: problem(z).nullable().describe("why it was left out"),
        }),
      ),
    }),
  run: async (app, input, call) => (await app.sync()).pull(input, call),
  toJson: toPullJson,
});

export const syncDelete = defineOperation({
  name: "sync-delete",
  kind: "change",
  summary: "Delete sessions from the hub for good; they stay here, and are not sent again",
  input: (z) =>
    z.strictObject({
      sessions: z.array(z.string().min(1)).min(1).describe("as here, or by the hub's names for them"),
      dryRun: z.boolean().exactOptional().describe("true only says which ones"),
    }),
  output: (z) =>
    z.object({
      deleted: z
        .array(
          z.object({
            hub: z.string(),
            hubSession: z.string().describe("the hub's name for it"),
            title: z.string(),
            rawFiles: z.int(),
            rawEvents: z.int().describe("pieces of these files, as they were pushed"),
            rows: z.int().describe("derived ones"),
          }),
        )
        .describe("and how much of each there was"),
    }),
  run: async (app, input, call) => (await app.sync()).delete(input, call),
  toJson: toHubDeletionsJson,
});
