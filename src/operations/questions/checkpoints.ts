/** Which summaries did compactions of a session leave? */
import { toCheckpointsJson, toOneCheckpointJson } from "../../present/json/answers.ts";
import { defineOperation, type Zod } from "../operation.ts";
import { count, named, sessionName } from "../schemas/inputs.ts";
import { session } from "../schemas/session.ts";

const checkpointFields = (z: Zod) => ({
  number: z.int(),
  title: z.string(),
  at: z.string().nullable(),
  turns: z.int().nullable().describe("in the log before it, or null"),
  isSent: z.boolean().describe("it begins what the model receives"),
  path: z.string().nullable(),
  characters: z.int(),
});

export const checkpoints = defineOperation({
  name: "checkpoints",
  kind: "question",
  summary: "List the summaries of a session (its checkpoints)",
  input: named,
  output: (z) => z.object({ session: session(z), checkpoints: z.array(z.object(checkpointFields(z))) }),
  run: (app, input, call = {}) => app.checkpoints(input.session, call),
  toJson: toCheckpointsJson,
});

export const checkpoint = defineOperation({
  name: "checkpoint",
  kind: "question",
  summary: "Read one summary of a session, or the latest",
  input: (z) =>
    z.strictObject({
      session: sessionName(z),
      number: count(z).exactOptional().describe("the number of the checkpoint (default: the latest)"),
    }),
  output: (z) =>
    z.object({
      session: session(z),
      checkpoint: z.object({ ...checkpointFields(z), summary: z.string() }),
    }),
  run: (app, input, call = {}) => app.checkpoint(input.session, input.number, call),
  toJson: toOneCheckpointJson,
});
