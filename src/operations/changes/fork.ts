/** Copies a session up to a turn. */
import { defineOperation } from "../operation.ts";
import { count, sessionName } from "../schemas/inputs.ts";
import { lockFields, placedFields, plan } from "../schemas/plan.ts";
import { planWith, toKeptPlanJson } from "./planning.ts";

export const fork = defineOperation({
  name: "fork",
  kind: "change",
  summary: "Copy a session up to a turn into a new one; the original keeps all its turns",
  input: (z) =>
    z.strictObject({
      session: sessionName(z),
      at: z
        .union([count(z), z.string().min(1)])
        .exactOptional()
        .describe(
          "the last turn to keep, counted from 0, or the id of the event to stop before (default: all)",
        ),
      name: z.string().exactOptional().describe(`the fork's name (default: the original's, with "(fork)")`),
      ...lockFields(z),
    }),
  output: (z) => plan(z).extend(placedFields(z)),
  run: (app, { session, ignoreLock = false, ...request }, call) =>
    planWith(app, { ignoreLock }, call, (edit) => edit.planFork(session, request, call)),
  toJson: (made, home) => ({ ...toKeptPlanJson(made, home), workspace: made.workspace ?? null }),
});
