/** In which turns did that happen? */
import { unmarked } from "../../present/text/marks.ts";
import { defineOperation } from "../operation.ts";
import { limit } from "../schemas/inputs.ts";

export const where = defineOperation({
  name: "where",
  kind: "question",
  summary: "Find the turns that touched a file, have a reference, or saw an error or a text",
  input: (z) =>
    z.strictObject({
      file: z.string().min(1).exactOptional().describe("a path, or any part of one"),
      error: z
        .string()
        .min(1)
        .exactOptional()
        .describe("an error message as it was printed; of several lines, the longest is looked for"),
      ref: z
        .string()
        .min(1)
        .exactOptional()
        .describe("a pull request, an issue or a commit: pr:42, #42, issue:7, 1a2b3c4, or its address"),
      text: z.string().min(1).exactOptional().describe("a text, word for word"),
      limit: limit(z).exactOptional(),
    }),
  output: (z) =>
    z.object({
      places: z
        .array(
          z.object({
            session: z.object({ source: z.string(), id: z.string(), title: z.string() }),
            turn: z.int().nullable().describe("null before the first prompt, and beside the log"),
            time: z.string().nullable().describe("ISO 8601"),
            found: z.string().describe("the path, the reference, or the text around the match"),
            how: z
              .string()
              .describe(
                "`created`, `edited`, `deleted` or `read`; of a reference, how it is known; of a text, what it is in",
              ),
            prompt: z.string().describe("how the turn began, where that is not what was found"),
            alsoIn: z.array(z.int()).describe("other turns of the session whose tool calls name the file"),
          }),
        )
        .describe("the most certain first, then the newest"),
      total: z.int().describe("how many there are, regardless of the limit; of texts, at least so many"),
      partial: z.boolean().describe("true when the text as such is nowhere, and these have its words"),
    }),
  run: (app, request, call = {}) => app.where(request, call),
  toJson: ({ places, total, partial }) => ({
    places: places.map(({ turn, time, found, ...place }) => ({
      ...place,
      turn: turn ?? null,
      time: time ?? null,
      found: unmarked(found),
      alsoIn: [...place.alsoIn],
    })),
    total,
    partial,
  }),
});
