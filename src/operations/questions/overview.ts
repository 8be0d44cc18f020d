/** What is on this machine? */
import { toOverviewJson } from "../../present/json/answers.ts";
import { defineOperation } from "../operation.ts";
import { sources } from "../schemas/inputs.ts";
import { countFields, session } from "../schemas/session.ts";

export const overview = defineOperation({
  name: "overview",
  kind: "question",
  summary: "Show what is on this machine",
  input: (z) => z.strictObject({ sources: sources(z).exactOptional() }),
  output: (z) =>
    z.object({
      sources: z.array(
        z.object({
          source: z.string(),
          label: z.string(),
          roots: z.array(z.string()).describe("where it looked"),
          ...countFields(z),
          turns: z.int(),
          bytes: z.int(),
          lastActivity: z.string().nullable(),
        }),
      ),
      ...countFields(z, "totals"),
      turns: z.int().describe("totals"),
      damaged: z.int().describe("sessions that lost content"),
      troubled: z.int().describe("intact sessions that their program hides or will lose"),
      vanished: z
        .int()
        .describe(
          "sessions whose files are gone and that the store keeps; the other numbers do not count them",
        ),
      weeks: z
        .array(z.object({ start: z.string(), turns: z.int() }))
        .describe("prompts a week, oldest first"),
      suggestions: z
        .array(
          z.object({
            command: z.string(),
            why: z.enum([
              "latest",
              "largest",
              "remembered",
              "busiest-repository",
              "busiest-workspace",
              "problems",
              "demo",
            ]),
            session: session(z).nullable(),
            count: z.int().nullable(),
          }),
        )
        .describe("commands to try next"),
    }),
  run: (app, input, call = {}) => app.overview(input, call),
  toJson: toOverviewJson,
});
