/** What was said in some turns of a session? */
import { toTurnJson } from "../../present/json/shapes.ts";
import { defineOperation } from "../operation.ts";
import { count, sessionName } from "../schemas/inputs.ts";
import { sessionKey } from "../schemas/session.ts";
import { parts, turn } from "../schemas/turn.ts";

export const turns = defineOperation({
  name: "turns",
  kind: "question",
  summary: "Read some turns of a session, from one to another",
  input: (z) =>
    z.strictObject({
      session: sessionName(z),
      from: count(z).exactOptional().describe("the first turn, counted from 0 (default: 0)"),
      to: count(z)
        .exactOptional()
        .describe("the last turn, included (default: as many as one answer has, which is at most 200)"),
      textLimit: count(z).exactOptional().describe("what is kept of each tool result, in characters (all)"),
      whole: z
        .boolean()
        .exactOptional()
        .describe(
          "hold even records of many megabytes; otherwise the long texts in them are cut, and say so",
        ),
    }),
  output: (z) =>
    z.object({
      session: sessionKey(z),
      preamble: parts(z).describe("parts before the first prompt; only when turn 0 is asked for"),
      turns: z.array(turn(z)).describe("as `show` has them; none beyond the last turn of the session"),
      total: z.int().describe("how many turns the session has"),
      next: z
        .int()
        .nullable()
        .describe("the first turn that was asked for and is not in this answer; null when all are"),
    }),
  run: (app, { session, ...request }, call = {}) => app.turns(session, request, call),
  toJson: ({ session, preamble, turns: found, total, next }) => ({
    session,
    preamble: [...preamble],
    turns: found.map(toTurnJson),
    total,
    next: next ?? null,
  }),
});
