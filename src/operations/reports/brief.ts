/** What does somebody need to know who takes a session up? */
import { BRIEF_SECTIONS, type BriefSection } from "../../model/summary/brief.ts";
import { toSessionJson } from "../../present/json/shapes.ts";
import { defineOperation, type Zod } from "../operation.ts";
import { sessionName } from "../schemas/inputs.ts";
import { session } from "../schemas/session.ts";

const facts = (z: Zod) =>
  z.array(
    z.object({
      text: z.string(),
      turn: z.int(),
      time: z.string().nullable().describe("when the turn began (ISO 8601)"),
    }),
  );

export const brief = defineOperation({
  name: "brief",
  kind: "question",
  summary: "Brief somebody on a session: goal, state, decisions, files, open questions, last errors",
  input: (z) =>
    z.strictObject({
      session: sessionName(z),
      redact: z.boolean().exactOptional().describe("true replaces secrets by marks"),
    }),
  output: (z) =>
    z.object({
      session: session(z),
      goal: facts(z).describe("the first and the last request, and what the user insisted on"),
      state: facts(z).describe("the last answer, commits and pull requests, and how commands last ended"),
      decisions: facts(z).describe("what the agent decided or found out, the latest first"),
      files: facts(z).describe("files that were changed, the most changed first"),
      open: facts(z).describe("what the last answer asks or leaves open, and open tasks"),
      errors: facts(z).describe("what still fails, then what failed and worked later"),
    }),
  run: (app, { session: name, ...request }, call = {}) => app.brief(name, request, call),
  toJson: ({ session: found, brief: told, times }, home) => {
    const of = (section: BriefSection) =>
      told[section].map(({ text, turn }) => ({ text, turn, time: times.get(turn) ?? null }));
    const sections = (Object.keys(BRIEF_SECTIONS) as BriefSection[]).map(
      (section) => [section, of(section)] as const,
    );
    return {
      session: toSessionJson(found, home),
      ...(Object.fromEntries(sections) as Record<BriefSection, ReturnType<typeof of>>),
    };
  },
});
