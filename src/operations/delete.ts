/** Deletes a session, and keeps a backup. */
import { defineOperation } from "./operation.ts";
import { planWith, toKeptPlanJson } from "./planning.ts";
import { sessionName } from "./schemas/inputs.ts";
import { lockFields, plan } from "./schemas/plan.ts";

export const deleteSession = defineOperation({
  name: "delete",
  kind: "change",
  summary: "Delete a session with all its files; a backup is kept, so it can be undone",
  input: (z) => z.strictObject({ session: sessionName(z), ...lockFields(z) }),
  output: plan,
  run: (app, { session, ignoreLock = false }, call) =>
    planWith(app, { ignoreLock }, call, (edit) => edit.planDelete(session, call)),
  toJson: toKeptPlanJson,
});
