/** Undoes one of our writes, or makes a new session of its backup. */
import { toAlsoJson } from "../present/json/plan.ts";
import { defineOperation, type Zod } from "./operation.ts";
import { planWith, toKeptPlanJson } from "./planning.ts";
import { alsoFields, lockFields, plan } from "./schemas/plan.ts";

const write = (z: Zod) =>
  z
    .string()
    .min(1)
    .describe("the write, as `history` names it; without it, the last one that was not undone");

export const undo = defineOperation({
  name: "undo",
  kind: "change",
  summary: "Undo a write: every file is restored to what it was before, byte for byte",
  input: (z) => z.strictObject({ operation: write(z).exactOptional(), ...lockFields(z) }),
  output: plan,
  run: (app, { operation, ignoreLock = false }, call) =>
    planWith(app, { ignoreLock }, call, (edit) => edit.planUndo(operation, call)),
  toJson: toKeptPlanJson,
});

export const backupCopy = defineOperation({
  name: "backup-copy",
  kind: "change",
  summary: "Make a new session from the backup of a write",
  input: (z) =>
    z.strictObject({
      operation: write(z).exactOptional(),
      to: z.string().exactOptional().describe("the folder of the new session"),
      ...lockFields(z),
    }),
  output: (z) => plan(z).extend(alsoFields(z)),
  run: (app, { operation, ignoreLock = false, ...request }, call) =>
    planWith(app, { ignoreLock }, call, (edit) => edit.planBackupCopy(operation, request, call)),
  toJson: (made, home) => ({ ...toKeptPlanJson(made, home), ...toAlsoJson(made) }),
});
