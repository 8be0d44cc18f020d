/** What did the program write, to the letter? */
import { defineOperation } from "../operation.ts";
import { sessionName } from "../schemas/inputs.ts";

export const record = defineOperation({
  name: "record",
  kind: "question",
  summary: "Read one record of a session's log as it is",
  input: (z) =>
    z.strictObject({
      session: sessionName(z),
      line: z.int().min(1).describe("counted from 1, as `origin` of a part has it"),
      file: z
        .string()
        .min(1)
        .exactOptional()
        .describe("where `origin` names one: the record is not in the session's own file"),
    }),
  output: (z) =>
    z.object({
      line: z.int(),
      start: z.int().describe("its first byte in the file"),
      end: z.int().describe("the byte after its last one, without the line feed"),
      bytes: z.int(),
      text: z.string().describe("at most 1 MiB of it"),
      cut: z.boolean().describe("the text is not all of it"),
    }),
  run: (app, { session, ...request }, call = {}) => app.record(session, request, call),
  toJson: ({ line, start, end, text, isCut }) => ({
    line,
    start,
    end,
    bytes: end - start,
    text,
    cut: isCut,
  }),
});
