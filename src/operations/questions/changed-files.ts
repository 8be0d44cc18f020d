/** Which files did a session change, and by how many lines? */
import { defineOperation } from "../operation.ts";
import { named } from "../schemas/inputs.ts";

export const changedFiles = defineOperation({
  name: "changed-files",
  kind: "question",
  summary: "List the files that a session created, edited or deleted, from the store",
  input: named,
  output: (z) =>
    z.object({
      files: z
        .array(
          z.object({
            path: z.string().describe("absolute, where the session names its folder"),
            action: z.enum(["created", "edited", "deleted"]).describe("what was first done to it"),
            turn: z.int().nullable().describe("in which turn, counted from 0"),
            added: z
              .int()
              .nullable()
              .describe("lines over all edits; null where its program did not record how many"),
            removed: z.int().nullable(),
          }),
        )
        .describe("in the order of the turns"),
    }),
  run: (app, input, call = {}) => app.changedFiles(input.session, call),
  toJson: (files) => ({
    files: files.map(({ path, action, turn, lines }) => ({
      path,
      action,
      turn: turn ?? null,
      added: lines?.added ?? null,
      removed: lines?.removed ?? null,
    })),
  }),
});
