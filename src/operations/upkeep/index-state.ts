/** How far is the store? */
import { withCount } from "../../present/json/shapes.ts";
import { defineOperation } from "../operation.ts";
import { countFields } from "../schemas/session.ts";

export const indexState = defineOperation({
  name: "index-state",
  kind: "question",
  summary: "Say how far the store is, and which homes it is filled from",
  input: (z) => z.strictObject({}),
  output: (z) =>
    z.object({
      isIndexing: z.boolean().describe("somebody is writing to the store at this moment"),
      ...countFields(z, "in the store, including those whose files are gone"),
      turns: z.int(),
      problemCount: z.int().describe("how many were found while indexing"),
      problems: z.int().describe("as `problemCount`"),
      storePath: z.string(),
      storeBytes: z.int(),
      indexedAt: z.string().nullable().describe("when the store was last written"),
      homes: z
        .array(
          z.object({
            source: z.string(),
            label: z.string(),
            path: z.string(),
            exists: z.boolean(),
            variable: z.string().exactOptional().describe("the variable that names another folder"),
            ...countFields(z),
          }),
        )
        .describe("every folder in which a program may keep sessions"),
      demo: z.enum(["asked", "nothing-else"]).nullable().describe("why the demo is shown, if it is"),
      trouble: z.string().nullable().describe("why the store cannot be used; then nothing is counted"),
    }),
  run: (app, _, call = {}) => app.indexState(call),
  toJson: ({ indexedAt, trouble, homes, ...state }, { demo }) => ({
    ...withCount(state),
    problemCount: state.problems,
    homes: homes.map(withCount),
    indexedAt: indexedAt ?? null,
    trouble: trouble ?? null,
    demo: demo ?? null,
  }),
});
