/** Which session continues the work in a folder? */
import { MATCHED_BY } from "../../model/session/matched-by.ts";
import { toSessionJson } from "../../present/json/shapes.ts";
import { defineOperation } from "../operation.ts";
import { limit } from "../schemas/inputs.ts";
import { sessionFields } from "../schemas/session.ts";

export const folderMatches = defineOperation({
  name: "folder-matches",
  kind: "question",
  summary:
    "Rank the sessions that continue the work in a folder: by branch, repository, git root, then folder",
  input: (z) =>
    z.strictObject({
      folder: z.string().min(1).exactOptional().describe("an absolute path (default: the current folder)"),
      sources: z.array(z.string()).exactOptional().describe("only sessions of these sources"),
      limit: limit(z).exactOptional(),
    }),
  output: (z) =>
    z.object({
      folder: z.string(),
      gitRoot: z.string().nullable(),
      repository: z.string().nullable(),
      branch: z.string().nullable(),
      matches: z
        .array(
          z.object({
            by: z.enum(MATCHED_BY).describe("`branch`: the same repository and branch"),
            session: z.object(sessionFields(z)),
          }),
        )
        .describe("the best first; of equally good ones the latest"),
      equal: z.int().describe("how many of the first are equally good"),
    }),
  run: (app, input, call = {}) => app.folderMatches(input, call),
  toJson: ({ here: { folder, gitRoot, repository, branch }, matches, equal }, home) => ({
    folder,
    gitRoot: gitRoot ?? null,
    repository: repository ?? null,
    branch: branch ?? null,
    matches: matches.map(({ by, session }) => ({ by, session: toSessionJson(session, home) })),
    equal,
  }),
});
