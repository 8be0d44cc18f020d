/** Which session came from which? */
import type * as zod from "zod";
import { type RelativeJson, toRelativeJson } from "../../present/json/answers.ts";
import { defineOperation, type Zod } from "../operation.ts";
import { sessionName } from "../schemas/inputs.ts";

const relative = (z: Zod): zod.ZodType<RelativeJson> => {
  const one: zod.ZodType<RelativeJson> = z.lazy(() =>
    z.object({
      source: z.string(),
      id: z.string(),
      title: z.string(),
      kind: z
        .enum(["fork", "clone", "branch", "agent", "handoff", "import"])
        .nullable()
        .describe("null for the first"),
      isHere: z.boolean(),
      turns: z.int().nullable(),
      createdAt: z.string().nullable(),
      updatedAt: z.string().nullable(),
      vanishedAt: z.string().nullable(),
      children: z.array(one).describe("those that came from it, in the order they were made"),
    }),
  );
  return one;
};

export const tree = defineOperation({
  name: "tree",
  kind: "question",
  summary: "Show which session came from which (forks, clones, handoffs) as trees",
  input: (z) =>
    z.strictObject({ session: sessionName(z).exactOptional().describe("only the family of this one") }),
  output: (z) => z.object({ families: z.array(relative(z)).describe("the first of each family") }),
  run: (app, { session }, call = {}) => app.tree(session === undefined ? {} : { name: session }, call),
  toJson: ({ families }) => ({ families: families.map(toRelativeJson) }),
});
