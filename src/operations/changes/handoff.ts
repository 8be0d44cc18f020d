/** Continues a session of one program in another. */
import { handoffTargets } from "../../app/source-names.ts";
import { toHandoffJson } from "../../present/json/plan.ts";
import { defineOperation } from "../operation.ts";
import { count, sessionName } from "../schemas/inputs.ts";
import { fidelityFields, lockFields, placedFields, plan } from "../schemas/plan.ts";
import { planWith, toKeptPlanJson } from "./planning.ts";

export const handoff = defineOperation({
  name: "handoff",
  kind: "change",
  summary: "Continue a session in another program: as a native session of that one",
  input: (z) =>
    z.strictObject({
      session: sessionName(z),
      to: z.string().min(1).describe(`the source that takes it: ${handoffTargets()}`),
      workspace: z
        .string()
        .exactOptional()
        .describe(
          "the folder to continue in, instead of the session's own; for VS Code also a .code-workspace file, or the id of a workspace",
        ),
      name: z.string().exactOptional().describe("the new session's name (default: the original's)"),
      at: count(z).exactOptional().describe("the last turn to hand over, counted from 0 (default: all)"),
      budget: z
        .int()
        .min(1)
        .exactOptional()
        .describe("leave out enough to fit this many tokens, as clone does"),
      ...lockFields(z),
    }),
  output: (z) => plan(z).extend({ ...fidelityFields(z), ...placedFields(z) }),
  run: (app, { session, ignoreLock = false, ...request }, call) =>
    planWith(app, { ignoreLock }, call, (edit) => edit.planHandoff(session, request, call)),
  toJson: (made, home) => ({ ...toKeptPlanJson(made, home), ...toHandoffJson(made) }),
});
