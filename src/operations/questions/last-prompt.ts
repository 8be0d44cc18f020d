/** What was last asked in a session? */
import { defineOperation } from "../operation.ts";

export const lastPrompt = defineOperation({
  name: "last-prompt",
  kind: "question",
  summary: "Return the latest prompt of a session, from the store as it is",
  input: (z) => z.strictObject({ source: z.string().min(1), id: z.string().min(1) }),
  output: (z) => z.object({ prompt: z.string().nullable().describe("its first 1,000 characters") }),
  run: (app, key, call) => app.lastPrompt(key, call),
  toJson: (prompt) => ({ prompt: prompt ?? null }),
});
