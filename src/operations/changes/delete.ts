/** Deletes a session, and keeps a backup. */
import { toDeletedJson } from "../../present/json/plan.ts";
import { defineOperation } from "../operation.ts";
import { sessionName } from "../schemas/inputs.ts";
import { lockFields, plan } from "../schemas/plan.ts";
import { planWith, toKeptPlanJson } from "./planning.ts";

export const deleteSession = defineOperation({
  name: "delete",
  kind: "change",
  summary: "Delete a session with all its files; a backup is kept, so it can be undone",
  input: (z) =>
    z.strictObject({
      session: sessionName(z).exactOptional(),
      sessions: z
        .array(sessionName(z))
        .exactOptional()
        .describe("instead of one session, several as one write"),
      ...lockFields(z),
    }),
  output: (z) =>
    plan(z).extend({
      sessions: z
        .array(z.object({ source: z.string(), id: z.string(), title: z.string() }))
        .describe("every session that is deleted"),
    }),
  run: (app, { session, sessions = [], ignoreLock = false }, call) =>
    planWith(app, { ignoreLock }, call, (edit) =>
      edit.planDelete([...(session === undefined ? [] : [session]), ...sessions], call),
    ),
  toJson: (made, home) => ({ ...toKeptPlanJson(made, home), ...toDeletedJson(made) }),
});
