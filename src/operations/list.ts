/** Which sessions are there? */
import { toListJson } from "../present/json/answers.ts";
import { defineOperation } from "./operation.ts";
import { limit, placeFields } from "./schemas/inputs.ts";
import { sessionFields } from "./schemas/session.ts";

export const list = defineOperation({
  name: "list",
  kind: "question",
  summary: "List sessions, most recently active first",
  input: (z) => z.strictObject({ ...placeFields(z), limit: limit(z).exactOptional() }),
  output: (z) =>
    z.object({
      sessions: z.array(z.object(sessionFields(z))).describe("what a session lacks is `null`"),
      total: z.int().describe("how many match the filters, regardless of the limit"),
    }),
  run: (app, input, call = {}) => app.list(input, call),
  toJson: toListJson,
});
