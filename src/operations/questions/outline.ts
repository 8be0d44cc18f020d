/** Which turns does a session have? */
import { toProblemJson, toWholeSessionJson } from "../../present/json/shapes.ts";
import { defineOperation } from "../operation.ts";
import { named } from "../schemas/inputs.ts";
import { problem } from "../schemas/problem.ts";
import { wholeSession } from "../schemas/session.ts";

export const outline = defineOperation({
  name: "outline",
  kind: "question",
  summary: "List the turns of a session in a line each, and what is wrong with it",
  input: named,
  output: (z) =>
    z.object({
      session: wholeSession(z),
      problems: z.array(problem(z)),
      preamble: z.boolean().describe("something stands before the first prompt; `turns` has it with turn 0"),
      turns: z.array(
        z.object({
          index: z.int().describe("from 0"),
          prompt: z.string().describe("how it begins, on one line"),
          startedAt: z.string().nullable(),
          endedAt: z.string().nullable(),
          bytes: z.int().nullable().describe("in the log; null where its source keeps turns in pieces"),
          estimatedTokens: z
            .int()
            .describe(
              "about how many the model receives of it, by the length of its texts; `lens` counts them",
            ),
          toolCalls: z.int().describe("including those of sub-agents"),
          failedCalls: z.int(),
          filesChanged: z.int().describe("created, edited or deleted; at most 1000 are counted"),
          hasCheckpoint: z.boolean().describe("older turns were replaced by a summary in it"),
        }),
      ),
    }),
  run: (app, input, call = {}) => app.outline(input.session, call),
  toJson: ({ session, problems, hasPreamble, turns }, home) => ({
    session: toWholeSessionJson(session, home),
    problems: problems.map(toProblemJson),
    preamble: hasPreamble,
    turns: turns.map(({ startedAt, endedAt, bytes, ...turn }) => ({
      ...turn,
      startedAt: startedAt ?? null,
      endedAt: endedAt ?? null,
      bytes: bytes ?? null,
    })),
  }),
});
