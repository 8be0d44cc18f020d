/**
 * What fills a session's context, and what a clone with a budget would keep of it: exactly what the plan of `clone` says,
 * as fast as a person drags a handle. Ask without a budget first, for everything; then with one and `changedOnly` for each
 * place of the handle, and look what changes up by `id`. Nothing is written, and what was read is forgotten after a minute.
 */
import { toLensJson } from "../../present/json/answers.ts";
import { defineOperation, type Zod } from "../operation.ts";
import { sessionName } from "../schemas/inputs.ts";
import { ledgerEntries, statsFields } from "../schemas/plan.ts";

const kind = (z: Zod) => z.enum(["prompts", "answers", "thinking", "tool-calls", "tool-results", "made-up"]);

const fate = (z: Zod) => z.enum(["kept", "cut", "dropped"]);

export const lens = defineOperation({
  name: "lens",
  kind: "question",
  summary: "Show what fills the context of a session, and what a clone with a budget would keep of it",
  input: (z) =>
    z.strictObject({
      session: sessionName(z),
      budget: z
        .int()
        .min(1)
        .exactOptional()
        .describe("in tokens: tell what a clone with this budget would keep"),
      changedOnly: z
        .boolean()
        .exactOptional()
        .describe("leave out the passages and turns that the budget does not change"),
    }),
  output: (z) =>
    z.object({
      session: z.string().describe("source:id"),
      tokens: z
        .int()
        .describe("that the model would receive if the session were resumed, as `context` counts"),
      limit: z
        .object({ tokens: z.int(), model: z.string().nullable() })
        .nullable()
        .describe("how much the model takes in, where its program noted that"),
      shares: z
        .array(
          z.object({
            kind: kind(z),
            tool: z.string().nullable().describe("of calls and results"),
            group: z.enum(["you", "agent", "thinking", "tool", "program"]),
            label: z.string(),
            tokens: z.int(),
            tokensAfter: z.int(),
            count: z.int().describe("of passages"),
          }),
        )
        .describe("largest first"),
      passages: z
        .array(
          z.object({
            id: z.int().describe("its place among all passages of the session"),
            turn: z.int().nullable().describe("as `show` counts; null for what belongs to no turn"),
            kind: kind(z),
            tool: z.string().nullable(),
            callId: z.string().nullable().describe("of the tool call, as in `show`"),
            label: z.string().describe("one line: a command, a path, or how the text begins"),
            tokens: z.int(),
            fate: fate(z),
            tokensAfter: z.int(),
          }),
        )
        .describe("everything that the model would receive, in order"),
      turns: z
        .array(
          z.object({
            index: z.int(),
            tokens: z.int().describe("0 for a turn that the model no longer receives"),
            tokensAfter: z.int(),
            fate: fate(z).describe("`cut` where the turn stays and something in it does not"),
          }),
        )
        .describe("of the whole session"),
      budget: z
        .object({
          asked: z.int(),
          tokens: z.int().describe("of the clone"),
          alreadyFits: z.boolean().describe("the original is not longer than the budget"),
          ledger: ledgerEntries(z).describe("as in the plan of `clone`"),
          stats: statsFields(z).unwrap().describe("as in the plan of `clone`"),
          reachable: z
            .boolean()
            .describe("false where no clone is that small; what is told then is the smallest"),
          smallest: z.int().describe("the tokens of the smallest clone"),
        })
        .nullable()
        .describe("null without a budget, and where none can be set"),
      why: z.string().nullable().describe("why no budget can be set for this session; else null"),
    }),
  async run(app, { session, budget, changedOnly = false }, call = {}) {
    const report = await app.lens(session, budget === undefined ? {} : { budget }, call);
    return { report, changedOnly };
  },
  toJson: ({ report, changedOnly }) => toLensJson(report, changedOnly),
});
