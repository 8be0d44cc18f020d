/** Renames a session. */
import { defineOperation } from "../operation.ts";
import { sessionName } from "../schemas/inputs.ts";
import { lockFields, plan } from "../schemas/plan.ts";
import { planWith, toKeptPlanJson } from "./planning.ts";

export const rename = defineOperation({
  name: "rename",
  kind: "change",
  summary: "Give a session another name, which its own program shows as well",
  input: (z) =>
    z.strictObject({
      session: sessionName(z),
      name: z.string().min(1).describe("the new name"),
      ...lockFields(z),
    }),
  output: plan,
  run: (app, { session, name, ignoreLock = false }, call) =>
    planWith(app, { ignoreLock }, call, (edit) => edit.planRename(session, name, call)),
  toJson: toKeptPlanJson,
});
