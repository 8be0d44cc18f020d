/** Which conversations with Copilot CLI are there? */
import { defineOperation } from "./operation.ts";

export const chats = defineOperation({
  name: "chats",
  kind: "question",
  summary: "List the conversations with Copilot CLI that rethread keeps",
  input: (z) => z.strictObject({}),
  output: (z) =>
    z.object({
      chats: z
        .array(
          z.object({
            version: z.literal(1),
            id: z.string(),
            cliSession: z.string().exactOptional(),
            isImprecise: z.boolean().exactOptional(),
            earlier: z.array(z.string()).exactOptional(),
            logEnd: z.int().exactOptional(),
            title: z.string(),
            workspace: z.string(),
            model: z.string().exactOptional(),
            createdAt: z.string(),
            updatedAt: z.string(),
            answering: z
              .object({ pid: z.int(), started: z.string().exactOptional() })
              .exactOptional()
              .describe("the process of the program that is answering"),
          }),
        )
        .describe("latest first"),
      unreadable: z
        .array(z.object({ path: z.string(), why: z.string() }))
        .describe("damaged blocks, and where they are now"),
    }),
  run: async (app) => (await app.chat()).chats.list(),
  toJson: (answer) => ({ ...answer }),
});
