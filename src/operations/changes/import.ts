/** Imports sessions from another machine or program. */
import { toAlsoJson } from "../../present/json/plan.ts";
import { defineOperation } from "../operation.ts";
import { alsoFields, lockFields, plan } from "../schemas/plan.ts";
import { planWith, toKeptPlanJson } from "./planning.ts";

export const importSessions = defineOperation({
  name: "import",
  kind: "change",
  summary: "Import sessions from a bundle, a Copilot CLI transcript, or a chat that VS Code exported",
  input: (z) =>
    z.strictObject({
      file: z.string().min(1).describe("the bundle (.tar.gz or .tar), transcript (.jsonl) or chat (.json)"),
      name: z.string().exactOptional().describe("the session's name here (default: the name it had)"),
      to: z
        .string()
        .exactOptional()
        .describe(
          "the session's folder here, instead of the old one; for VS Code also a workspace id or file",
        ),
      newId: z
        .boolean()
        .exactOptional()
        .describe("import as a new session beside the one that already has this id"),
      ...lockFields(z),
    }),
  output: (z) => plan(z).extend(alsoFields(z)),
  run: (app, { file, ignoreLock = false, ...request }, call) =>
    planWith(app, { ignoreLock }, call, (edit) => edit.planImport(file, request, call)),
  toJson: (made, home) => ({ ...toKeptPlanJson(made, home), ...toAlsoJson(made) }),
});
