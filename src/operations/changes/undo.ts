/** Undoes one of our writes, or makes a new session of its backup. */
import type { App } from "../../app/contract.ts";
import { isJobName } from "../../app/jobs/job-files.ts";
import { isBoardOperation } from "../../model/board/item.ts";
import { AppError } from "../../model/errors.ts";
import { toAlsoJson } from "../../present/json/plan.ts";
import { defineOperation, type Zod } from "../operation.ts";
import { alsoFields, lockFields, plan } from "../schemas/plan.ts";
import { planWith, toKeptPlanJson } from "./planning.ts";

const write = (z: Zod) =>
  z
    .string()
    .min(1)
    .describe("the write or job, as `history` names it; without it, the last one that was not undone");

/** A job stands for what it wrote. */
async function toWrite(app: App, name: string): Promise<string> {
  if (isBoardOperation(name))
    throw new AppError("not-undoable", `${name} is a change of the context board, not of a session`, {
      say: "Undo it with",
      remedy: { action: "board", args: { action: "undo", name } },
    });
  if (!isJobName(name)) return name;
  const { id, state, operations } = await (await app.jobs()).find(name);
  const [operation, ...others] = operations;
  if (operation !== undefined && others.length === 0) return operation;
  throw new AppError(
    "not-undoable",
    operation === undefined
      ? `Job ${id} has written nothing (${state})`
      : `Job ${id} made ${operations.length} writes: ${operations.join(", ")}`,
    operation === undefined
      ? { say: "See all jobs and writes", remedy: { action: "history" } }
      : {
          say: "Undo them one by one",
          remedy: { action: "undo", args: { operation: others.at(-1) ?? operation } },
        },
  );
}

export const undo = defineOperation({
  name: "undo",
  kind: "change",
  summary: "Undo a write: every file is restored to what it was before, byte for byte",
  input: (z) => z.strictObject({ operation: write(z).exactOptional(), ...lockFields(z) }),
  output: plan,
  run: async (app, { operation, ignoreLock = false }, call) => {
    const name = operation === undefined ? undefined : await toWrite(app, operation);
    return planWith(app, { ignoreLock }, call, (edit) => edit.planUndo(name, call));
  },
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
  run: async (app, { operation, ignoreLock = false, ...request }, call) => {
    const name = operation === undefined ? undefined : await toWrite(app, operation);
    return planWith(app, { ignoreLock }, call, (edit) => edit.planBackupCopy(name, request, call));
  },
  toJson: (made, home) => ({ ...toKeptPlanJson(made, home), ...toAlsoJson(made) }),
});
