/** What was said in a session, turn by turn. */
import type { ShowVisitor } from "../../app/contract.ts";
import { toProblemJson, toTurnJson, toWholeSessionJson } from "../../present/json/shapes.ts";
import { withoutWaiting } from "../emitting.ts";
import { type Described, defineStream, type Emit, type Zod } from "../operation.ts";
import { count, sessionName } from "../schemas/inputs.ts";
import { problem } from "../schemas/problem.ts";
import { wholeSession } from "../schemas/session.ts";
import { parts, turn } from "../schemas/turn.ts";

type Shown =
  | {
      readonly type: "head";
      readonly session: Parameters<ShowVisitor["head"]>[0];
      readonly problems: Parameters<ShowVisitor["head"]>[1];
    }
  | { readonly type: "preamble"; readonly parts: Parameters<ShowVisitor["preamble"]>[0] }
  | { readonly type: "turn"; readonly turn: Parameters<ShowVisitor["turn"]>[0] };

const shown = (z: Zod) =>
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("head"), session: wholeSession(z), problems: z.array(problem(z)) }),
    z.object({ type: z.literal("preamble"), parts: parts(z) }),
    z.object({ type: z.literal("turn"), turn: turn(z) }),
  ]);

export const show = defineStream({
  name: "show",
  kind: "stream",
  summary: "Read a session: prompts, answers, tool calls, edits, checkpoints",
  input: (z) =>
    z.strictObject({
      session: sessionName(z),
      turn: count(z).exactOptional().describe("only this turn, counted from 0"),
      textLimit: count(z).exactOptional().describe("what is kept of each tool result, in characters (all)"),
      whole: z
        .boolean()
        .exactOptional()
        .describe(
          "hold even records of many megabytes; otherwise the long texts in them are cut, and say so",
        ),
    }),
  output: shown,
  async run(app, { session: name, ...request }, emit: Emit<Shown>, call) {
    const items = withoutWaiting(emit);
    await app.show(
      name,
      request,
      {
        head: (session, problems) => items.emit({ type: "head", session, problems }),
        preamble: (all) => items.emit({ type: "preamble", parts: all }),
        turn: (one) => items.emit({ type: "turn", turn: one }),
      },
      call,
    );
    await items.taken();
  },
  toJson(item, app): Described<typeof shown> {
    if (item.type === "turn") return { type: "turn", turn: toTurnJson(item.turn) };
    if (item.type === "preamble") return { type: "preamble", parts: item.parts };
    const { session, problems } = item;
    return { type: "head", session: toWholeSessionJson(session, app), problems: problems.map(toProblemJson) };
  },
});

/** A session as one document, as `present/json/page.ts` writes it. */
export const sessionDocument = (z: Zod) =>
  z.object({
    session: wholeSession(z),
    preamble: parts(z).describe("parts before the first prompt"),
    turns: z.array(turn(z)),
    problems: z.array(problem(z)),
  });

/** Hands what is shown to a page. */
export const toVisitor =
  (page: ShowVisitor) =>
  (item: Shown): void => {
    if (item.type === "head") page.head(item.session, item.problems);
    else if (item.type === "preamble") page.preamble(item.parts);
    else page.turn(item.turn);
  };
