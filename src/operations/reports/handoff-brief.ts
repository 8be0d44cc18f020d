/** What does an agent need to know that takes a session up, and cannot be given the session itself? */
import { AppError } from "../../model/errors.ts";
import { BRIEF_SECTIONS, type BriefSection } from "../../model/summary/brief.ts";
import { formatKey } from "../../model/values/id.ts";
import { toSessionJson } from "../../present/json/shapes.ts";
import { toBriefing } from "../../present/markdown/briefing.ts";
import { defineOperation } from "../operation.ts";
import { sessionName } from "../schemas/inputs.ts";
import { session } from "../schemas/session.ts";

/** In tokens. */
const USUAL = 2_000;

export const handoffBrief = defineOperation({
  name: "handoff-brief",
  kind: "question",
  summary: "Write a briefing in Markdown for an agent that takes a session up",
  input: (z) =>
    z.strictObject({
      session: sessionName(z),
      budget: z.int().min(1).exactOptional().describe(`in tokens (default: ${USUAL})`),
      redact: z.boolean().exactOptional().describe("true replaces secrets by marks"),
    }),
  output: (z) =>
    z.object({
      session: session(z),
      markdown: z.string(),
      tokens: z.int(),
      left: z
        .partialRecord(z.enum(Object.keys(BRIEF_SECTIONS) as [BriefSection]), z.int())
        .describe("how many facts of each section did not fit"),
    }),
  async run(app, { session: name, budget = USUAL, ...request }, call = {}) {
    const [{ session: found, brief }, { loadTokenizer }] = await Promise.all([
      app.brief(name, request, call),
      import("../../app/tokens.ts"),
    ]);
    const count = await loadTokenizer();
    const briefing = toBriefing(found, brief, { budget, count });
    if (briefing.tokens > budget)
      throw new AppError("usage", `A briefing of this session needs at least ${briefing.tokens} tokens`, {
        say: "Allow this budget",
        remedy: {
          action: "handoff",
          session: formatKey(found),
          args: { asBrief: true, budget: briefing.tokens },
        },
      });
    return { session: found, ...briefing };
  },
  toJson: ({ session: found, ...told }, home) => ({ session: toSessionJson(found, home), ...told }),
});
