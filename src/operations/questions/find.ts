/** Where in a session is that said? */
import { matchesIn, unmarked } from "../../present/text/marks.ts";
import { defineOperation } from "../operation.ts";
import { sessionName } from "../schemas/inputs.ts";
import { sessionKey } from "../schemas/session.ts";

const PLACES = ["user", "assistant", "thinking", "tool", "edit", "checkpoint", "notice", "note"] as const;
const MOST_MATCHES = 5000;

export const find = defineOperation({
  name: "find",
  kind: "question",
  summary: "Find a text in all turns of one session",
  input: (z) =>
    z.strictObject({
      session: sessionName(z),
      text: z.string().min(1).max(1000).describe("plain text, in any case"),
      limit: z.int().min(1).max(MOST_MATCHES).exactOptional().describe("at most this many (default: 500)"),
    }),
  output: (z) =>
    z.object({
      session: sessionKey(z),
      matches: z
        .array(
          z.object({
            turn: z.int().nullable().describe("null before the first prompt"),
            where: z.enum(PLACES),
            callId: z
              .string()
              .nullable()
              .describe("of the tool call that it is in, or that started the sub-agent it is from"),
            line: z.int().describe("of its record, for `record`"),
            file: z.string().nullable().describe("where that is not the session's own"),
            snippet: z.string().describe("what is around it, on one line"),
            start: z.int().describe("where the match is in the snippet, in UTF-16 units"),
            end: z.int(),
          }),
        )
        .describe("in the order of the conversation"),
      total: z.int().describe("how many there are, regardless of the limit"),
      cut: z.boolean().describe("there are more than the limit"),
    }),
  run: (app, { session, ...request }, call = {}) => app.find(session, request, call),
  toJson: ({ session, matches, total }) => ({
    session,
    matches: matches.map(({ turn, where, callId, line, file, snippet }) => ({
      turn: turn ?? null,
      where,
      callId: callId ?? null,
      line,
      file: file ?? null,
      snippet: unmarked(snippet),
      ...(matchesIn(snippet)[0] ?? { start: 0, end: 0 }),
    })),
    total,
    cut: total > matches.length,
  }),
});
