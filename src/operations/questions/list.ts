/** Which sessions are there? */
import { SESSION_ORDERS } from "../../model/session/session-order.ts";
import { toListJson } from "../../present/json/answers.ts";
import { defineOperation } from "../operation.ts";
import { cursor, exact, limit, next, placeFields } from "../schemas/inputs.ts";
import { facets, sessionFields } from "../schemas/session.ts";

export const list = defineOperation({
  name: "list",
  kind: "question",
  summary: "List sessions, most recently active first",
  input: (z) =>
    z.strictObject({
      ...placeFields(z),
      model: z.string().exactOptional().describe("only sessions that used a model whose name contains this"),
      exact: exact(z).exactOptional(),
      text: z
        .string()
        .exactOptional()
        .describe(
          "words that all occur in the title, the repository, the branch, the workspace or the start of the first prompt, in any case",
        ),
      problems: z.boolean().exactOptional().describe("true lists only sessions with problems"),
      copies: z.boolean().exactOptional().describe("true lists only forks and clones"),
      facets: z.boolean().exactOptional().describe("count those that match, by what they can be filtered by"),
      limit: limit(z).exactOptional(),
      sort: z.enum(SESSION_ORDERS).exactOptional().describe("what to sort by (default: active)"),
      cursor: cursor(z).exactOptional(),
      owners: z
        .boolean()
        .exactOptional()
        .describe("false leaves out `openIn`, for which each session is looked at (default: true)"),
    }),
  output: (z) =>
    z.object({
      sessions: z.array(z.object(sessionFields(z))).describe("what a session lacks is `null`"),
      total: z.int().describe("how many match the filters, regardless of the limit"),
      next: next(z),
      facets: facets(z)
        .exactOptional()
        .describe("only when asked for; each but `tag` is counted as if it were not filtered by itself"),
    }),
  run: (app, input, call = {}) => app.list(input, call),
  toJson: toListJson,
});
