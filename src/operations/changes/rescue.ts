/** Damaged sessions, repaired where they are. */
import type { App, KeptPlan } from "../../app/contract.ts";
import { toRescuedJson } from "../../present/json/plan.ts";
import { defineOperation, type Zod } from "../operation.ts";
import { sessionName } from "../schemas/inputs.ts";
import { lockFields, plan, repairFields } from "../schemas/plan.ts";
import { planWith, toKeptPlanJson } from "./planning.ts";

const rescued = (z: Zod) => plan(z).extend(repairFields(z));

const toRescueJson = (made: KeptPlan, home: Pick<App, "demo">) => ({
  ...toKeptPlanJson(made, home),
  ...toRescuedJson(made, home),
});

export const rescue = defineOperation({
  name: "rescue",
  kind: "change",
  summary: "Repair a damaged session where it is, so that its own program resumes it",
  input: (z) => z.strictObject({ session: sessionName(z), ...lockFields(z) }),
  output: rescued,
  run: (app, { session, ignoreLock = false }, call) =>
    planWith(app, { ignoreLock }, call, (edit) => edit.planRescue(session, call)),
  toJson: toRescueJson,
});

export const rescueAll = defineOperation({
  name: "rescue-all",
  kind: "change",
  summary: "Repair all that is wrong with the sessions of a source, as one write",
  input: (z) =>
    z.strictObject({
      source: z.string().min(1).describe("such as vscode"),
      adopt: z
        .boolean()
        .exactOptional()
        .describe(
          "false leaves sessions alone whose folder was created again, or was renamed and is the only one with its git remote; else they follow it",
        ),
      ...lockFields(z),
    }),
  output: rescued,
  run: (app, { source, adopt = true, ignoreLock = false }, call) =>
    planWith(app, { ignoreLock }, call, (edit) => edit.planRescueAll(source, { adopt }, call)),
  toJson: toRescueJson,
});
