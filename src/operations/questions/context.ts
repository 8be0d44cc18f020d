/** What would the model receive if a session were resumed? */
import { toContextJson } from "../../present/json/answers.ts";
import { defineOperation } from "../operation.ts";
import { named } from "../schemas/inputs.ts";
import { problem } from "../schemas/problem.ts";
import { session } from "../schemas/session.ts";

export const context = defineOperation({
  name: "context",
  kind: "question",
  summary: "Show the messages the model would receive if the session were resumed, and their tokens",
  input: named,
  output: (z) =>
    z.object({
      session: session(z),
      messages: z.array(
        z.object({
          role: z.enum(["user", "assistant", "tool"]),
          turn: z.int().nullable().describe("the turn it belongs to; null where it belongs to none"),
          text: z.string(),
          thinking: z.string().nullable(),
          toolCalls: z.array(
            z.object({
              id: z.string(),
              name: z.string(),
              arguments: z.unknown().describe("as an object"),
            }),
          ),
          toolCallId: z.string().nullable(),
          isError: z.boolean(),
          madeUp: z.boolean().describe("words of the program, not of a person"),
          tokens: z.int(),
        }),
      ),
      tokens: z.int().describe("in all"),
      problems: z
        .array(problem(z).meta({ like: "show" }))
        .describe("damage: what the program drops, or what may make it refuse to resume"),
      byRole: z
        .object({ user: z.int(), assistant: z.int(), tool: z.int() })
        .describe("tokens of the messages of each role"),
      shares: z
        .array(
          z.object({
            kind: z.enum(["prompts", "answers", "thinking", "tool-calls", "tool-results", "made-up"]),
            tool: z.string().nullable(),
            tokens: z.int(),
            count: z.int(),
          }),
        )
        .describe("largest first"),
    }),
  run: (app, input, call = {}) => app.context(input.session, call),
  toJson: toContextJson,
});
