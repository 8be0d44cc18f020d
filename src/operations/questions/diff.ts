/** What do two sessions share, and where do they part? */
import { toDiffJson } from "../../present/json/answers.ts";
import { defineOperation, type Zod } from "../operation.ts";
import { sessionName } from "../schemas/inputs.ts";
import { sessionFields } from "../schemas/session.ts";

const side = (z: Zod) =>
  z
    .object({
      ...sessionFields(z),
      tokens: z.int().nullable().describe("`null` where the source cannot tell"),
    })
    .meta({ like: "list", adds: ["tokens"] });

const sides = (z: Zod) =>
  z.object({ onlyA: z.array(z.string()), onlyB: z.array(z.string()), both: z.array(z.string()) });

export const diff = defineOperation({
  name: "diff",
  kind: "question",
  summary: "Compare two sessions: the turns they share, and what differs after that",
  input: (z) => z.strictObject({ a: sessionName(z), b: sessionName(z) }),
  output: (z) =>
    z.object({
      a: side(z),
      b: side(z),
      same: z.boolean().describe("nothing that was said or done differs"),
      shared: z.int().describe("how many turns at the start are the same"),
      preambleDiffers: z.boolean().describe("true when the parts before the first prompt differ"),
      turns: z
        .array(
          z.object({
            change: z.enum(["same", "changed", "only-a", "only-b"]),
            a: z.int().nullable().describe("the turn's index, or `null`"),
            b: z.int().nullable().describe("likewise"),
            count: z.int().describe("of turns that are the same"),
            user: z.string().nullable().describe("its beginning"),
            differs: z
              .array(z.enum(["prompt", "answer", "thinking", "calls", "results"]))
              .describe("of a changed one"),
          }),
        )
        .describe("in order"),
      files: sides(z).describe("of the turns that differ"),
      commands: sides(z).describe("of the turns that differ"),
    }),
  run: (app, { a, b }, call = {}) => app.diff(a, b, call),
  toJson: toDiffJson,
});
