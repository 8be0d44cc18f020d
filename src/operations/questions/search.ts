/** Which turn was that in? */
import { ROLES } from "../../model/session/role.ts";
import { SEARCH_ORDERS } from "../../model/session/search-order.ts";
import { toSearchJson } from "../../present/json/answers.ts";
import { defineOperation } from "../operation.ts";
import { cursor, exact, limit, next, placeFields, sessionName } from "../schemas/inputs.ts";
import { facets } from "../schemas/session.ts";

/** As many hits as a person looks through. */
export const ENOUGH_HITS = 20;

export const search = defineOperation({
  name: "search",
  kind: "question",
  summary: "Find turns by what was said, run, edited or answered",
  input: (z) =>
    z.strictObject({
      text: z
        .string()
        .describe('words that must all match; also "exact phrases", begin*, either OR or, -without'),
      ...placeFields(z),
      file: z.string().exactOptional().describe("only sessions that touched a file whose path contains this"),
      ref: z
        .strictObject({ type: z.enum(["commit", "pr", "issue"]), value: z.string().min(1) })
        .exactOptional()
        .describe("only sessions with this commit, pull request or issue"),
      tool: z.string().exactOptional().describe("only sessions that used this tool"),
      model: z.string().exactOptional().describe("only sessions that used this model"),
      role: z
        .enum(ROLES)
        .exactOptional()
        .describe(
          "only what you wrote (user), what the agent wrote (assistant), or what tools ran and returned (tool)",
        ),
      exact: exact(z).exactOptional(),
      session: sessionName(z).exactOptional().describe("only hits inside this session"),
      facets: z
        .boolean()
        .exactOptional()
        .describe("count the sessions with hits, by what they can be filtered by"),
      limit: limit(z).exactOptional(),
      sort: z
        .enum(SEARCH_ORDERS)
        .exactOptional()
        .describe("best hits first, or those of the most recently active sessions (default: relevance)"),
      cursor: cursor(z).exactOptional(),
    }),
  output: (z) =>
    z.object({
      hits: z
        .array(
          z.object({
            session: z.object({
              source: z.string(),
              id: z.string(),
              title: z.string(),
              workspace: z.string().exactOptional(),
              updatedAt: z.string().exactOptional(),
              resume: z.string().exactOptional(),
              vanishedAt: z.string().exactOptional(),
            }),
            turn: z.int().nullable().describe("null in titles, paths, checkpoints and files beside the log"),
            time: z.string().nullable().describe("when that turn was asked (ISO 8601)"),
            where: z.string(),
            label: z
              .string()
              .nullable()
              .describe("what it is in beside the log: `checkpoint 2`, `plan.md`, `files/notes.md`"),
            snippet: z.string(),
            matches: z
              .array(z.object({ start: z.int(), end: z.int() }))
              .describe("where the words are in the snippet, in UTF-16 units"),
            score: z.number(),
            alsoIn: z
              .array(z.object({ source: z.string(), id: z.string(), title: z.string() }))
              .describe(
                "other sessions that have this turn: its forks, clones and handoffs, or what they came from",
              ),
          }),
        )
        .describe("best first, unless sorted otherwise"),
      partial: z.boolean().describe("true when no turn has all the words and these have some"),
      respelt: z
        .array(z.object({ typed: z.string(), used: z.string() }))
        .describe("words that were looked for in another spelling"),
      missing: z.array(z.string()).describe("words that were not found in any spelling"),
      optional: z.array(z.string()).describe("words such as how and the, which a match need not contain"),
      next: next(z),
      facets: facets(z)
        .exactOptional()
        .describe("only when asked for; of the sessions with hits, as in `list`"),
    }),
  run(
    app,
    { text, role, limit: most = ENOUGH_HITS, sort, cursor: from, facets: counts, ...where },
    call = {},
  ) {
    const page = {
      limit: most,
      ...(sort !== undefined && { sort }),
      ...(from !== undefined && { cursor: from }),
      ...(counts && { facets: counts }),
    };
    return app.search({ text, where, ...(role !== undefined && { role }), ...page }, call);
  },
  toJson: toSearchJson,
});
