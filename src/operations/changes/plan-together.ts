/** Joins plans into one write. */
import { defineOperation } from "../operation.ts";
import { fingerprint, plan } from "../schemas/plan.ts";
import { toKeptPlanJson } from "./planning.ts";

export const planTogether = defineOperation({
  name: "plan-together",
  kind: "change",
  summary: "Join plans for different sessions into one, which is applied and undone as a whole",
  input: (z) => z.strictObject({ fingerprints: z.array(fingerprint(z)).min(2) }),
  output: plan,
  run: async (app, { fingerprints }, call) => (await app.edit()).planTogether(fingerprints, call),
  toJson: toKeptPlanJson,
});
