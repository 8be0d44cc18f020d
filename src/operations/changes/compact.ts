/** Writes summaries: in place of older turns, or beside the log. */
import { defineOperation } from "../operation.ts";
import { sessionName } from "../schemas/inputs.ts";
import { checkpointFields, ledgerFields, lockFields, plan, writerFields } from "../schemas/plan.ts";
import { planWith, toKeptPlanJson } from "./planning.ts";

export const compact = defineOperation({
  name: "compact",
  kind: "change",
  summary: "Replace the older turns of a session by a summary; the last turns are kept word for word",
  input: (z) =>
    z.strictObject({
      session: sessionName(z),
      keep: z.int().min(1).exactOptional().describe("how many turns to keep at the end (default: 3)"),
      append: z
        .boolean()
        .exactOptional()
        .describe(
          "compact as the program does: append a summary of everything and remove nothing from the log",
        ),
      ...writerFields(z),
      ...lockFields(z),
    }),
  output: (z) => plan(z).extend({ ...checkpointFields(z), ...ledgerFields(z) }),
  run: (app, { session, ignoreLock = false, ...request }, call) =>
    planWith(app, { ignoreLock }, call, (edit) => edit.planCompact(session, request, call)),
  toJson: (made, home) => ({ ...toKeptPlanJson(made, home), ledger: made.ledger ?? null }),
});

export const checkpointCreate = defineOperation({
  name: "checkpoint-create",
  kind: "change",
  summary: "Write a summary of everything so far beside a session",
  input: (z) =>
    z.strictObject({
      session: sessionName(z),
      title: z.string().exactOptional().describe("of the checkpoint (default: from its first request)"),
      ...writerFields(z),
      ...lockFields(z),
    }),
  output: (z) => plan(z).extend(checkpointFields(z)),
  run: (app, { session, ignoreLock = false, ...request }, call) =>
    planWith(app, { ignoreLock }, call, (edit) => edit.planCheckpoint(session, request, call)),
  toJson: toKeptPlanJson,
});
