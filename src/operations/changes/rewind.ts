/** Cuts a session back to a turn. */
import { toRewindJson } from "../../present/json/plan.ts";
import { defineOperation } from "../operation.ts";
import { count, sessionName } from "../schemas/inputs.ts";
import { filesFields, lockFields, plan, removedFields } from "../schemas/plan.ts";
import { planWith, toKeptPlanJson } from "./planning.ts";

export const rewind = defineOperation({
  name: "rewind",
  kind: "change",
  summary: "Cut a session back to a turn; later turns are kept in a backup, so it can be undone",
  input: (z) =>
    z.strictObject({
      session: sessionName(z),
      to: z
        .union([count(z), z.string().min(1)])
        .describe(
          "the last turn to keep, counted from 0, or the id of the first event to remove (in VS Code: of the first request)",
        ),
      files: z
        .boolean()
        .exactOptional()
        .describe("restore the workspace's files to their state before the removed turns"),
      outside: z
        .boolean()
        .exactOptional()
        .describe("with `files`: also restore files outside the session's folder"),
      strict: z
        .boolean()
        .exactOptional()
        .describe("with `files`: refuse when a file was changed since, instead of leaving it as it is"),
      inPlace: z
        .boolean()
        .exactOptional()
        .describe("for VS Code: cut the session itself instead of making a new one"),
      ...lockFields(z),
    }),
  output: (z) => plan(z).extend({ ...filesFields(z), ...removedFields(z) }),
  run: (app, { session, ignoreLock = false, ...request }, call) =>
    planWith(app, { ignoreLock }, call, (edit) => edit.planRewind(session, request, call)),
  toJson: (made, home) => ({ ...toKeptPlanJson(made, home), ...toRewindJson(made) }),
});
